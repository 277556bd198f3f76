import { createInterface } from 'node:readline/promises';
import { decimalOf, showMoney } from '../domain/show-money.ts';
import type { PlannedFile } from '../pipeline/plan-file.ts';
import { planReport } from '../report/plan-report.ts';
import { terminalText } from '../report/terminal-text.ts';

/** Shows the plan and has what will be sent typed in: a yes is said too easily. */
export async function confirmAtTerminal(planned: PlannedFile, command: string): Promise<boolean> {
  const commands = { run: command, plan: command, skipInvalid: command };
  const report = planReport(planned, {
    file: planned.drafted.fileName,
    kind: null,
    remembers: true,
    commands,
  });
  process.stderr.write(terminalText(`${report}\n\n`));
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (const { currency, toSendMinor } of planned.plan.totals.filter((total) => total.toSendMinor > 0n)) {
      const typed = await terminal.question(`To pay ${showMoney(toSendMinor, currency)}, type the amount: `);
      const plain = typed.replace(/[,\s]/g, '').replace(new RegExp(`^${currency}`, 'i'), '');
      const wanted = decimalOf(toSendMinor, currency);
      if (plain !== wanted && plain !== wanted.replace(/\.0+$/, '')) return false;
    }
    return true;
  } finally {
    terminal.close();
  }
}

import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import { type PlannedFile, toSendNow } from '../../index.ts';
import { planReport } from '../../report/plan-report.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';

/** Shows the plan and has what will be sent typed in: a yes is said too easily. */
export async function confirmTotal(
  planned: PlannedFile,
  kind: 'SANDBOX' | 'TEST' | 'LIVE',
  command: string,
  terminal: Terminal,
): Promise<boolean> {
  const report = planReport(planned, {
    file: planned.drafted.fileName,
    kind,
    remembers: true,
    commands: { run: command, plan: command, skipInvalid: command },
    shown: 'before-question',
  });
  terminal.output.write(terminalText(`${report}\n\n`));
  for (const [currency, toSendMinor] of toSendNow(planned.plan)) {
    const typed = await askAtTerminal(
      `To pay ${formatMoney(toSendMinor, currency)}, type the amount: `,
      terminal,
    );
    const plain = typed?.replace(/[,\s]/g, '').replace(new RegExp(`^${currency}`, 'i'), '');
    const wanted = decimalOf(toSendMinor, currency);
    if (plain !== wanted && plain !== wanted.replace(/\.0+$/, '')) return false;
  }
  return true;
}

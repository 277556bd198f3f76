import { formatMoney } from '../../domain/money/format-money.ts';
import type { PlannedFile } from '../../index.ts';
import { planReport } from '../../report/plan-report.ts';
import { goesNow, goesNowLines } from '../../report/plan-totals.ts';
import { askAmount } from './ask-amount.ts';
import type { Terminal } from './ask-at-terminal.ts';
import { styledText } from './styled-text.ts';

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
  const sums = goesNow(planned);
  const { output } = terminal;
  output.write(styledText(`${report}\n\n${goesNowLines(kind, sums).join('\n')}\n`, output));
  for (const { currency, minor, heldMinor } of sums) {
    // Where all of it is held nothing goes out, and still a batch begins.
    const isTyped = await (minor > 0n
      ? askAmount(`To pay ${formatMoney(minor, currency)}`, minor, currency, terminal)
      : askAmount(
          `To take in ${formatMoney(heldMinor, currency)}, all of it held`,
          heldMinor,
          currency,
          terminal,
        ));
    if (!isTyped) return false;
  }
  return true;
}

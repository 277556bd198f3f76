import { formatMoney } from '../../domain/money/format-money.ts';
import { amountsToType, goesNow, type PlannedFile } from '../../index.ts';
import { planReport } from '../../report/plan-report.ts';
import { goesNowLines } from '../../report/plan-totals.ts';
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
  for (const [currency, minor] of amountsToType(planned)) {
    const money = formatMoney(minor, currency);
    const goesOut = sums.some((sum) => sum.currency === currency && sum.minor > 0n);
    const what = goesOut ? `To pay ${money}` : `To take in ${money}, all of it held`;
    if (!(await askAmount(what, minor, currency, terminal))) return false;
  }
  return true;
}

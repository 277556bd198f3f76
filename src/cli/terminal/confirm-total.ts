import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { PlannedFile } from '../../index.ts';
import { planReport } from '../../report/plan-report.ts';
import { goesNow, goesNowLines } from '../../report/plan-totals.ts';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';
import { styledText } from './styled-text.ts';

/** A slip of the fingers is no refusal; whoever types something else three times does not know the amount. */
const mostTries = 3;

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
  say(`${report}\n\n${goesNowLines(kind, sums).join('\n')}\n`, terminal);
  for (const { currency, minor, heldMinor } of sums) {
    // Where all of it is held nothing goes out, and still a batch begins.
    const isTyped = await hasTyped(minor > 0n ? minor : heldMinor, currency, minor > 0n, terminal);
    if (!isTyped) return false;
  }
  return true;
}

function say(text: string, { output }: Terminal): void {
  output.write(styledText(text, output));
}

async function hasTyped(
  minor: Minor,
  currency: string,
  goesOut: boolean,
  terminal: Terminal,
): Promise<boolean> {
  const money = formatMoney(minor, currency);
  const what = goesOut ? `To pay ${money}` : `To take in ${money}, all of it held`;
  const wanted = decimalOf(minor, currency);
  for (let left = mostTries - 1; left >= 0; left--) {
    const typed = await askAtTerminal(`${what}, type the amount: `, terminal);
    if (typed === undefined) return false;
    const plain = typed.replace(/[,\s]/g, '').replace(new RegExp(`^${currency}`, 'i'), '');
    if (plain === wanted || plain === wanted.replace(/\.0+$/, '')) return true;
    const again = left > 0 ? ' Once more, or Ctrl-C:' : '';
    say(`You typed "${readableText(typed)}", not ${money}.${again}\n`, terminal);
  }
  return false;
}

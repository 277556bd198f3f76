import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';
import { styledText } from './styled-text.ts';

/** A slip of the fingers is no refusal; whoever types something else three times does not know the amount. */
const mostTries = 3;

/** Has an amount typed in: `To pay KES 1,000.00, type the amount: `. False where something else was typed, or nothing. */
export async function askAmount(
  what: string,
  minor: Minor,
  currency: string,
  terminal: Terminal,
): Promise<boolean> {
  for (let left = mostTries - 1; left >= 0; left--) {
    const typed = await askAtTerminal(`${what}, type the amount: `, terminal);
    if (typed === undefined) return false;
    if (isAmount(typed, minor, currency)) return true;
    const again = left > 0 ? ' Once more, or Ctrl-C:' : '';
    const said = `You typed "${readableText(typed)}", not ${formatMoney(minor, currency)}.${again}\n`;
    terminal.output.write(styledText(said, terminal.output));
  }
  return false;
}

function isAmount(typed: string, minor: Minor, currency: string): boolean {
  const amount = typed.replace(/[,\s]/g, '').toUpperCase();
  const plain = amount.startsWith(currency) ? amount.slice(currency.length) : amount;
  const wanted = decimalOf(minor, currency);
  return plain === wanted || plain === wanted.replace(/\.0+$/, '');
}

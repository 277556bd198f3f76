import { decimalOf, formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import { PayrunError } from '../../errors.ts';
import { askAtTerminal, type Terminal } from './ask-at-terminal.ts';
import type { SilentTerminal } from './ask-passphrase.ts';

type Sums = ReadonlyMap<string, Minor>;

/** Has each sum typed in, or takes it from the flags: whoever approves has seen what goes. */
export async function confirmSums(
  sums: Sums,
  given: Sums,
  terminal: SilentTerminal | undefined,
): Promise<void> {
  if (given.size > 0) {
    const isSame =
      given.size === sums.size && [...sums].every(([currency, minor]) => given.get(currency) === minor);
    if (!isSame) throw declined('--confirm-total is not what would be sent.');
    return;
  }
  if (!terminal)
    throw new PayrunError(
      'not-confirmed',
      'There is nobody at a terminal to type the total: say it with --confirm-total.',
    );
  const interrupts = { signal: new AbortController().signal, exit: () => undefined };
  for (const [currency, minor] of sums) await askSum(currency, minor, { ...terminal, interrupts });
}

const mostTries = 3;

/** A slip of the keyboard is told and asked again; then it is no slip any more. */
async function askSum(currency: string, minor: Minor, terminal: Terminal): Promise<void> {
  const wanted = formatMoney(minor, currency);
  for (let tries = 1; ; tries += 1) {
    const typed = await askAtTerminal(`To approve ${wanted}, type the amount: `, terminal);
    if (typed !== undefined && isAmount(typed, minor, currency)) return;
    const wrong = typed === undefined ? 'Not confirmed.' : `${readableText(`"${typed}"`)} is not ${wanted}.`;
    if (typed === undefined || tries === mostTries) throw declined(wrong);
    terminal.output.write(`${wrong}\n`);
  }
}

function isAmount(typed: string, minor: Minor, currency: string): boolean {
  const amount = typed.replace(/[,\s]/g, '').toUpperCase();
  const plain = amount.startsWith(currency) ? amount.slice(currency.length) : amount;
  const wanted = decimalOf(minor, currency);
  return plain === wanted || plain === wanted.replace(/\.0+$/, '');
}

function declined(why: string): PayrunError {
  return new PayrunError('declined', `${why} Nothing was approved.`);
}

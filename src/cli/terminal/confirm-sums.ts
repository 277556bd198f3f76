import { formatMoney } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import { PayrunError } from '../../errors.ts';
import { askAmount } from './ask-amount.ts';
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
  for (const [currency, minor] of sums) {
    const question = `To approve ${formatMoney(minor, currency)}`;
    if (!(await askAmount(question, minor, currency, { ...terminal, interrupts })))
      throw declined('The amount was not typed.');
  }
}

function declined(why: string): PayrunError {
  return new PayrunError('declined', `${why} Nothing was approved.`);
}

import { formatMoney } from '../../domain/money/format-money.ts';
import type { Problem } from '../../domain/problems/problem.ts';
import { batchProblem } from '../../domain/problems/problem-kinds.ts';
import { type Meaning, meanings } from '../../domain/restore/untouched-meanings.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import type { DraftPayout } from '../../journal/draft/draft.ts';
import { type ReadWith, readWithWords } from '../../journal/read-with.ts';

interface Kept {
  readonly payout: DraftPayout;
  readonly untouched: ReadonlySet<Meaning>;
}

/**
 * A cell that nobody touched says what it said. Where it would say something else now, the file is read with other
 * columns, defaults or decimals than the file of the batch was: a person who corrects a name must not change an amount.
 */
export function readOtherwise(
  line: number,
  { payout: was, untouched }: Kept,
  now: DraftPayout,
  readWith: ReadWith = {},
): Problem[] {
  return meanings
    .filter((meaning) => untouched.has(meaning) && said[meaning](was) !== said[meaning](now))
    .map((meaning) => {
      const words = readWithWords(readWith).map(shellWord).join(' ');
      const flags = words === '' ? '--map, --default and --decimal, and without others' : `flags: ${words}`;
      const [before, after] = [shown[meaning](was), shown[meaning](now)].map(readableText);
      const message = `Nobody has changed ${labels[meaning]} in this row, but it was ${before} and would now be ${after}: the file is read with other settings than the file of its batch. Run it with the same ${flags}. To pay something else, change the cell.`;
      return batchProblem('read-otherwise', { line, column: columns[meaning], message, value: after ?? '' });
    });
}

const labels: Readonly<Record<Meaning, string>> = {
  amount: 'the amount',
  wallet: 'the wallet that is debited',
  payee: 'the payee',
  name: 'the name',
};

const columns: Readonly<Record<Meaning, string>> = {
  amount: 'amount',
  wallet: 'debitCurrency',
  payee: 'accountNumber',
  name: 'accountName',
};

const said: Readonly<Record<Meaning, (payout: DraftPayout) => string>> = {
  amount: ({ currency, amountMinor }) => `${currency} ${amountMinor}`,
  wallet: ({ debitCurrency, debitCountry }) => `${debitCurrency} ${debitCountry}`,
  payee: ({ payee, operator, branchCode }) => `${payee} ${operator} ${branchCode}`,
  name: ({ foldedName }) => foldedName,
};

const shown: Readonly<Record<Meaning, (payout: DraftPayout) => string>> = {
  amount: ({ currency, amountMinor }) => formatMoney(amountMinor, currency),
  wallet: ({ wallet }) => wallet,
  payee: ({ destination, number, bankCode, operator, branchCode }) =>
    [destination, number, bankCode, operator, branchCode].filter((each) => each !== '').join(' '),
  name: ({ accountName }) => accountName,
};

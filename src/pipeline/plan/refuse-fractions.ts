import { decimalOf } from '../../domain/money/format-money.ts';
import type { Problem } from '../../domain/problems/problem.ts';
import { rowProblems } from '../../domain/problems/row-problems.ts';
import { currencies } from '../../domain/reference-data/countries.ts';
import type { Draft } from '../../journal/draft/draft.ts';
import { draftFractions } from '../../journal/draft/draft-fractions.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';

/** Amounts with more decimals than the service takes: it would refuse them, or cut them and pay less. */
export function refuseFractions(
  db: JournalDatabase,
  draft: Draft,
  decimals: ReadonlyMap<string, number>,
): void {
  for (const { code, decimals: ofCurrency } of currencies) {
    const taken = decimals.get(code);
    if (taken === undefined || taken >= ofCurrency) continue;
    const fractions = draftFractions(db, code, 10n ** BigInt(ofCurrency - taken));
    for (const rows of fractions.pages()) {
      draft.addProblems(
        rows.map(({ line, amountMinor }) => fractionProblem(line, decimalOf(amountMinor, code), code, taken)),
      );
    }
    fractions.refuse();
  }
}

function fractionProblem(line: number, amount: string, currency: string, taken: number): Problem {
  const message =
    taken === 0
      ? `The amount ${amount} has decimals, but the service takes no decimals of ${currency}. Write a whole amount.`
      : `The amount ${amount} has more decimals than the service takes of ${currency}. Round it to ${taken}.`;
  const { blocking } = rowProblems['amount-decimals'];
  return { line, column: 'amount', code: 'amount-decimals', message, value: amount, blocking };
}

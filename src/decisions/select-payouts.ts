import { formatMoney, maskNumber } from '../domain/money/format-money.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { cleanText } from '../domain/text/clean-text.ts';
import { PayrunError } from '../errors.ts';
import type { DecisionQueries } from '../journal/payouts/decision-queries.ts';

/**
 * The payouts that a person named, each by its paymentId, its reference or the `line:17` of its row. An ID that fits
 * none, or more than one, stops the whole decision: half of what was meant is not what was meant.
 */
export function selectPayouts(
  questions: DecisionQueries,
  ids: readonly string[],
  consequence = '\nNothing was changed.',
): Payout[] {
  const chosen = new Map<number, Payout>();
  const troubles: string[] = [];
  for (const id of ids.map((each) => cleanText(each).text)) {
    const found = questions.fitting(id);
    const [payout] = found;
    if (payout && found.length === 1) chosen.set(payout.id, payout);
    else troubles.push(payout ? severalFit(id, found) : noneFits(questions, id));
  }
  if (troubles.length === 0) return [...chosen.values()];
  throw new PayrunError('payment-not-found', `${troubles.join('\n')}${consequence}`);
}

function severalFit(id: string, found: readonly Payout[]): string {
  const lines = found.map(
    ({ key, accountName, number, amountMinor, currency, state, reference }) =>
      `  ${key}: ${accountName} ${maskNumber(number)} ${formatMoney(amountMinor, currency)}, ${state}, reference ${reference}`,
  );
  return [`"${id}" fits ${found.length} payouts; name the one you mean by its reference:`, ...lines].join(
    '\n',
  );
}

function noneFits(questions: DecisionQueries, id: string): string {
  if (questions.isInvalidLine(id)) {
    return `"${id}" is a row that cannot be paid, so there is no payout yet: fix it in the file.`;
  }
  return `"${id}" fits no payout of this batch. A payment is named by its paymentId, its reference or its line, such as line:17.`;
}

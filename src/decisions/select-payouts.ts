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
    if (found.length > 1) troubles.push(severalFit(id, found));
    else if (payout?.key !== id && questions.isLineOfSeveral(id)) troubles.push(lineOfSeveral(questions, id));
    else if (payout) chosen.set(payout.id, payout);
    else troubles.push(noneFits(questions, id));
  }
  if (troubles.length === 0) return [...chosen.values()];
  throw new PayrunError('payment-not-found', `${troubles.join('\n')}${consequence}`);
}

function severalFit(id: string, found: readonly Payout[]): string {
  return [
    `"${id}" fits ${found.length} payouts; name the one you mean by its reference:`,
    ...found.map(described),
  ].join('\n');
}

/** A row of one file would be taken for that of another, and money sent to whom nobody meant. */
function lineOfSeveral(questions: DecisionQueries, id: string): string {
  const found = questions.onLine(id).map(described);
  const invalid = questions.isInvalidLine(id) ? ['  a row that cannot be paid'] : [];
  const standing = [...found, ...invalid];
  const stood = standing.length === 0 ? '' : ' On it stood, in one file or another:';
  return [
    `"${id}" is not clear: the files of this batch have different rows on the same lines. Name the payment by its paymentId or its reference.${stood}`,
    ...standing,
  ].join('\n');
}

function described({ key, accountName, number, amountMinor, currency, state, reference }: Payout): string {
  return `  ${key}: ${accountName} ${maskNumber(number)} ${formatMoney(amountMinor, currency)}, ${state}, reference ${reference}`;
}

function noneFits(questions: DecisionQueries, id: string): string {
  if (questions.isInvalidLine(id)) {
    return `"${id}" is a row that cannot be paid, so there is no payout yet: fix it in the file.`;
  }
  return `"${id}" fits no payout of this batch. A payment is named by its paymentId, its reference or its line, such as line:17.`;
}

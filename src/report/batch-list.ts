import { decimalOf, formatMoney } from '../domain/money/format-money.ts';
import { type RowStatus, statusOf } from '../domain/payout/payout-state.ts';
import { grouped } from '../domain/text/grouped.ts';
import type { PaidTwice, Payouts } from '../journal/payouts/payout-queries.ts';
import { paidTwiceLines } from './paid-twice-lines.ts';
import { paidTwiceDocument } from './run-document.ts';
import { watchedLines } from './watched-lines.ts';

/** One batch among all: asked for with one question to SQL, so that nobody waits for every row of each. */
export interface ListedBatch {
  readonly name: string;
  readonly environment: string;
  readonly payouts: ReturnType<Payouts['statuses']>;
  readonly invalidRows: number;
  /** Paid, while another transaction of theirs is still open. */
  readonly watched: number;
  readonly paidTwice: readonly PaidTwice[];
}

/** All batches, the newest first: how many payouts and how much money have which status. */
export function batchListReport(batches: readonly ListedBatch[]): string {
  if (batches.length === 0) return 'The journal holds no batch yet.';
  const row = (status: string, count: number, money: string) =>
    `  ${status.padEnd(10)}${grouped(count).padStart(9)}  ${money}`.trimEnd();
  const twice = batches.flatMap(({ name, paidTwice }) => paidTwiceLines(paidTwice, name));
  const listed = batches.flatMap((batch) => [
    `${batch.name}  ${batch.environment}`,
    ...sharesOf(batch).map(({ status, count, currency, amountMinor }) =>
      row(status, count, formatMoney(amountMinor, currency)),
    ),
    ...(batch.invalidRows > 0 ? [row('invalid', batch.invalidRows, '')] : []),
    ...watchedLines(batch.watched),
  ]);
  return [...twice, ...listed].join('\n');
}

export function batchListDocument(batches: readonly ListedBatch[]): Record<string, unknown> {
  return {
    batches: batches.map((batch) => {
      const statuses: Record<string, number> = {};
      const amounts: Record<string, Record<string, string>> = {};
      for (const { status, currency, count, amountMinor } of sharesOf(batch)) {
        statuses[status] = (statuses[status] ?? 0) + count;
        amounts[currency] = { ...amounts[currency], [status]: decimalOf(amountMinor, currency) };
      }
      if (batch.invalidRows > 0) statuses['invalid'] = batch.invalidRows;
      const watched = batch.watched > 0 ? { watched: batch.watched } : {};
      const twice = batch.paidTwice.length > 0 ? { paidTwice: paidTwiceDocument(batch.paidTwice) } : {};
      return { batch: batch.name, environment: batch.environment, statuses, amounts, ...watched, ...twice };
    }),
  };
}

interface Share extends Omit<ListedBatch['payouts'][number], 'state' | 'everSent'> {
  readonly status: RowStatus;
}

/** Several states are one status to people. */
function sharesOf({ payouts }: ListedBatch): Share[] {
  const shares = new Map<string, Share>();
  for (const { state, everSent, currency, count, amountMinor } of payouts) {
    const status = statusOf(state, everSent);
    const known = shares.get(`${status} ${currency}`);
    shares.set(`${status} ${currency}`, {
      status,
      currency,
      count: count + (known?.count ?? 0),
      amountMinor: amountMinor + (known?.amountMinor ?? 0n),
    });
  }
  return [...shares.values()];
}

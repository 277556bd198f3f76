import { decimalOf, formatMoney } from '../domain/money/format-money.ts';
import { type RowStatus, statusOf } from '../domain/payout/payout-state.ts';
import { ageText } from '../domain/text/age-text.ts';
import { grouped } from '../domain/text/grouped.ts';
import { isoTime } from '../domain/text/time-text.ts';
import type { ExitCode } from '../errors.ts';
import type { PaidTwice, Payouts } from '../journal/payouts/payout-queries.ts';
import { paidTwiceLines } from './paid-twice-lines.ts';
import { paidYetLines } from './paid-yet-lines.ts';
import { paidTwiceDocument } from './run-document.ts';
import { wrapText } from './wrap-text.ts';

/** One batch among all: asked for with a few questions to SQL, so that nobody waits for every row of each. */
export interface ListedBatch {
  readonly name: string;
  readonly environment: string;
  readonly createdMs: number;
  readonly lastSendMs: number | null;
  /** When the one was sent that has been pending or unknown for longest. */
  readonly oldestPendingMs: number | null;
  /** How many have not ended, and for longer than was asked about. */
  readonly overdue: number;
  /** What it amounts to: 0, 3 or 4. */
  readonly exit: ExitCode;
  readonly payouts: ReturnType<Payouts['statuses']>;
  readonly invalidRows: number;
  /** Of these, what was taken out of the file: nothing is left to do about it. */
  readonly invalidGone: number;
  /** Paid, while another transaction of theirs is still open. */
  readonly watched: number;
  /** Paid, while the service has said something else of them since. */
  readonly doubted: number;
  readonly paidTwice: readonly PaidTwice[];
}

/** What is the same for all of a list. */
export interface ListFacts {
  readonly nowMs: number;
  /** Columns of the terminal. */
  readonly width: number;
}

const heads = ['batch', 'begun', 'pending for', 'paid', 'of'] as const;

/** All batches, the newest first: how old, how much of the money is paid, what has been pending for longest. */
export function batchListReport(batches: readonly ListedBatch[], { nowMs, width }: ListFacts): string {
  if (batches.length === 0) return 'The journal holds no batch yet.';
  const rows = batches.map((batch) => cellsOf(batch, nowMs));
  const widths = heads.map((head, place) =>
    Math.max(head.length, ...rows.flat().map((cells) => cells[place]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => padded(cell, widths[place] ?? 0, place))
      .join('  ')
      .trimEnd();
  const environments = new Set(batches.map(({ environment }) => environment));
  const standing = (batch: ListedBatch) => {
    const where = environments.size > 1 ? [`at ${batch.environment}`] : [];
    return wrapText(`  ${[standingText(batch), ...where].join('; ')}`, width, 2);
  };
  return [
    ...batches.flatMap(({ name, paidTwice }) => paidTwiceLines(paidTwice, name)),
    ...(environments.size > 1 ? [] : [...environments]),
    line(heads),
    ...batches.flatMap((batch, place) => [
      ...(rows[place] ?? []).map(line),
      standing(batch),
      ...paidYetLines(batch),
    ]),
  ].join('\n');
}

/** Money stands to the right. */
function padded(cell: string, width: number, place: number): string {
  return place >= 3 ? cell.padStart(width) : cell.padEnd(width);
}

/** A line for each currency; what is of the whole batch stands in the first. */
function cellsOf(batch: ListedBatch, nowMs: number): string[][] {
  const { name, createdMs, oldestPendingMs } = batch;
  const pending = oldestPendingMs === null ? '' : ageText(nowMs - oldestPendingMs);
  const first = [name, `${ageText(nowMs - createdMs)} ago`, pending];
  const money = [...moneyOf(batch)].map(([currency, { paidMinor, wholeMinor }]) => [
    formatMoney(paidMinor, currency),
    formatMoney(wholeMinor, currency),
  ]);
  if (money.length === 0) return [first];
  return money.map((cells, index) => [...(index === 0 ? first : ['', '', '']), ...cells]);
}

function standingText(batch: ListedBatch): string {
  const counts = new Map<RowStatus, number>();
  for (const { status, count } of sharesOf(batch)) counts.set(status, (counts.get(status) ?? 0) + count);
  const invalid = batch.invalidRows - batch.invalidGone;
  if (invalid > 0) counts.set('invalid', invalid);
  const [only] = counts.keys();
  if (counts.size === 1 && only === 'paid') return `all ${grouped(counts.get('paid') ?? 0)} paid`;
  return [...counts].map(([status, count]) => `${grouped(count)} ${status.replace('_', ' ')}`).join(', ');
}

interface Money {
  readonly paidMinor: bigint;
  readonly wholeMinor: bigint;
}

/** By currency: what is paid, of what is to be paid. What was cancelled is not. */
function moneyOf({ payouts }: ListedBatch): Map<string, Money> {
  const sums = new Map<string, Money>();
  for (const { state, currency, amountMinor, wholeMinor } of payouts) {
    const known = sums.get(currency) ?? { paidMinor: 0n, wholeMinor: 0n };
    sums.set(currency, {
      paidMinor: known.paidMinor + (state === 'paid' ? amountMinor : 0n),
      wholeMinor: known.wholeMinor + (state === 'cancelled' ? 0n : wholeMinor),
    });
  }
  return sums;
}

/** What a monitor is told: the batches that count, and why. */
export function batchCheckReport(batches: readonly ListedBatch[], nowMs: number): string {
  const counting = batches.filter(({ exit }) => exit !== 0);
  const all = batches.length === 1 ? 'the one batch is' : `all ${grouped(batches.length)} batches are`;
  if (counting.length === 0)
    return `OK: ${batches.length === 0 ? 'there is no batch' : `${all} in order${notEndedYet(batches)}`}.`;
  return counting
    .map((batch) => {
      const { name, exit, overdue, oldestPendingMs, doubted } = batch;
      const age = oldestPendingMs === null ? '' : `, the oldest sent ${ageText(nowMs - oldestPendingMs)} ago`;
      const open = overdue > 0 ? `: ${grouped(overdue)} not ended${age}` : '';
      const doubt =
        doubted > 0 ? `; of ${grouped(doubted)} paid the service has said something else since` : '';
      return `${exit}  batch ${name}${open}: ${standingText(batch)}${doubt}`;
    })
    .join('\n');
}

const openStatuses: ReadonlySet<RowStatus> = new Set(['not_sent', 'pending', 'unknown']);

/** What does not count yet is said all the same. */
function notEndedYet(batches: readonly ListedBatch[]): string {
  const open = batches
    .flatMap(sharesOf)
    .reduce((sum, { status, count }) => sum + (openStatuses.has(status) ? count : 0), 0);
  const ones = open === 1 ? 'payout has not ended and is not' : 'payouts have not ended and are not';
  return open === 0 ? '' : `; ${grouped(open)} ${ones} overdue yet`;
}

export function batchListDocument(batches: readonly ListedBatch[], nowMs: number): Record<string, unknown> {
  return {
    kind: 'batches',
    at: isoTime(nowMs),
    batches: batches.map((batch) => {
      const statuses: Record<string, number> = {};
      const amounts: Record<string, Record<string, string>> = {};
      for (const { status, currency, count, amountMinor } of sharesOf(batch)) {
        statuses[status] = (statuses[status] ?? 0) + count;
        amounts[currency] = { ...amounts[currency], [status]: decimalOf(amountMinor, currency) };
      }
      if (batch.invalidRows > 0) statuses['invalid'] = batch.invalidRows;
      const money = [...moneyOf(batch)].map(([currency, { paidMinor, wholeMinor }]) => [
        currency,
        { paid: decimalOf(paidMinor, currency), of: decimalOf(wholeMinor, currency) },
      ]);
      const watched = batch.watched > 0 ? { watched: batch.watched } : {};
      const doubted = batch.doubted > 0 ? { doubted: batch.doubted } : {};
      const twice = batch.paidTwice.length > 0 ? { paidTwice: paidTwiceDocument(batch.paidTwice) } : {};
      return {
        batch: batch.name,
        environment: batch.environment,
        exit: batch.exit,
        ...timesDocument({ ...batch, begunMs: batch.createdMs }),
        statuses,
        amounts,
        money: Object.fromEntries(money),
        ...(batch.invalidGone > 0 ? { invalidGone: batch.invalidGone } : {}),
        ...watched,
        ...doubted,
        ...twice,
      };
    }),
  };
}

/** When a batch was begun and last sent, and since when its oldest payout is pending. */
export function timesDocument(times: {
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  readonly oldestPendingMs: number | null;
}) {
  const time = (atMs: number | null) => (atMs === null ? null : isoTime(atMs));
  return {
    begunAt: isoTime(times.begunMs),
    lastSendAt: time(times.lastSendMs),
    oldestPendingAt: time(times.oldestPendingMs),
  };
}

interface Share
  extends Omit<ListedBatch['payouts'][number], 'state' | 'everSent' | 'wholeMinor' | 'doubted'> {
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

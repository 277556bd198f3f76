import type { RowStatus } from '../domain/payout/payout-state.ts';
import { dayText } from '../domain/text/day-text.ts';
import { grouped } from '../domain/text/grouped.ts';
import { exitCode } from '../errors.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import { moneyLines } from './money-lines.ts';
import { paidTwiceLines } from './paid-twice-lines.ts';
import { watchedLines } from './watched-lines.ts';

/** Commands to go on with, as they can be copied into a shell. */
export interface NextCommands {
  readonly resume: string;
  readonly status: string;
  readonly runRetry: (path: string) => string;
}

const words: readonly [RowStatus, one: string, many: string][] = [
  ['paid', 'paid', 'paid'],
  [
    'pending',
    'on its way: the service has it and has not said how it ended',
    'on their way: the service has them and has not said how they ended',
  ],
  [
    'unknown',
    'unknown: sent, and the service has not shown what became of it',
    'unknown: sent, and the service has not shown what became of them',
  ],
  ['not_sent', 'not sent yet', 'not sent yet'],
  ['held', 'held: it waits for your decision', 'held: they wait for your decision'],
  ['failed', 'failed: the service could not pay it', 'failed: the service could not pay them'],
  ['refused', 'refused by the service', 'refused by the service'],
  ['returned', 'paid, and returned', 'paid, and returned'],
  ['cancelled', 'cancelled', 'cancelled'],
  ['invalid', 'invalid row that was not paid', 'invalid rows that were not paid'],
];

/** The end of a run as a payroll officer reads it: how many, how much, what to do next. */
export function runReport(summary: RunSummary, commands: NextCommands): string {
  const counts = words
    .map(([status, one, many]) => ({ count: summary.statuses[status], one, many }))
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => `  ${grouped(count).padStart(7)}  ${count === 1 ? one : many}`);
  return [
    ...paidTwiceLines(summary.paidTwice),
    nothingPaid(summary) ?? `Batch ${summary.batch}`,
    ...counts,
    ...watchedLines(summary.watched),
    ...moneyLines(summary.totals, 'now and before'),
    `Results: ${summary.resultsPath}`,
    `Journal: event ${summary.chainEnd.seq}, ${summary.chainEnd.hash.slice(0, 12)}`,
    ...(summary.retryPath === undefined
      ? []
      : [`To fix: ${summary.retryPath}`, `Then: ${commands.runRetry(summary.retryPath)}`]),
    ...(summary.stopped ? [`Stopped: ${summary.stopped.message}`] : []),
    ...next(summary, commands),
  ].join('\n');
}

/** Said first, and even by a quiet run: who runs a file again must not take what was paid before for paid now. */
export function nothingPaid(summary: RunSummary): string | undefined {
  const { batch, sends, statuses, totals, paidBefore, timeZone } = summary;
  const paidNow = Object.values(totals).some(({ paidNowMinor }) => paidNowMinor > 0n);
  if (sends > 0 || paidNow) return undefined;
  if (!paidBefore) return `Batch ${batch}: nothing was paid`;
  const [first, last] = [dayText(paidBefore.firstMs, timeZone), dayText(paidBefore.lastMs, timeZone)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const rows = Object.values(statuses).reduce((sum, count) => sum + count, 0) - statuses.cancelled;
  const which =
    rows === 1 ? 'its one payment' : statuses.paid === rows ? `all ${rows}` : `${statuses.paid} of ${rows}`;
  return `Batch ${batch}: nothing was paid: ${which} ${statuses.paid === 1 ? 'was' : 'were'} paid ${when}`;
}

function next({ statuses, watched, stopped }: RunSummary, commands: NextCommands): string[] {
  const open = statuses.pending + statuses.unknown + statuses.not_sent + watched;
  const lines: string[] = [];
  // What was refused is refused again until a person allows more.
  const isRefused = stopped?.exit === exitCode.guardRefused;
  if ((open > 0 || stopped) && !isRefused) lines.push(`Next: ${commands.resume}`);
  if (statuses.held > 0) {
    lines.push(`Held ones, with the reason for each: ${commands.status}`);
  }
  return lines;
}

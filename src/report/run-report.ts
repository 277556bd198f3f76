import type { RowStatus } from '../domain/payout-state.ts';
import { showMoney } from '../domain/show-money.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';

/** Commands to go on with, as they can be copied into a shell. */
export interface NextCommands {
  readonly resume: string;
  readonly status: string;
  readonly runRetry: (path: string) => string;
}

const words: readonly [RowStatus, string][] = [
  ['paid', 'paid'],
  ['pending', 'on their way: the service has them and has not said how they ended'],
  ['unknown', 'unknown: sent, and the service has not shown what became of them'],
  ['not_sent', 'not sent yet'],
  ['held', 'held: they wait for your decision'],
  ['failed', 'failed: the service could not pay them'],
  ['refused', 'refused by the service'],
  ['returned', 'paid, and returned'],
  ['cancelled', 'cancelled'],
  ['invalid', 'invalid rows that were not paid'],
];

/** The end of a run as a payroll officer reads it: how many, how much, what to do next. */
export function runReport(summary: RunSummary, commands: NextCommands): string {
  const counts = words
    .filter(([status]) => summary.statuses[status] > 0)
    .map(([status, says]) => `  ${String(summary.statuses[status]).padStart(7)}  ${says}`);
  const money = Object.entries(summary.totals).map(
    ([currency, { paidNowMinor, paidBeforeMinor, leftMinor }]) => {
      const before = paidBeforeMinor > 0n ? `, paid before ${showMoney(paidBeforeMinor, currency)}` : '';
      const rest = leftMinor > 0n ? `, not paid ${showMoney(leftMinor, currency)}` : '';
      return `  paid now ${showMoney(paidNowMinor, currency)}${before}${rest}`;
    },
  );
  return [
    ...summary.paidTwice,
    nothingPaid(summary) ?? `Batch ${summary.batch}`,
    ...counts,
    ...money,
    `Results: ${summary.resultsPath}`,
    `Journal: event ${summary.chainEnd.seq}, ${summary.chainEnd.hash.slice(0, 12)}`,
    ...(summary.retryPath === undefined
      ? []
      : [`To mend: ${summary.retryPath}`, `Then: ${commands.runRetry(summary.retryPath)}`]),
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
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' });
  const [first, last] = [day.format(paidBefore.firstMs), day.format(paidBefore.lastMs)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const rows = Object.values(statuses).reduce((sum, count) => sum + count, 0) - statuses.cancelled;
  const which = statuses.paid === rows ? `all ${rows}` : `${statuses.paid} of ${rows}`;
  return `Batch ${batch}: nothing was paid: ${which} were paid ${when}`;
}

function next({ statuses, stopped }: RunSummary, commands: NextCommands): string[] {
  const open = statuses.pending + statuses.unknown + statuses.not_sent;
  const lines: string[] = [];
  if (open > 0 || stopped) lines.push(`Next: ${commands.resume}`);
  if (statuses.held > 0) {
    lines.push(`Held ones, with the reason for each: ${commands.status}`);
  }
  return lines;
}

import type { RowStatus } from '../domain/payout-state.ts';
import { shellWord } from '../domain/shell-word.ts';
import { showMoney } from '../domain/show-money.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';

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
export function runReport(summary: RunSummary): string {
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
    `Batch ${summary.batch}`,
    ...counts,
    ...money,
    `Results: ${summary.resultsPath}`,
    ...(summary.retryPath === undefined
      ? []
      : [`To mend: ${summary.retryPath}`, `Then: payrun run ${shellWord(summary.retryPath)}`]),
    ...(summary.stopped ? [`Stopped: ${summary.stopped.message}`] : []),
    ...next(summary),
  ].join('\n');
}

function next({ batch, statuses, stopped }: RunSummary): string[] {
  const open = statuses.pending + statuses.unknown + statuses.not_sent;
  const lines: string[] = [];
  if (open > 0 || stopped) lines.push(`Next: payrun resume ${shellWord(batch)}`);
  if (statuses.held > 0) {
    lines.push(
      `Held ones, once you have looked at them: payrun release ${shellWord(batch)} --payment ID --reason "…"`,
    );
  }
  return lines;
}

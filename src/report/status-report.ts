import type { Payout } from '../domain/payout.ts';
import { maskNumber, showMoney } from '../domain/show-money.ts';
import type { HeldGroup } from '../journal/status-questions.ts';
import { counted } from './counted.ts';
import type { StatusFacts } from './status-document.ts';

export interface StatusReport extends StatusFacts {
  readonly begunMs: number;
  readonly lastSendMs: number | null;
  readonly timeZone: string;
  readonly held: readonly HeldGroup[];
  readonly unclear: readonly Payout[];
  /** The command about this batch, with so many more words. */
  readonly command: (name: string, ...more: readonly string[]) => string;
}

/** A batch as the person in charge of it wants to see it: what is done, what waits for whom, and how to go on. */
export function statusReport(report: StatusReport): string {
  const parts = [
    headPart(report),
    countsPart(report),
    heldPart(report),
    unclearPart(report),
    nextPart(report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function headPart({ batch, begunMs, lastSendMs, timeZone }: StatusReport): string {
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' });
  const sent = lastSendMs === null ? 'nothing sent yet' : `last sent on ${day.format(lastSendMs)}`;
  return `Batch ${batch}, begun on ${day.format(begunMs)}, ${sent}.`;
}

function countsPart({ statuses, totals }: StatusReport): string {
  const counts = Object.entries(statuses)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `  ${status.padEnd(10)}${count.toLocaleString('en').padStart(9)}`);
  const sums = Object.entries(totals).map(
    ([currency, { fileMinor, paidNowMinor, paidBeforeMinor, leftMinor }]) =>
      `  ${showMoney(fileMinor, currency)} in the file, ${showMoney(paidNowMinor + paidBeforeMinor, currency)} paid, ${showMoney(leftMinor, currency)} left`,
  );
  return [...counts, ...sums].join('\n');
}

function heldPart({ held, command }: StatusReport): string {
  const lines = held.flatMap((group) => {
    const { hold, verdict, count, first } = group;
    const bulk =
      hold === 'name' && first.some(({ resolvedName }) => verdict !== 'mismatch' || resolvedName !== '');
    const which = bulk ? ['--verdict', verdict] : ['--payment', first[0]?.key ?? ''];
    return [
      `  ${counted(count, 'payout')} held for ${hold === 'name' ? `the name (${verdict})` : holdWords[hold]}:`,
      ...first.map((payout) => `    ${showPayout(payout)}`),
      ...(count > first.length ? [`    and ${count - first.length} more`] : []),
      `    if they are right: ${command('release', ...which, '--reason', 'why')}`,
    ];
  });
  return lines.length === 0 ? '' : ['Waiting for a person:', ...lines].join('\n');
}

const holdWords: Record<Exclude<HeldGroup['hold'], 'name'>, string> = {
  limit: 'the limit',
  payee: 'the external account',
  file: 'their rows, which are no longer in the file',
  repeat: 'a payment that may be the same',
  '': 'a person',
};

function unclearPart({ unclear, statuses, command }: StatusReport): string {
  const [first] = unclear;
  if (!first) return '';
  const more = statuses.unknown - unclear.length;
  return [
    'Sent, and nobody knows whether they were paid. Ask the service or the payee, then decide:',
    ...unclear.map((payout) => `  ${showPayout(payout)}, reference ${payout.reference}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  it was paid: ${command('decide', '--payment', first.key, '--paid', 'TRANSACTION', '--reason', 'why')}`,
    `  it was not:  ${command('decide', '--payment', first.key, '--not-paid', '--reason', 'why')}`,
  ].join('\n');
}

function nextPart({ statuses, resultsPath, retryPath, command }: StatusReport): string {
  const unfinished = statuses.not_sent + statuses.pending + statuses.unknown;
  const failed = statuses.failed + statuses.refused;
  return [
    resultsPath === undefined ? '' : `Results: ${resultsPath}`,
    retryPath === undefined ? '' : `Rows to mend: ${retryPath}`,
    unfinished > 0 ? `Next: ${command('resume')}` : '',
    unfinished === 0 && failed > 0 ? `To try those that failed again: ${command('retry')}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function showPayout(payout: Payout): string {
  const { key, accountName, number, amountMinor, currency, reason, hold, resolvedName } = payout;
  const why = reason === '' ? '' : `: ${reason}`;
  // Both names side by side: that is what the person is asked about.
  const called = hold === 'name' && resolvedName !== '' ? `; the service says ${resolvedName}` : '';
  return `${key}, ${accountName} ${maskNumber(number)}, ${showMoney(amountMinor, currency)}${why}${called}`;
}

import { formatMoney, maskNumber } from '../domain/money/format-money.ts';
import { isMissingAccount } from '../domain/payout/missing-account.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { reasonText } from '../domain/payout/reasons.ts';
import { counted } from '../domain/text/counted.ts';
import { dayText } from '../domain/text/day-text.ts';
import { grouped } from '../domain/text/grouped.ts';
import type { HeldGroup } from '../journal/payouts/status-queries.ts';
import { moneyLines } from './money-lines.ts';
import { paidTwiceLines } from './paid-twice-lines.ts';
import { paidYetLines } from './paid-yet-lines.ts';
import { rateOf, type StatusFacts } from './status-document.ts';

export interface StatusReport extends StatusFacts {
  readonly timeZone: string;
  readonly held: readonly HeldGroup[];
  readonly unclear: readonly Payout[];
  readonly doubts: readonly Payout[];
  /** The command about this batch, with so many more words. */
  readonly command: (name: string, ...more: readonly string[]) => string;
  /** The command that runs a file against the same journal. */
  readonly runFile: (path: string) => string;
}

/** A batch as the person in charge of it wants to see it: what is done, what waits for whom, and how to go on. */
export function statusReport(report: StatusReport): string {
  const parts = [
    paidTwiceLines(report.paidTwice).join('\n'),
    headPart(report),
    countsPart(report),
    workPart(report),
    heldPart(report),
    unclearPart(report),
    doubtPart(report),
    nextPart(report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function headPart({ batch, begunMs, lastSendMs, timeZone }: StatusReport): string {
  const sent = lastSendMs === null ? 'nothing sent yet' : `last sent on ${dayText(lastSendMs, timeZone)}`;
  return `Batch ${batch}, begun on ${dayText(begunMs, timeZone)}, ${sent}.`;
}

function countsPart({ statuses, totals, invalidGone, watched, doubted }: StatusReport): string {
  return [
    ...moneyLines({ statuses, totals, invalidGone }, 'before'),
    ...paidYetLines({ watched, doubted }),
  ].join('\n');
}

function workPart({ work }: StatusReport): string {
  if (!work) return '';
  const { chunks, stopped, workers, pausedForMs } = work;
  if (stopped)
    return `Workers gave it back: ${stopped.message}\nTo hand it over to them again, run its file with --workers.`;
  if (chunks.toDo === 0) return `Workers have nothing left to do of it (${counted(chunks.all, 'chunk')}).`;
  const head = `Left to workers: ${chunks.toDo} of ${counted(chunks.all, 'chunk')} to do.`;
  const paused =
    pausedForMs > 0 ? [`  The service asked for a pause: ${Math.ceil(pausedForMs / 1000)} s more.`] : [];
  if (workers.length === 0)
    return [head, '  No worker is there. Start one with: payrun worker', ...paused].join('\n');
  const lines = workers.map(
    ({ name, doing, seenMsAgo }) => `  ${name}: ${doing}, seen ${Math.round(seenMsAgo / 1000)} s ago`,
  );
  const rate = rateOf(workers);
  const pace =
    rate === undefined
      ? 'No rate was set for all of them.'
      : `Together they make at most ${rate} calls a second.`;
  return [head, ...lines, `  ${pace}`, ...paused].join('\n');
}

function heldPart(report: StatusReport): string {
  const lines = report.held.flatMap((group) => {
    const { hold, count, first } = group;
    return [
      `  ${counted(count, 'payout')} held for ${hold === 'name' ? nameWords(group) : holdWords(count)[hold]}:`,
      ...first.map((payout) => `    ${showPayout(payout)}`),
      ...(count > first.length ? [`    and ${grouped(count - first.length)} more`] : []),
      ...waysOn(group, report).map((line) => `    ${line}`),
    ];
  });
  return lines.length === 0 ? '' : ['Waiting for a person:', ...lines].join('\n');
}

function nameWords(group: HeldGroup): string {
  return isOfMissingAccounts(group) ? 'an account that does not exist' : `the name (${group.verdict})`;
}

function holdWords(count: number): Record<Exclude<HeldGroup['hold'], 'name'>, string> {
  return {
    limit: 'the limit',
    payee: 'the external account',
    file:
      count === 1 ? 'its row, which is no longer in the file' : 'their rows, which are no longer in the file',
    repeat: 'a payment that may be the same',
    '': 'a person',
  };
}

/** Only what will not be refused is proposed. */
function waysOn(group: HeldGroup, { command, runFile, retryPath }: StatusReport): string[] {
  const named = ['--payment', ...group.first.map(idOf)];
  if (isOfMissingAccounts(group)) {
    const mend =
      retryPath === undefined
        ? 'correct the number in the file and run it again'
        : `correct the number in ${retryPath}, then: ${runFile(retryPath)}`;
    return [mend, `or drop ${them(group)}: ${command('cancel', ...named, '--reason', 'why')}`];
  }
  // Whoever lets all names pass that do not match has looked at none of them.
  const which = group.hold === 'name' && group.verdict !== 'mismatch' ? ['--verdict', group.verdict] : named;
  const right = group.count === 1 ? 'if it is right' : 'if they are right';
  return [`${right}: ${command('release', ...which, '--reason', 'why')}`];
}

function isOfMissingAccounts({ hold, first }: HeldGroup): boolean {
  return hold === 'name' && first.every(isMissingAccount);
}

function them({ count, first }: HeldGroup): string {
  if (count === 1) return 'it';
  return count > first.length ? 'these' : 'them';
}

function unclearPart({ unclear, statuses, command }: StatusReport): string {
  const [first] = unclear;
  if (!first) return '';
  const more = statuses.unknown - unclear.length;
  return [
    `Sent, and nobody knows whether ${statuses.unknown === 1 ? 'it was' : 'they were'} paid. Ask the service or the payee, then decide:`,
    ...unclear.map((payout) => `  ${showPayout(payout)}, reference ${payout.reference}`),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    `  it was paid: ${command('decide', '--payment', idOf(first), '--paid', 'TRANSACTION', '--reason', 'why')}`,
    `  it was not:  ${command('decide', '--payment', idOf(first), '--not-paid', '--reason', 'why')}`,
  ].join('\n');
}

function doubtPart({ doubts, doubted, command }: StatusReport): string {
  const [first] = doubts;
  if (!first) return '';
  const more = doubted - doubts.length;
  return [
    'Paid, and the service has said something else since. Ask the service or the payee:',
    ...doubts.map((payout) => `  ${showPayout(payout)}`),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    `  it is paid: ${command('decide', '--payment', idOf(first), '--still-paid', '--reason', 'why')}`,
  ].join('\n');
}

function nextPart(report: StatusReport): string {
  const { statuses, watched, resultsPath, retryPath, command, runFile, work } = report;
  const isWithWorkers = work !== undefined && work.stopped === undefined;
  const unfinished = statuses.not_sent + statuses.pending + statuses.unknown + watched;
  const failed = statuses.failed + statuses.refused;
  return [
    resultsPath === undefined || (isWithWorkers && unfinished > 0) ? '' : `Results: ${resultsPath}`,
    isWithWorkers && unfinished === 0
      ? `${resultsPath === undefined ? 'Its results are written by' : 'What workers did since they were written is added by'}: ${command('results')}`
      : '',
    retryPath === undefined ? '' : `Rows to fix: ${retryPath}, then:\n  ${runFile(retryPath)}`,
    unfinished > 0 && !isWithWorkers ? `Next: ${command('resume')}` : '',
    unfinished > 0 && isWithWorkers
      ? `Next: wait for the workers, or take it from them and carry on here: ${command('resume')}`
      : '',
    unfinished === 0 && failed > 0 ? `To try those that failed again: ${command('retry')}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** What a command takes for the payment. Where it goes by its payee, the reference: a number is not shown whole. */
function idOf({ key, payee, reference }: Payout): string {
  return key === payee ? reference : key;
}

function showPayout(payout: Payout): string {
  const { key, accountName, number, amountMinor, currency, code, hold, resolvedName } = payout;
  const why = code === '' ? '' : `: ${reasonText(payout)}`;
  // Both names side by side: that is what the person is asked about.
  const called = hold === 'name' && resolvedName !== '' ? `; the service says ${resolvedName}` : '';
  return `${key}, ${accountName} ${maskNumber(number)}, ${formatMoney(amountMinor, currency)}${why}${called}`;
}

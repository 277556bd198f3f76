import { counted } from '../domain/text/counted.ts';
import { dayText } from '../domain/text/day-text.ts';
import { grouped } from '../domain/text/grouped.ts';
import { exitCode } from '../errors.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import { moneyLines } from './money-lines.ts';
import { paidTwiceLines } from './paid-twice-lines.ts';
import { paidYetLines } from './paid-yet-lines.ts';

/** Commands to go on with, as they can be copied into a shell. */
export interface NextCommands {
  readonly resume: string;
  readonly status: string;
  readonly log: (payment: string) => string;
  readonly runRetry: (path: string) => string;
}

/** The end of a run as a payroll officer reads it: how many, how much, what to do next. */
export function runReport(summary: RunSummary, commands: NextCommands): string {
  const steps = whatToDo(summary, commands);
  return [
    ...paidTwiceLines(summary.paidTwice),
    nothingPaid(summary) ?? `Batch ${summary.batch}`,
    ...moneyLines(summary, 'now and before'),
    ...paidYetLines(summary),
    ...(summary.workers === 'at-it' ? [] : [`Results: ${summary.resultsPath}`]),
    `Journal: event ${summary.chainEnd.seq}, ${summary.chainEnd.hash.slice(0, 12)}`,
    ...(summary.stopped ? [`Stopped: ${summary.stopped.message}`] : []),
    ...(steps.length > 0 ? ['What to do:', ...steps.flatMap(stepLines)] : []),
  ].join('\n');
}

/** Said first, and even by a quiet run: who runs a file again must not take what was paid before for paid now. */
export function nothingPaid(summary: RunSummary): string | undefined {
  const { batch, sends, statuses, totals, invalidGone, paidBefore, timeZone, workers } = summary;
  if (workers === 'at-it') return undefined;
  const paidNow = Object.values(totals).some(({ paidNowMinor }) => paidNowMinor > 0n);
  if (sends > 0 || paidNow) return undefined;
  if (!paidBefore) return `Batch ${batch}: nothing was paid`;
  const [first, last] = [dayText(paidBefore.firstMs, timeZone), dayText(paidBefore.lastMs, timeZone)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const rows = all - statuses.cancelled - invalidGone;
  const which =
    rows === 1
      ? 'its one payment'
      : statuses.paid === rows
        ? `all ${grouped(rows)}`
        : `${grouped(statuses.paid)} of ${grouped(rows)}`;
  return `Batch ${batch}: nothing was paid: ${which} ${statuses.paid === 1 ? 'was' : 'were'} paid ${when}`;
}

interface Step {
  readonly says: string;
  readonly command: string;
}

/** One command a step, and what carries on last: it is of use once the others are done. */
function whatToDo(summary: RunSummary, commands: NextCommands): Step[] {
  const { statuses, watched, stopped, retryPath, rowsToFix, workers } = summary;
  const steps: Step[] = [];
  const [twice] = summary.paidTwice;
  if (twice) {
    const says = 'Ask for the money back that was paid a second time. Every send of that payment:';
    steps.push({ says, command: commands.log(twice.key) });
  }
  if (statuses.held > 0) {
    const wait = statuses.held === 1 ? 'payout waits' : 'payouts wait';
    const says = `${grouped(statuses.held)} ${wait} for your decision. See why, and what to do about each:`;
    steps.push({ says, command: commands.status });
  }
  if (retryPath !== undefined) {
    const says =
      rowsToFix === 1
        ? `Correct the one row in ${retryPath}, if it can be corrected, then:`
        : `Correct what can be corrected of ${counted(rowsToFix, 'row')} in ${retryPath}, then:`;
    steps.push({ says, command: commands.runRetry(retryPath) });
  }
  const open = statuses.pending + statuses.unknown + statuses.not_sent + watched;
  // What was refused is refused again until a person allows more.
  const isRefused = stopped?.exit === exitCode.guardRefused;
  const says =
    workers === 'back'
      ? 'Carry on from here; the same command as before hands it over to workers again:'
      : 'Carry on:';
  if ((open > 0 || stopped) && !isRefused && workers !== 'at-it')
    steps.push({ says, command: commands.resume });
  return steps;
}

function stepLines({ says, command }: Step, place: number): string[] {
  return [`  ${place + 1}. ${says}`, `     ${command}`];
}

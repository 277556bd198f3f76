import type { Payout } from '../domain/payout/payout.ts';
import { counted } from '../domain/text/counted.ts';
import { oneLine } from '../domain/text/one-line.ts';
import { timeTextIn } from '../domain/text/time-text.ts';
import type { BatchLog, LoggedEvent, LoggedRun } from '../journal/batch-log.ts';
import type { ChainEnd } from '../journal/event-chain.ts';
import { eventText, type LogEntry, paymentEntries, sendTexts } from './log-entries.ts';
import { wrapText } from './wrap-text.ts';

/** What the journal knows of who did what to a batch, or to one payment of it. It is read as it is gone through. */
export interface LogOfBatch {
  readonly batch: string;
  /** By which events name the batch. */
  readonly batchNumber: number;
  readonly environment: string;
  readonly timeZone: string;
  readonly chainEnd: ChainEnd;
  /** The one that was asked for. */
  readonly payout: Payout | undefined;
  readonly log: BatchLog;
}

/** How the log is laid out. */
export interface LogLayout {
  /** Columns of the terminal; undefined where there is none, and nothing is wrapped. */
  readonly width: number | undefined;
  /** Each move of each payout, and not only what people did. */
  readonly isWhole: boolean;
}

/** Who did what, when and why, a line each, piece by piece. */
export function* logReport(asked: LogOfBatch, { width, isWhole }: LogLayout): Generator<string> {
  const { batch, payout, chainEnd, timeZone } = asked;
  const whose = payout ? `Batch ${batch}, payment ${payout.key}, ${payout.state}` : `Batch ${batch}`;
  yield `${whose}. Times are of ${timeZone}.\n`;
  const line = lineIn(timeZone, width);
  for (const entry of entriesOf(asked, isWhole)) yield `${line(entry)}\n`;
  yield `The chain ends with event ${chainEnd.seq}, ${chainEnd.hash.slice(0, 12)}: payrun audit checks it.\n`;
  if (!payout && !isWhole) yield 'Each move of one payout: --payment ID; of all: --all.\n';
}

function entriesOf({ payout, log }: LogOfBatch, isWhole: boolean): Iterable<LogEntry> {
  if (payout) return paymentEntries(log.eventsOfPayout(payout.id), log.sendsOfPayout(payout.id));
  return isWhole ? wholeEntries(log) : peopleEntries(log);
}

function* wholeEntries(log: BatchLog): Generator<LogEntry> {
  for (const event of log.events()) yield { ...event, event: event.seq, text: eventText(event, true) };
  for (const send of log.sends()) for (const entry of sendTexts(send, true)) yield entry;
}

const paymentsNamed = 5;

/** A decision about many payouts is one line; so is a run, where it began. */
function* peopleEntries(log: BatchLog): Generator<LogEntry> {
  const runs = runEntries(log.runs());
  let group: DecisionGroup | undefined;
  const flush = (): LogEntry[] => (group ? [groupEntry(group)] : []);
  for (const event of log.eventsOfPeople()) {
    if (group && isSame(group.first, event)) {
      group.count += 1;
      if (group.payments.length < paymentsNamed) group.payments.push(event.payment ?? '');
      continue;
    }
    yield* flush();
    while (runs[0] && (runs[0].event ?? 0) < event.seq) yield* runs.splice(0, 1);
    group = { first: event, count: 1, payments: event.payment === null ? [] : [event.payment] };
  }
  yield* flush();
  yield* runs;
}

interface DecisionGroup {
  readonly first: LoggedEvent;
  readonly payments: string[];
  count: number;
}

function isSame(one: LoggedEvent, other: LoggedEvent): boolean {
  if (one.payment === null || other.payment === null) return false;
  return one.run === other.run && one.to === other.to && one.from === other.from && one.why === other.why;
}

function groupEntry({ first, count, payments }: DecisionGroup): LogEntry {
  const entry = { ...first, event: first.seq };
  if (first.payment === null) return { ...entry, text: eventText(first, false) };
  const more = count > payments.length ? ` and ${counted(count - payments.length, 'more payout')}` : '';
  const which = `${count === 1 ? 'payment' : 'payments'} ${payments.join(', ')}${more}`;
  return { ...entry, text: `${which}: ${first.from} to ${first.to}: ${first.why}` };
}

/** One line for all that a run did: its first move stands for its beginning. */
function runEntries(moved: readonly LoggedRun[]): LogEntry[] {
  const byRun = new Map<string, LoggedRun[]>();
  for (const each of moved) byRun.set(each.run, [...(byRun.get(each.run) ?? []), each]);
  return [...byRun.values()].flatMap((moves) => {
    const [first] = moves;
    if (!first) return [];
    const untilMs = Math.max(...moves.map((each) => each.lastMs));
    const counts = moves.map(({ to, count }) => `${count} to ${to}`).join(', ');
    const text = `run ${first.run.slice(0, 8)} moved payouts: ${counts}`;
    return [{ event: first.firstEvent, atMs: first.firstMs, untilMs, operator: first.operator, text }];
  });
}

/** Wide enough, one line; else what happened stands below who and when. */
const wide = 110;

function lineIn(timeZone: string, width: number | undefined): (entry: LogEntry) => string {
  const timeText = timeTextIn(timeZone);
  return ({ event, atMs, untilMs, operator: who, text: what }) => {
    const operator = oneLine(who);
    const text = oneLine(untilMs === undefined ? what : `${what}, until ${timeText(untilMs)}`);
    const head = `${(event === undefined ? '' : `#${event}`).padStart(8)}  ${timeText(atMs)}  ${operator.padEnd(10)}`;
    if (width === undefined) return `${head}  ${text}`.trimEnd();
    if (width >= wide) return wrapText(`${head}  ${text}`, width, head.length + 2);
    return `${head.trimEnd()}\n${wrapText(`${' '.repeat(10)}${text}`, width, 10)}`;
  };
}

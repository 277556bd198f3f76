import type { ApprovalPolicy } from '../domain/approval/approval-policy.ts';
import { environmentFromKey, environmentText } from '../domain/environment/environment.ts';
import { counted } from '../domain/text/counted.ts';
import { approvalEvents } from '../journal/approval-log.ts';
import type { LoggedEvent, LoggedSend } from '../journal/batch-log.ts';

/** One line of the log. */
export interface LogEntry {
  /** Its number in the chain; undefined for a send, which is journaled beside the chain. */
  readonly event: number | undefined;
  readonly atMs: number;
  /** Of a whole run: when it moved a payout for the last time. */
  readonly untilMs?: number;
  readonly operator: string;
  readonly text: string;
}

/** What happened, for people. What a later version writes about a batch is said in its own words. */
export function eventText({ payment, from, to, why }: LoggedEvent, namesPayment: boolean): string {
  if (payment !== null) return `${namesPayment ? `payment ${payment}: ` : ''}${from} to ${to}: ${why}`;
  if (from === '') return `batch begun: ${why}`;
  if (to === approvalEvents.policy) return policyText(why);
  if (!from.startsWith('[')) return why;
  const [was, is] = [from, to].map((key) => environmentText(environmentFromKey(key)));
  return `${why}; before: ${was}; now: ${is}`;
}

/** From now on so many of these have to approve a plan. */
function policyText(why: string): string {
  const policy = JSON.parse(why) as ApprovalPolicy | null;
  if (!policy) return 'plans need no approval any more';
  const names = policy.approvers.map(({ name, key }) => `${name} (${key})`).join(', ');
  return `plans need ${counted(policy.needed, 'approval')}; those who may approve: ${names}`;
}

/** A send and its end, as two lines: between them nobody knew. */
export function sendTexts(send: LoggedSend, namesPayment: boolean): LogEntry[] {
  const who = namesPayment ? `payment ${send.payment}: ` : '';
  const begun = `${who}sent under reference ${send.reference} (run ${send.run.slice(0, 8)})`;
  const lines = [{ event: undefined, atMs: send.begunMs, operator: '', text: begun }];
  if (send.endedMs === null) return lines;
  return [...lines, { event: undefined, atMs: send.endedMs, operator: '', text: `${who}${endText(send)}` }];
}

function endText({ outcome, code, transactionId, words, errorCode, unseenMs }: LoggedSend): string {
  const said = [words, errorCode === '' ? '' : `(${errorCode})`].filter((each) => each !== '').join(' ');
  return [
    `that send ended: ${outcome} (${code})`,
    transactionId === '' ? '' : `, transaction ${transactionId}`,
    said === '' ? '' : `; the service said: ${said}`,
    unseenMs === 0
      ? ''
      : `; ${Math.round(unseenMs / 1000)} s after its beginning a look-up still did not show it`,
  ].join('');
}

/** One payment's events and sends in order. Events keep their order in the chain, whatever the clock did. */
export function* paymentEntries(
  events: readonly LoggedEvent[],
  sends: readonly LoggedSend[],
): Generator<LogEntry> {
  const points = sends.flatMap((send) => sendTexts(send, false)).sort((one, other) => one.atMs - other.atMs);
  for (const event of events) {
    while (points[0] && isBefore(points[0], event)) yield* points.splice(0, 1);
    yield { ...event, event: event.seq, text: eventText(event, false) };
  }
  yield* points;
}

/** What came to a state because of a send stands behind it, though it has the same time. */
function isBefore({ atMs }: LogEntry, event: LoggedEvent): boolean {
  if (atMs !== event.atMs) return atMs < event.atMs;
  return !beforeSending.has(event.to);
}

const beforeSending: ReadonlySet<string> = new Set(['batch', 'planned', 'ready', 'held', 'submitting']);

import { maskPayees } from '../domain/text/mask-numbers.ts';
import { isoTime } from '../domain/text/time-text.ts';
import type { LoggedEvent, LoggedSend } from '../journal/batch-log.ts';
import type { LogOfBatch } from './log-report.ts';
import { jsonText } from './terminal-text.ts';

/**
 * What `log --json` prints, piece by piece: a log of millions of events must not be held in memory. Events are as they stand
 * in the chain, so that whoever has the document can work out each hash again.
 */
export function* logPieces({
  batch,
  batchNumber,
  environment,
  chainEnd,
  payout,
  log,
}: LogOfBatch): Generator<string> {
  const payment = payout && {
    payment: maskPayees(payout.key),
    reference: payout.reference,
    state: payout.state,
  };
  const journal = { event: chainEnd.seq, hash: chainEnd.hash };
  const head = jsonText({ kind: 'log', batch, batchNumber, environment, journal, ...payment });
  yield `${head.slice(0, -1)},"events":[`;
  yield* listPieces(payout ? log.eventsOfPayout(payout.id) : log.events(), eventDocument);
  yield '],"sends":[';
  yield* listPieces(payout ? log.sendsOfPayout(payout.id) : log.sends(), sendDocument);
  yield ']}\n';
}

function* listPieces<Item>(items: Iterable<Item>, document: (item: Item) => unknown): Generator<string> {
  let separator = '';
  for (const item of items) {
    yield `${separator}${jsonText(document(item))}`;
    separator = ',';
  }
}

function eventDocument({ seq, hash, atMs, payout, payment, run, operator, from, to, why }: LoggedEvent) {
  const about = payment === null ? null : maskPayees(payment);
  return { event: seq, hash, at: isoTime(atMs), atMs, payout, payment: about, run, operator, from, to, why };
}

function sendDocument({ payment, begunMs, endedMs, unseenMs, ...send }: LoggedSend) {
  return {
    ...send,
    payment: maskPayees(payment),
    begun: isoTime(begunMs),
    ended: endedMs === null ? null : isoTime(endedMs),
    unseenMs,
  };
}

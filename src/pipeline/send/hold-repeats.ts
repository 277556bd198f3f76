import { judgeTransaction } from '../../domain/payout/judge-transaction.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { rereadWindowMs } from '../../journal/batch-record.ts';
import type { FailedTwin, RepeatSince } from '../../journal/repeat-queries.ts';
import { eachOf } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';
import { serviceError } from '../run/service-error.ts';

/**
 * A payout may have waited for days since its file was held against all others. One that had failed then, in another batch or by
 * a row that is gone, may have been paid after all: then a person decides, as about any repeat.
 */
export async function holdRepeats(context: RunContext): Promise<void> {
  const { payouts, chunks } = context;
  // Workers carry out what was accepted a moment ago.
  if (chunks !== undefined) return;
  for (const repeat of await payouts.repeatsSince()) await hold(context, repeat);
}

/** Each is a read of its own, before anything is sent. */
const mostRead = 500;

/**
 * So is what the journal still takes for failed: whoever pays somebody in another batch because the first payment has failed
 * must not pay twice where the service has changed its mind since.
 */
export async function holdBesideLateSuccesses(context: RunContext): Promise<void> {
  const { payouts, chunks, clock } = context;
  if (chunks !== undefined) return;
  const twins = await payouts.failedTwins(clock.nowMs() - rereadWindowMs, mostRead);
  const held = new Set<number>();
  await eachOf(context, twins, async (twin) => {
    if (held.has(twin.id) || !(await isFailedNoMore(context, twin)) || held.has(twin.id)) return;
    held.add(twin.id);
    await hold(context, twin);
  });
}

/** What cannot be told is no reason to send: the same command is run again. What the service does not have has moved nothing. */
async function isFailedNoMore({ journal, service }: RunContext, { other }: FailedTwin): Promise<boolean> {
  const twin = await journal.read(other);
  const { transactionId } = twin;
  const read = await service.readTransaction({ params: { transactionId } });
  if (read.kind === 'refused') return false;
  if (read.kind !== 'ok') throw serviceError(read, 'Earlier payments of the same could not be read');
  const judged = judgeTransaction(read.value.data, twin, transactionId);
  return judged.kind !== 'other-reference' && judged.status !== 'failed';
}

async function hold(
  { journal, onEvent }: RunContext,
  { id, otherBatch, otherKey }: RepeatSince,
): Promise<void> {
  const payout = await journal.read(id);
  const because = reason('repeats-since', { payment: otherKey, batch: otherBatch });
  await journal.move({ payout, to: 'held', changes: { hold: 'repeat', ...because } });
  onEvent(movedEvent(payout, 'held', because));
}

import { reason } from '../../domain/payout/reasons.ts';
import type { RunContext } from '../run/run-context.ts';
import { movedEvent } from '../run/run-events.ts';

/**
 * A payout may have waited for days since its file was held against all others. One that had failed then, in another batch or by
 * a row that is gone, may have been paid after all: then a person decides, as about any repeat.
 */
export async function holdRepeats({ payouts, journal, chunks, onEvent }: RunContext): Promise<void> {
  // Workers carry out what was accepted a moment ago.
  if (chunks !== undefined) return;
  for (const { id, otherBatch, otherKey } of await payouts.repeatsSince()) {
    const payout = await journal.read(id);
    const because = reason('repeats-since', { payment: otherKey, batch: otherBatch });
    await journal.move({ payout, to: 'held', changes: { hold: 'repeat', ...because } });
    onEvent(movedEvent(payout, 'held', because));
  }
}

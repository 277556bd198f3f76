import { unfinishedStates } from '../domain/payout/payout-state.ts';
import { takeFromWorkers } from '../journal/chunks.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import type { SharedJournal } from '../journal/shared/shared-of.ts';
import type { RunContext } from './run/run-context.ts';
import { sendingEvent } from './run/run-events.ts';

interface WatchParts {
  readonly db: JournalDatabase;
  readonly shared: SharedJournal;
  readonly journal: Pick<Journal, 'write'>;
  readonly context: Pick<RunContext, 'clock' | 'onEvent' | 'signal' | 'settings' | 'batch'>;
}

const lookEveryMs = 1_000;
/** After this nobody can believe any more that somebody is at it. */
const stillForMs = 60_000;

/**
 * Shows how far workers have come, until nothing is left that they could still send or that may settle in time. An interrupt
 * takes the batch from them: what they have under way they bring to its end.
 */
export async function watchWorkers({ db, shared, journal, context }: WatchParts): Promise<void> {
  const { clock, onEvent, signal, settings, batch } = context;
  const payouts = payoutQueries(db, batch.id);
  const of = payouts.count(unfinishedStates);
  if (of > 0) onEvent(sendingEvent(of, payouts.totals(unfinishedStates)));
  let before = '';
  let movedMs = clock.monotonicMs();
  let isStillTold = false;
  while (!signal.aborted) {
    await shared.catchUp();
    const nowMs = clock.monotonicMs();
    const [unsent, left] = [
      payouts.count(['planned', 'ready', 'submitting']),
      payouts.count(unfinishedStates),
    ];
    onEvent({ kind: 'stage', stage: 'submit', done: of - unsent, of });
    if (unsent === 0 && left > 0) onEvent({ kind: 'stage', stage: 'settle', done: of - left, of });
    if (`${unsent} ${left}` !== before) [before, movedMs, isStillTold] = [`${unsent} ${left}`, nowMs, false];
    const isOver = payouts.count(['submitted']) === 0 || nowMs - movedMs >= settings.settleForMs;
    if (unsent === 0 && isOver) return;
    if (!isStillTold && nowMs - movedMs >= stillForMs) {
      isStillTold = true;
      const message = `Nothing of batch ${batch.name} has moved for a minute. Are there workers? payrun status ${batch.name} tells.`;
      onEvent({ kind: 'notice', message });
    }
    await clock.sleep(lookEveryMs, signal);
  }
  await journal.write(() => takeFromWorkers(db, batch.id));
}

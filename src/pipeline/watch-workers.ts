import { unfinishedStates } from '../domain/payout/payout-state.ts';
import { PayrunError } from '../errors.ts';
import { handedCounts, readTerms, takeFromWorkers } from '../journal/chunks.ts';
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
 * Shows how far workers have come, until nothing is left that they could still send or that may settle in time, or they gave
 * it back: then why. An interrupt takes the batch from them: what they have under way they bring to its end.
 */
export async function watchWorkers(parts: WatchParts): Promise<PayrunError | undefined> {
  const { db, shared, journal, context } = parts;
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
    const { unsent, left } = handedCounts(db, batch.id);
    onEvent({ kind: 'stage', stage: 'submit', done: of - unsent, of });
    if (unsent === 0 && left > 0)
      onEvent({ kind: 'stage', stage: 'settle', done: of - payouts.count(unfinishedStates), of });
    if (`${unsent} ${left}` !== before) [before, movedMs, isStillTold] = [`${unsent} ${left}`, nowMs, false];
    if (unsent === 0 && (left === 0 || nowMs - movedMs >= settings.settleForMs)) return whyStopped(parts);
    if (!isStillTold && nowMs - movedMs >= stillForMs) {
      isStillTold = true;
      const message = `Nothing of batch ${batch.name} has moved for a minute. Are there workers? payrun status ${batch.name} tells.`;
      onEvent({ kind: 'notice', message });
    }
    await clock.sleep(lookEveryMs, signal);
  }
  await journal.write(() => takeFromWorkers(db, batch.id));
  return undefined;
}

function whyStopped({ db, context }: WatchParts): PayrunError | undefined {
  const stopped = readTerms(db, context.batch.id)?.stopped;
  return stopped && new PayrunError(stopped.code, stopped.message, { exit: stopped.exit });
}

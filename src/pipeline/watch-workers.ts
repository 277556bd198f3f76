import { type PayoutState, unfinishedStates } from '../domain/payout/payout-state.ts';
import { PayrunError } from '../errors.ts';
import { handedCounts, readTerms, takeFromWorkers } from '../journal/chunks.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import type { SharedJournal } from '../journal/shared/shared-of.ts';
import type { RunContext } from './run/run-context.ts';
import { amountsOf, type RunEvent, sendingEvent } from './run/run-events.ts';

interface WatchParts {
  readonly db: JournalDatabase;
  readonly shared: SharedJournal;
  readonly journal: Pick<Journal, 'write'>;
  readonly context: Pick<RunContext, 'clock' | 'onEvent' | 'signal' | 'settings' | 'batch'>;
}

const lookEveryMs = 1_000;
/** Of a large batch a look takes its time: the pause after it is so many times as long. */
const pauseOfLook = 20;
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
  const progress = sinceNow(payouts);
  let before = '';
  let movedMs = clock.monotonicMs();
  let isStillTold = false;
  while (!signal.aborted) {
    await shared.catchUp();
    const nowMs = clock.monotonicMs();
    const { unsent, left } = handedCounts(db, batch.id);
    for (const event of progress()) onEvent(event);
    onEvent({ kind: 'stage', stage: 'submit', done: of - unsent, of });
    if (unsent === 0 && left > 0)
      onEvent({ kind: 'stage', stage: 'settle', done: of - payouts.count(unfinishedStates), of });
    if (`${unsent} ${left}` !== before) [before, movedMs, isStillTold] = [`${unsent} ${left}`, nowMs, false];
    if (unsent === 0 && (left === 0 || nowMs - movedMs >= settings.settleForMs)) return whyStopped(parts);
    if (!isStillTold && nowMs - movedMs >= stillForMs) {
      isStillTold = true;
      const message = `Nothing of batch ${batch.name} has moved for a minute. Are there workers? payrun status ${batch.name} tells.`;
      onEvent({ kind: 'notice', message, answers: true });
    }
    const lookedMs = clock.monotonicMs() - nowMs;
    await clock.sleep(Math.max(lookEveryMs, lookedMs * pauseOfLook), signal);
  }
  await journal.write(() => takeFromWorkers(db, batch.id));
  return undefined;
}

const sentStates: readonly PayoutState[] = ['submitted', 'paid', 'failed', 'returned'];
const shownStates: readonly PayoutState[] = [...sentStates, 'unclear', 'held', 'refused'];

/** What has become of payouts from now on, whenever it is asked and has changed. */
function sinceNow({ inStates }: Pick<ReturnType<typeof payoutQueries>, 'inStates'>): () => RunEvent[] {
  const first = inStates().map((each) => ({ ...each, count: -each.count, amountMinor: -each.amountMinor }));
  let told = '';
  return () => {
    const all = [...first, ...inStates()];
    const counts = shownStates.map((state) => {
      const of = all.filter((each) => each.state === state);
      return [state, of.reduce((sum, { count }) => sum + count, 0)] as const;
    });
    const moved = Object.fromEntries(counts.filter(([, count]) => count > 0));
    const sent = amountsOf(all.filter(({ state }) => sentStates.includes(state)));
    const text = JSON.stringify([moved, sent]);
    if (text === told) return [];
    told = text;
    return [{ kind: 'by-workers', moved, sent }];
  };
}

function whyStopped({ db, context }: WatchParts): PayrunError | undefined {
  const stopped = readTerms(db, context.batch.id)?.stopped;
  return stopped && new PayrunError(stopped.code, stopped.message, { exit: stopped.exit });
}

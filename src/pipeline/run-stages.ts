import { isFresh } from '../domain/is-fresh.ts';
import type { Bounds } from '../domain/money/bounds.ts';
import type { Minor } from '../domain/money/money.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { waitingStates } from '../domain/payout/payout-state.ts';
import { isReleased } from '../domain/payout/release-marks.ts';
import { holdsVerdict } from '../domain/policy.ts';
import { counted } from '../domain/text/counted.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { rereadWindowMs } from '../journal/batch-record.ts';
import { compareReady, upsertPayees } from './4-upsert-payees.ts';
import { checkNames } from './5-check-names.ts';
import { submitPayouts } from './6-submit-payouts.ts';
import { settlePayouts } from './7-settle-payouts.ts';
import { checkConfirmedTotal } from './guards/check-confirmed-total.ts';
import { eachPayout } from './run/each-payout.ts';
import { endedByStop } from './run/ended-by-stop.ts';
import type { RunContext } from './run/run-context.ts';
import { holdBesideLateSuccesses, holdRepeats } from './send/hold-repeats.ts';
import { lookForUnknownSends } from './settle/look-for-unknown-sends.ts';
import { recheckListed, recheckSettled } from './settle/recheck-settled.ts';

const mostRounds = 3;
/** After a stop: so many reads in a row without an answer, and the service does not answer those either. */
const mostUntold = 12;

export interface WorkOptions {
  /** Read those paid in the last fourteen days again, for returns. */
  readonly reread: boolean;
  /** What was confirmed: all runs together send no more. */
  readonly bounds: Bounds;
  /** What this run alone is limited to: it may be less than what was confirmed. */
  readonly runLimit?: ReadonlyMap<string, Minor> | undefined;
  /** Others carry out other parts of the batch: what they sent was sent too. */
  readonly isShared?: boolean;
  /** Whether what was sent is left to be settled by whoever comes next. */
  readonly isSettledLater?: () => Promise<boolean>;
}

/**
 * The stages of an accepted batch, in order, and why they stopped early, if they did. A first run and a resume are this
 * same path: each stage takes the payouts that are in its state, whoever left them there.
 */
export async function runStages(context: RunContext, options: WorkOptions): Promise<PayrunError | undefined> {
  try {
    await workThrough(context, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof PayrunError)) throw error;
    // Workers that let go of a batch say why: who comes next is to know it.
    if (!options.isShared && endedByStop(context, error)) return undefined;
    const isSent = context.memory.chunk.sends > 0 || (options.isShared && (await context.payouts.anySent()));
    const stop = isSent ? afterSends(error) : error;
    // Nothing true could be said from a journal that cannot be written, or that stands elsewhere by now.
    if (error.code === 'journal-write-failed' || error.code === 'journal-moved') throw stop;
    return stop;
  } finally {
    for (const list of [context.memory.lists.accounts, context.memory.lists.lastList]) list?.letGo();
    context.memory.lists.accounts = undefined;
    context.memory.lists.lastList = undefined;
  }
}

/** What stops a run before anything left has codes of its own; afterwards it is a stop that can be resumed. */
function afterSends(error: PayrunError): PayrunError {
  const isMild =
    error.exit === exitCode.serviceUnreachable ||
    error.exit === exitCode.credentialsRefused ||
    error.code === 'journal-busy' ||
    error.code === 'journal-moved';
  const exit = isMild ? exitCode.stoppedEarly : error.exit;
  return new PayrunError(error.code, error.messageAfterSends, { exit, cause: error });
}

async function workThrough(context: RunContext, options: WorkOptions): Promise<void> {
  const sinceMs = context.clock.nowMs() - rereadWindowMs;
  let listed = options.reread ? await recheckSettled(context, sinceMs) : undefined;
  /** Once: what only a list has shown to be paid. */
  const readListed = async (untold?: number) => {
    const unread = listed;
    listed = undefined;
    if (unread) await recheckListed(context, unread, untold);
  };
  try {
    await sendAndSettle(context, options, readListed);
  } catch (error) {
    if (error instanceof PayrunError && !cannotBeAsked.has(error.code)) await readListed(mostUntold);
    throw error;
  }
  await readListed();
  if (options.reread) await lookForWhatIsUnknown(context, options, sinceMs);
}

async function lookForWhatIsUnknown(
  context: RunContext,
  options: WorkOptions,
  sinceMs: number,
): Promise<void> {
  const { found, isTold } = await lookForUnknownSends(context, sinceMs);
  if (found > 0 && !(await options.isSettledLater?.())) await settlePayouts(context);
  context.memory.batch.isUntold = !isTold;
  if (isTold) return;
  const message =
    'The service did not say whether it has what is failed, held or cancelled here: the next resume asks again.';
  context.onEvent({ kind: 'notice', message, answers: true });
}

/** Why a run stops where the service could not be read either, or nothing be written of it. */
const cannotBeAsked: ReadonlySet<string> = new Set<PayrunError['code']>([
  'service-down',
  'service-unreachable',
  'journal-write-failed',
  'journal-moved',
  'journal-busy',
]);

async function sendAndSettle(
  context: RunContext,
  options: WorkOptions,
  readListed: () => Promise<void>,
): Promise<void> {
  const { payouts } = context;
  for (let round = 0; round < mostRounds && !context.stopping(); round += 1) {
    await returnToChecks(context);
    await holdRepeats(context);
    if (round === 0) await holdBesideLateSuccesses(context);
    if ((await payouts.count(waitingStates)) === 0) break;
    await checkPayees(context);
    const trouble = round === 0 ? await beyondConfirmed(context, options, readListed) : undefined;
    if (trouble) {
      await settlePayouts(context);
      throw trouble;
    }
    await submitPayouts(context);
  }
  // Before the settling, in which a decision may bring others back.
  const left = await payouts.count(['planned', 'ready']);
  if (!(await options.isSettledLater?.())) await settlePayouts(context);
  if (left > 0 && !context.stopping()) {
    throw new PayrunError(
      'not-all-sent',
      `${counted(left, 'payout')} ${left === 1 ? 'was' : 'were'} not sent: what comes before a send was not answered, or it was too late to send. Run the same command again.`,
    );
  }
}

async function checkPayees(context: RunContext): Promise<void> {
  const written = await upsertPayees(context);
  await checkNames(context, written).finally(() => written.letGo());
  if (written.areOthersReady) await compareReady(context);
}

async function beyondConfirmed(
  context: RunContext,
  { bounds, runLimit }: WorkOptions,
  readListed: () => Promise<void>,
): Promise<PayrunError | undefined> {
  if (!(await checkConfirmedTotal(context, bounds, runLimit))) return undefined;
  // What came back makes room, and the list may not have shown it yet.
  await readListed();
  return checkConfirmedTotal(context, bounds, runLimit);
}

/** A verdict that is too old at sending is made again, and so is one that a stricter policy would not have let pass. */
async function returnToChecks(context: RunContext): Promise<void> {
  const { settings, clock, journal } = context;
  await eachPayout(context, ['ready'], async (payout) => {
    if (!isFresh(payout.resolvedMs ?? 0, clock.nowMs(), settings.namesMaxAgeMs))
      await journal.move({ payout, to: 'planned', why: 'its name was checked too long ago' });
    else if (isDoubtful(context, payout))
      await journal.move({ payout, to: 'planned', why: 'it is held against a stricter policy' });
  });
}

function isDoubtful({ settings }: RunContext, payout: Payout): boolean {
  const { policy } = settings;
  const limit = policy.limitPayout.get(payout.currency);
  if (limit !== undefined && payout.amountMinor > limit && !isReleased(payout, 'limit')) return true;
  return payout.verdict !== '' && holdsVerdict(policy, payout.verdict) && !isReleased(payout, 'name');
}

import { isDoubted, isSameDoubt } from '../../domain/payout/doubted.ts';
import { differingMinor, type Payout } from '../../domain/payout/payout.ts';
import { noReason, type Reason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { isReleased, withoutRelease } from '../../domain/payout/release-marks.ts';
import { watchedText } from '../../domain/payout/result-row.ts';
import type { ShownTransaction } from '../../domain/payout/shown-transaction.ts';
import type { PayoutChanges } from '../../journal/journal.ts';
import { allThatPaid, mayBePaidTwice, paidTwice, watchedBeside } from '../look-up/all-attempts.ts';
import type { LookUp } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';
import { contradictionIn, doubtAbout, identityOf, nameOnce, paidOtherwise } from './final-state.ts';
import { askList, judgedOnce, judgeRead } from './judge-settling.ts';
import { moveLoudly } from './move-loudly.ts';

/** What a list shows of the transaction of a payout; undefined where it was not asked, or did not answer. */
export type AskedRows = (payout: Payout) => Promise<readonly ShownTransaction[] | undefined>;

/** What else is known of it than a single read tells. */
interface Listed {
  readonly askRows: AskedRows;
  /** A page of this run has shown it to be paid. */
  readonly isShownPaid: boolean;
}

/**
 * Reads one that is paid again, beside what a list shows of it. It is returned only where everything says that it failed;
 * whatever else speaks against it proves nothing: it stays paid, and a person hears of it. False where the service does
 * not tell.
 */
export async function rereadPaid(
  context: RunContext,
  payout: Payout,
  { askRows, isShownPaid }: Listed,
): Promise<boolean> {
  const { transactionId } = payout;
  if (transactionId === '') return true;
  const read = await context.service.readTransaction({ params: { transactionId } });
  if (read.kind === 'refused') return stayPaidThoughGone(context, payout, read.cause);
  if (read.kind !== 'ok') return false;
  const shown = read.value.data;
  const alone = await judgedOnce(context, shown, [], payout);
  const isPaid = alone.kind === 'ours' && alone.status === 'successful';
  // A failure has a look-up of its own, and a page may be late to show it.
  const rows = isPaid ? await askRows(payout) : undefined;
  const judged = isPaid ? await judgeRead(context, payout, shown, rows) : alone;
  if (!judged) return false;
  const wrong = contradictionIn(payout, judged);
  if (wrong || judged.kind !== 'ours') await stayInDoubt(context, payout, wrong);
  else if (judged.status === 'pending')
    await stayInDoubt(context, payout, reason('paid-yet-pending', { transaction: transactionId }));
  else if (judged.status === 'failed') await rereadReturned(context, payout, isShownPaid);
  else {
    const paidMinor = differingMinor(payout, judged.shownMinor);
    if (judged.shownMinor !== undefined && paidMinor !== payout.paidMinor)
      await context.journal.note(payout, { paidMinor });
    // What shows nothing of it clears nothing.
    if (rows && (rows.length > 0 || isShownPaid)) await stayPaid(context, payout, undefined);
    await watchOthers(context, payout);
  }
  return true;
}

/** A service that does not answer for anything is not taken at its word about one transaction. */
async function stayPaidThoughGone(context: RunContext, payout: Payout, why: string): Promise<boolean> {
  if (!(await askList(context, payout))) return false;
  await stayInDoubt(context, payout, reason('paid-yet-gone', { transaction: payout.transactionId, why }));
  return true;
}

/** Another one may have paid it meanwhile, and its own still counts. */
async function stayInDoubt(context: RunContext, payout: Payout, because: Reason | undefined): Promise<void> {
  await stayPaid(context, payout, because);
  await watchOthers(context, payout);
}

/** What speaks against it is kept with it and told once a run, unless a person has said that it is paid all the same; without anything, what it was named for is over. */
async function stayPaid(context: RunContext, payout: Payout, because: Reason | undefined): Promise<void> {
  const isSeen = because !== undefined && isSameDoubt(payout, because) && isReleased(payout, 'doubt');
  if (because && !isSeen) nameOnce(context, payout, `paid, but ${reasonText(because)}`);
  else if (!isDoubted(payout)) return;
  const { code, details } = because ?? noReason;
  if (payout.code === code && payout.details === details) return;
  const { journal, batch } = context;
  const released = isSeen ? payout.released : withoutRelease(payout, 'doubt');
  await journal.note(payout, { code, details, released });
  const said = because ? reasonText(because) : 'the service shows it as it was again';
  await journal.logBatch(batch.id, 'batch', 'batch', `payment ${payout.key}: paid; ${said}`);
}

async function rereadReturned(context: RunContext, payout: Payout, isShownPaid: boolean): Promise<void> {
  const because = await reasonOfReturn(context, payout, isShownPaid);
  if (because)
    await moveLoudly(context, payout, 'returned', 'a later read says failed', {
      ...because,
      watched: '',
      paidMinor: null,
      released: withoutRelease(payout, 'doubt'),
    });
}

/**
 * What is open, failed or was never answered may turn successful all the same, after another has paid: then it was paid
 * twice. One that was open and has failed is nothing to be alarmed about: the watch is over.
 */
async function watchOthers(context: RunContext, payout: Payout): Promise<void> {
  if (payout.paidTwice !== '' && payout.watched === '') return;
  if (!(await mayBePaidTwice(context, payout))) return;
  const seen = await allThatPaid(context, payout);
  if (!seen) return;
  const paid = [...new Set([payout.transactionId, ...seen.paid.map((each) => each.transactionId)])];
  const watched = watchedBeside(payout.transactionId, seen.open);
  const known = payout.paidTwice === '' ? 1 : payout.paidTwice.split(' ').length;
  if (paid.length > known) {
    const twice = paidTwice(paid);
    await noteLoudly(context, payout, { ...twice, watched }, `payment ${payout.key}: ${reasonText(twice)}`);
  } else if (watched !== payout.watched) await noteWatch(context, payout, watched);
}

async function noteWatch(context: RunContext, payout: Payout, watched: string): Promise<void> {
  const { journal, batch } = context;
  if (watched !== '') {
    await noteLoudly(context, payout, { watched }, `payment ${payout.key}: paid; ${watchedText(watched)}`);
    return;
  }
  await journal.note(payout, { watched });
  const message = `payment ${payout.key}: no other transaction of it is open any more`;
  await journal.logBatch(batch.id, 'batch', 'batch', message);
}

/**
 * Why a paid one is returned; undefined where it is not. One of several that paid came back and another has not: it is
 * paid, and by that one. While nobody can tell it stays as it is.
 */
async function reasonOfReturn(
  context: RunContext,
  payout: Payout,
  isShownPaid: boolean,
): Promise<Reason | undefined> {
  const seen = await allThatPaid(context, payout);
  if (!seen) return undefined;
  const doubt = doubtAbout(seen.present) ?? doubtByPage(payout, seen.present, isShownPaid);
  if (doubt !== undefined) {
    await stayInDoubt(context, payout, doubt);
    return undefined;
  }
  // Read once more it has not failed: it is asked again.
  const isOwn = (transactionId: string) => transactionId === payout.transactionId;
  if (seen.open.some(isOwn) || seen.paid.some((each) => isOwn(each.transactionId))) return undefined;
  const others = seen.paid;
  const left = others.find(({ asItIs }) => asItIs);
  const came = `transaction ${payout.transactionId} came back`;
  if (left) {
    const identity = identityOf(context, payout, left);
    const watched = watchedBeside(left.transactionId, seen.open);
    await noteLoudly(
      context,
      payout,
      // What was said of the other one, and what a person said to that, is over with it.
      { ...identity, ...noReason, watched, released: withoutRelease(payout, 'doubt') },
      `payment ${payout.key}: ${came}; ${identity.transactionId} has paid it`,
    );
    return undefined;
  }
  if (others[0]) return reason('returned-yet-paid', paidOtherwise(others[0]));
  const watched = watchedBeside(payout.transactionId, seen.open);
  if (watched === '') return reason('returned');
  // Called returned, it could be retried, while the other one may still pay it.
  if (watched !== payout.watched) await noteWatch(context, payout, watched);
  nameOnce(context, payout, `${came}; ${watchedText(watched)}`);
  return undefined;
}

/** Where nothing stands under its reference, a page that shows it to be paid is all that a list has said of it. */
function doubtByPage({ transactionId }: Payout, { kind }: LookUp, isShownPaid: boolean): Reason | undefined {
  if (!isShownPaid || kind === 'found') return undefined;
  const words = { status: 'successful', chargeStatus: 'failed' };
  return reason('status-contradicts', { transaction: transactionId, ...words });
}

/** What is learned of a payout that does not move. It stands in the log all the same: money hangs on it. */
async function noteLoudly(
  { journal, batch, onEvent }: RunContext,
  payout: Payout,
  changes: PayoutChanges,
  message: string,
): Promise<void> {
  await journal.note(payout, changes);
  await journal.logBatch(batch.id, 'batch', 'batch', message);
  onEvent({ kind: 'alarm', message });
}

import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import { counted } from '../../domain/text/counted.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { lookUpAttempts } from '../look-up/careful-look-up.ts';
import { eachOf } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { serviceError } from '../run/service-error.ts';
import { holdPossibleDuplicate } from './hold-possible-duplicate.ts';
import { quietPeriodOf } from './resolve-unknown-sends.ts';

const wholeLookUp = 2_000;
const sampleSize = 500;
const sampleFirst = 200;
/** Of every chunk of a batch: all of it was asked about when it was left to workers. */
const sampleOfChunk = 10;
/** Of those looked up, so many also past an attempt that is not found; half of them the first to be sent. */
const furtherSample = 20;

/**
 * What this journal never sent may have been sent all the same: the journal may have been lost, or restored from an old
 * copy. One payout found at the service means that it has forgotten; from then on every payout is looked up just before
 * its send, and none is sent before what may still be on its way had time to land.
 */
export async function lookForForgottenSends(context: RunContext): Promise<void> {
  const { memory, onEvent } = context;
  if (memory.batch.mayHaveForgotten) await waitUntilLanded(context);
  const asked = await perhapsForgotten(context);
  const further = spreadOver(asked, furtherSample);
  let forgotten = 0;
  let undecided = 0;
  let done = 0;
  await eachOf(context, asked, async (payout) => {
    onEvent({ kind: 'stage', stage: 'look-up', done: done++, of: asked.length });
    const { seen, attempt } = await lookUpAttempts(context, payout, {
      further: forgotten > 0 || further.has(payout),
    });
    if (seen.kind === 'unavailable') throw serviceError(seen.outcome, 'Payouts could not be looked up');
    if (seen.kind === 'undecided') {
      const isHeld = seen.alike !== undefined && (await holdPossibleDuplicate(context, payout, seen.alike));
      if (!isHeld) undecided += 1;
    }
    if (seen.kind === 'found' || seen.kind === 'differs') forgotten += 1;
    // Whatever it waits for here, it has been sent: held would be a lie.
    if (seen.kind === 'found' && unsent.has(payout.state)) {
      await adoptTransaction(context, payout, seen, attempt, 'the service already holds it');
    }
  });
  if (undecided > 0) {
    const message = `The service cannot be asked what it already holds of ${counted(undecided, 'payout')}: if this journal was lost or restored, only the service's refusal of a used reference keeps them from being paid twice.`;
    onEvent({ kind: 'alarm', message });
  }
  memory.batch.askedForForgotten = !context.stopping();
  if (memory.batch.mayHaveForgotten && !context.stopping()) await context.looked();
  if (forgotten === 0) return;
  memory.batch.lookUpEvery = true;
  const message = `The service already holds ${forgotten} of the payouts of batch ${context.batch.name} that this journal never sent: it has forgotten, or another machine sent them. Every payout will be looked up before it is sent.`;
  onEvent({ kind: 'alarm', message });
  await waitUntilLanded(context);
}

async function waitUntilLanded(context: RunContext): Promise<void> {
  const { clock, onEvent, signal, startedMonotonicMs } = context;
  const waitMs = startedMonotonicMs + quietPeriodOf(context) - clock.monotonicMs();
  if (waitMs <= 0) return;
  const why = 'what another run may still have on its way must land first';
  onEvent({ kind: 'waiting', why, forMs: waitMs });
  await clock.sleep(waitMs, signal);
}

const unsent: ReadonlySet<PayoutState> = new Set(['planned', 'ready', 'held']);

/**
 * A batch that this journal never sent anything of is looked up whole, a larger one by a sample. Of one that it did,
 * those that come next: had a run sent them that it does not remember, it would have begun with these.
 */
async function perhapsForgotten({
  payouts,
  acceptedBy,
  chunks,
  memory,
}: RunContext): Promise<readonly Payout[]> {
  if (chunks !== undefined && !memory.batch.mayHaveForgotten)
    return payouts.unsentOfOthers(acceptedBy, sampleOfChunk);
  if (await payouts.anySent()) return payouts.unsentOfOthers(acceptedBy, sampleFirst);
  const total = await payouts.count(['planned', 'ready', 'held']);
  return total <= wholeLookUp ? payouts.sample(total, total) : payouts.sample(sampleFirst, sampleSize);
}

/**
 * Who paid rows of the batch under a later attempt alone, attempt 1 never sent, has paid the first of them or many. To
 * ask that of every row of every new batch would treble its look-ups. Once one is found, every row is asked so.
 */
function spreadOver(asked: readonly Payout[], most: number): ReadonlySet<Payout> {
  const first = asked.slice(0, most / 2);
  const rest = asked.slice(first.length);
  const step = Math.max(1, Math.ceil(rest.length / (most / 2)));
  return new Set([...first, ...rest.filter((_, place) => place % step === 0)]);
}

import type { Payout } from '../../domain/payout/payout.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { watchedBeside } from '../look-up/all-attempts.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';
import { isAnswered, quietPeriodOf } from './resolve-unknown-sends.ts';

const firstProofPauseMs = 100;
const longestProofPauseMs = 5_000;

/**
 * Where no accepted payout was ever found by look-up, payouts go one at a time until one was accepted and found, or a
 * quiet period has passed: a service that cannot be searched must not first be told so by four hundred lost replies.
 */
export async function proveEnvironment(
  context: RunContext,
  send: (payout: Payout) => Promise<void>,
): Promise<void> {
  const { payouts, proofs, clock, journal, writes } = context;
  const untilMs = clock.monotonicMs() + quietPeriodOf(context);
  let lastId = 0;
  while (!proofs.read() && clock.monotonicMs() < untilMs && !context.stopping()) {
    const [payout] = await payouts.page(['ready'], lastId, 1);
    if (!payout) return;
    lastId = payout.id;
    await send(payout);
    await writes.done();
    const present = await journal.read(payout.id);
    // What was turned away shows nothing about look-ups: the next one may.
    const isSent = present.state === 'submitting' && !(await isAnswered(context, present));
    if (isSent || present.state === 'submitted') {
      await waitUntilFound(context, present, untilMs);
    }
  }
}

/**
 * The one that went alone may itself be the one that was lost. Any that was accepted after it shows as well whether
 * look-ups work, and without that nothing unanswered could ever be sent again.
 */
export async function proveByLastAccepted(context: RunContext): Promise<void> {
  const { payouts, proofs, journal, memory } = context;
  const accepted = memory.chunk.lastAccepted;
  if (proofs.read() || !accepted || (await payouts.count(['submitting'])) === 0) return;
  const untilMs = accepted.endedMs + quietPeriodOf(context);
  await waitUntilFound(context, await journal.read(accepted.payout), untilMs);
}

/**
 * How long a look-up takes counts from the beginning of the send. The service may have had the payout long before its
 * answer came, or was given up: from there on a slow answer would hide the delay, and a lying one would be believed.
 */
async function waitUntilFound(context: RunContext, payout: Payout, untilMs: number): Promise<void> {
  const { clock, proofs, signal, memory } = context;
  const sentMs =
    memory.chunk.sendBegunMs.get(payout.id) ?? memory.chunk.lastAccepted?.begunMs ?? clock.monotonicMs();
  for (let pauseMs = firstProofPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestProofPauseMs)) {
    const seen = await carefulLookUp(context, payout);
    if (seen.kind === 'found') {
      await proofs.save({ delayMs: Math.ceil(clock.monotonicMs() - sentMs) });
      if (payout.state === 'submitting')
        await adoptTransaction(context, payout, seen, payout.attempt, 'found by look-up');
      else await rememberOthers(context, payout, seen);
      return;
    }
    if (clock.monotonicMs() >= untilMs || context.stopping()) return;
    await clock.sleep(pauseMs, signal);
  }
}

/** A look-up that lists more than the one transaction that the service named: what else it lists may pay as well. */
async function rememberOthers(
  { journal }: RunContext,
  payout: Payout,
  { successful, open }: Extract<LookUp, { kind: 'found' }>,
): Promise<void> {
  const watched = watchedBeside(payout.transactionId, [
    ...successful.map(({ transactionId }) => transactionId),
    ...open,
  ]);
  if (watched !== '') await journal.note(payout, { watched });
}

import type { Clock } from '../clock.ts';
import type { Decision } from '../decisions/carry-out.ts';
import { decideNotPaid, type Said } from '../decisions/decide.ts';
import { giveUpPending, isOpenAtService, type KnownOfPending } from '../decisions/give-up-pending.ts';
import { selectPayouts } from '../decisions/select-payouts.ts';
import { shownAtService } from '../decisions/shown-at-service.ts';
import { openShown } from '../domain/payout/end-shown.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { PayrunError } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { decisionQueries } from '../journal/payouts/decision-queries.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { heldByService } from '../pipeline/look-up/held-by-service.ts';
import type { LookUpService } from '../pipeline/look-up/look-up.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';

/** What a person is shown before a pending payout is called unpaid. */
export interface PendingQuestion {
  readonly payout: Payout;
  /** How long it has been pending. */
  readonly pendingMs: number;
  /** What the service shows of it, asked just now. */
  readonly shown: string;
}

export interface NotPaidParts {
  readonly db: JournalDatabase;
  readonly clock: Clock;
  readonly operator: string;
  readonly onEvent: OnEvent;
  /** Undefined where none is set: what is unclear can be decided without. */
  readonly service: LookUpService | undefined;
  /** The service under the account that the batch belongs to; refuses any other. */
  readonly account: () => Promise<LookUpService>;
  /** So long a payout must have been pending before a person may give it up. */
  readonly pendingForMs: number;
  readonly confirm: (question: PendingQuestion) => Promise<boolean>;
}

/** A person may think for a while before the answer: what was shown then is asked for again. */
const freshMs = 60_000;

/** That nothing was paid is believed only where the service, if it can be asked, does not show the payment. */
export function notPaidDecision(
  parts: NotPaidParts,
  batch: BatchRecord,
  payment: string,
  reason: string,
): () => Promise<Decision> {
  const questions = decisionQueries(parts.db, batch);
  return async () => {
    const [payout] = selectPayouts(questions, [payment]);
    const said = { because: reason, by: parts.operator };
    return payout && isOpenAtService(payout, questions.transactionsOf(payout))
      ? pendingDecision(parts, batch, payout, said)
      : unclearDecision(parts, batch, payment, said);
  };
}

async function unclearDecision(
  { db, clock, onEvent, service }: NotPaidParts,
  batch: BatchRecord,
  payment: string,
  said: Said,
): Promise<Decision> {
  const questions = decisionQueries(db, batch);
  const shown =
    service && (await shownAtService(service, selectPayouts(questions, [payment]), questions.isTaken));
  if (!shown) {
    const message = `The service was not asked about payment ${payment}: check there before you retry it.`;
    onEvent({ kind: 'notice', message, answers: true });
  }
  return {
    choice: { kind: 'named', ids: [payment] },
    rule: (payout) => {
      const facts = {
        burnt: questions.isReferenceBurnt(payout),
        sent: questions.wasSent(payout),
        known: questions.transactionsOf(payout),
        shown: shown?.get(payout.id),
      };
      return decideNotPaid(payout, batch, facts, clock.nowMs(), said);
    },
    repeats: undefined,
  };
}

/** The person sees what the service shows now, and says it again in view of that. */
async function pendingDecision(
  parts: NotPaidParts,
  batch: BatchRecord,
  payout: Payout,
  said: Said,
): Promise<Decision> {
  const { db, clock, confirm } = parts;
  const questions = decisionQueries(db, batch);
  const sinceMs = questions.pendingSinceMs(payout);
  const taken = questions.transactionsOf(payout);
  const choice = { kind: 'named', ids: [payout.reference] } as const;
  if (sinceMs === undefined) {
    const why = 'nobody knows since when it has been pending';
    return { choice, rule: () => ({ kind: 'stays', why }), repeats: undefined };
  }
  const look = async (): Promise<KnownOfPending> => {
    const asked = { service: await parts.account(), payouts: payoutQueries(db, batch.id), batch };
    return { sinceMs, leastMs: parts.pendingForMs, held: await heldByService(asked, payout), taken };
  };
  let known = await look();
  const askedMs = clock.nowMs();
  if (giveUpPending(payout, known, askedMs, said).kind === 'moves') {
    const question = { payout, pendingMs: askedMs - sinceMs, shown: openShown(known.held) };
    if (!(await confirm(question))) throw notGivenUp();
    if (clock.nowMs() - askedMs > freshMs) known = await look();
  }
  const rule = (now: Payout) => giveUpPending(now, known, clock.nowMs(), said);
  return { choice, rule, repeats: undefined };
}

function notGivenUp(): PayrunError {
  return new PayrunError('declined', 'Not confirmed: the payout stays pending and nothing was changed.');
}

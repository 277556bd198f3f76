import type { Payout } from '../../domain/payout/payout.ts';
import { noReason, reason, reasonText } from '../../domain/payout/reasons.ts';
import { referenceOf } from '../../domain/reference.ts';
import { adoptTransaction } from '../look-up/adopt-transaction.ts';
import { carefulLookUp } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { readUnlisted } from '../look-up/read-unlisted.ts';
import type { RunContext } from '../run/run-context.ts';
import { nameOnce } from './final-state.ts';

type Found = Extract<LookUp, { kind: 'found' }>;

/** What is shown under the reference of one of its attempts. */
interface Look<Seen extends LookUp = LookUp> {
  readonly attempt: number;
  readonly look: Seen;
}

/**
 * A person gave up waiting for it. While the service still calls it pending, that stands. Once it has ended there, the end
 * is what counts: paid is said loudly, for the person may have paid it another way by now.
 */
export async function rereadGivenUp(context: RunContext, payout: Payout): Promise<void> {
  const looks = await looksAt(context, payout);
  // An attempt that failed before its row was corrected differs by that very correction.
  const strange = looks.flatMap(({ attempt, look }) =>
    look.kind === 'differs' && (attempt === payout.attempt || !look.allFailed) ? [look.why] : [],
  );
  for (const why of strange) nameOnce(context, payout, reasonText(reason('reference-of-another', { why })));
  const end = endOf(looks.filter(isFound), payout.attempt);
  if (!end) return;
  const { look: ended, attempt } = end;
  const { transactionId } = ended;
  const decided = reasonText(payout);
  const why = `${decided}; now it has ended there`;
  const planned = await context.journal.move({ payout, to: 'planned', why, changes: noReason });
  await adoptTransaction(context, planned, ended, attempt, 'it has ended after a person gave it up');
  const who = `payment ${payout.key}`;
  if (ended.status === 'successful') {
    const message = `${who} is paid after all, by transaction ${transactionId}. It was ${decided}. If somebody paid it another way since, it was paid twice.`;
    context.onEvent({ kind: 'alarm', message });
    return;
  }
  const message = `${who} has failed at the service (${transactionId}). It was ${decided}. payrun retry can pay it now.`;
  context.onEvent({ kind: 'notice', message, answers: true });
}

/** Of all its attempts: one that failed may be paid after all, while a later one was given up. */
async function looksAt(context: RunContext, payout: Payout): Promise<Look[]> {
  const { name, keyKind } = context.batch;
  const looks: Look[] = [];
  for (let attempt = 1; attempt <= payout.lastAttempt; attempt += 1) {
    const asked = { ...payout, reference: referenceOf(name, keyKind, payout.key, attempt) };
    const seen = await carefulLookUp(context, asked);
    const isPresent = attempt === payout.attempt;
    const unlisted = await readUnlisted(context, asked, seen, { isPresent });
    looks.push(...[seen, ...unlisted].map((look) => ({ attempt, look })));
  }
  return looks;
}

function isFound(seen: Look): seen is Look<Found> {
  return seen.look.kind === 'found';
}

/** One that paid is its end; a failure of the one that was given up only where nothing of it is open any more. */
function endOf(found: readonly Look<Found>[], present: number): Look<Found> | undefined {
  const paid = found.find(({ look }) => look.status === 'successful');
  if (paid || found.some(({ look }) => look.status === 'pending')) return paid;
  return found.find(({ attempt }) => attempt === present);
}

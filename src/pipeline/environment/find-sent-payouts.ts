import { isWholeEnvironment } from '../../domain/environment/environment.ts';
import type { MissingPayout, WhyMissing } from '../../domain/payout/missing-payout.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { type PayoutState, payoutStates } from '../../domain/payout/payout-state.ts';
import { referenceOf } from '../../domain/reference.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import type { RunsOfSends } from '../../journal/payouts/runs-of-sends.ts';
import { isSearchable } from '../look-up/is-searchable.ts';
import { type LookUpService, lookUp } from '../look-up/look-up.ts';
import { eachPayout } from '../run/each-payout.ts';
import { serviceError } from '../run/service-error.ts';

export interface SentPayouts {
  readonly found: number;
  readonly missing: number;
  /** The first of those that are missing. */
  readonly first: readonly MissingPayout[];
}

export interface FindSentParts {
  readonly service: LookUpService;
  readonly payouts: Payouts;
  readonly batch: Pick<BatchRecord, 'name' | 'keyKind' | 'environment'>;
  readonly sends: Pick<RunsOfSends, 'runsThatSent'>;
  readonly concurrency: number;
}

const missingKept = 100;
const mostHits = 10;

/** Sent, or perhaps sent, and not said to be without effect. */
const sentStates: ReadonlySet<PayoutState> = new Set([
  'submitting',
  'submitted',
  'unclear',
  'paid',
  'failed',
  'returned',
]);

/**
 * Whether the account that is asked is the one that a batch was sent from: all that was sent is there, each under its own
 * reference and by the transaction that the journal knows it by, with earlier attempts. Reads alone.
 */
export async function findSentPayouts(parts: FindSentParts): Promise<SentPayouts> {
  const first: MissingPayout[] = [];
  const counts = { found: 0, missing: 0 };
  const asked = createSentLookUp(parts);
  const refused: MissingPayout[] = [];
  const proof = { isSeen: false };
  const miss = (missing: MissingPayout) => {
    counts.missing += 1;
    if (first.length < missingKept) first.push(missing);
  };
  await eachPayout({ payouts: parts.payouts, settings: parts }, payoutStates, async (payout) => {
    const { key: payment, state } = payout;
    const whys = await whysMissing(parts, asked, payout);
    const why = whys.find((each) => each !== undefined);
    if (why !== undefined) return miss({ payment, state, why });
    if (whys.length > 0) counts.found += 1;
    if (whys.length > 0 && isKnown(parts, payout)) proof.isSeen = true;
    if (!wasRefused(parts, payout)) return;
    const lack = await asked(payout);
    if (lack === 'not-found') refused.push({ payment, state, why: lack });
    else if (lack !== undefined) miss({ payment, state, why: lack });
    else if (whys.length === 0) counts.found += 1;
  });
  // All of a batch was sent from the account that it is bound to. One transaction of it that is there shows which that is,
  // and then a refusal that left nothing is a refusal. A version that kept no keys may have sent it from several.
  if (!proof.isSeen || !isWholeEnvironment(parts.batch.environment)) for (const each of refused) miss(each);
  return { ...counts, first };
}

/** Sent and refused, whatever became of it since: with other keys nobody can tell whether the refusal was true. */
function wasRefused({ sends }: FindSentParts, payout: Payout): boolean {
  if (sentStates.has(payout.state) || payout.code === 'decided-not-paid') return false;
  return sends.runsThatSent(payout).length > 0;
}

/** Under any of its references by a transaction: another account may have been paid from under the same reference. */
function isKnown({ payouts, batch }: FindSentParts, payout: Payout): boolean {
  return referencesOf(batch, payout).some((each) => payouts.transactionsOf(payout.id, each).length > 0);
}

function referencesOf({ name, keyKind }: FindSentParts['batch'], { key, lastAttempt }: Payout): string[] {
  return Array.from({ length: lastAttempt }, (_, index) => referenceOf(name, keyKind, key, index + 1));
}

/** Nothing where nothing of the payout was sent that could be found. */
async function whysMissing(
  { service, batch, payouts }: FindSentParts,
  asked: SentLookUp,
  payout: Payout,
): Promise<(WhyMissing | undefined)[]> {
  const whys: (WhyMissing | undefined)[] = [];
  if (wasSent(payout)) whys.push(await asked(payout));
  const references = referencesOf(batch, payout);
  for (const transactionId of payouts.unplacedTransactions(payout.id))
    whys.push(await whyNowhere(service, references, transactionId));
  for (const reference of references) {
    if (reference === payout.reference) continue;
    // What was never known by a transaction, such as a burnt reference, has left nothing that could be found.
    for (const transactionId of payouts.transactionsOf(payout.id, reference))
      whys.push(await whyNowhere(service, [reference], transactionId));
  }
  return whys;
}

async function whyNowhere(
  service: LookUpService,
  references: readonly string[],
  transactionId: string,
): Promise<WhyMissing | undefined> {
  for (const reference of references) {
    if (await isListed(service, reference, transactionId)) return undefined;
  }
  return 'not-found';
}

export function wasSent({ state, everSent, transactionId }: Payout): boolean {
  return sentStates.has(state) && (everSent || transactionId !== '');
}

/** Looks one payout up that was sent; undefined where it is there. */
export type SentLookUp = (payout: Payout) => Promise<WhyMissing | undefined>;

export function createSentLookUp({
  service,
  payouts,
}: {
  readonly service: LookUpService;
  readonly payouts: Pick<Payouts, 'transactionTaken'>;
}): SentLookUp {
  let searchable: Promise<boolean> | undefined;
  return async (payout) => {
    const seen = await lookUp(service, payout, (id) => payouts.transactionTaken(id, payout.id));
    switch (seen.kind) {
      case 'unavailable':
        if (seen.outcome.kind === 'refused') return 'not-told';
        throw serviceError(seen.outcome, 'Payouts could not be looked up');
      case 'undecided':
        return 'not-told';
      case 'not-found':
      case 'differs':
        return seen.kind;
      case 'found': {
        // Asked only where somebody waits for the answer: one that fails must stop the search, and not the process.
        if (!seen.showsReference) {
          searchable ??= isSearchable(service);
          if (!(await searchable)) return 'not-told';
        }
        // Another account may have been paid from under the same reference: the transaction tells.
        const { transactionId } = payout;
        return transactionId === '' || seen.transactionIds.includes(transactionId)
          ? undefined
          : 'other-transaction';
      }
    }
  };
}

/** Whether a transaction stands under a reference. Its values are not asked: its row may have been corrected since. */
export async function isListed(
  service: LookUpService,
  externalReference: string,
  transactionId: string,
): Promise<boolean> {
  const listed = await service.listTransactions({ query: { externalReference, limit: mostHits } });
  if (listed.kind !== 'ok') throw serviceError(listed, 'Payouts could not be looked up');
  return listed.value.data.some((each) => each.transactionId === transactionId);
}

import { judgeTransaction, type TransactionStatus } from '../domain/judge-transaction.ts';
import type { Payout } from '../domain/payout.ts';
import type { NotOk } from '../service/call-outcome.ts';
import type { Service } from '../service/client.ts';

export type LookUpService = Pick<Service, 'listTransactions' | 'readTransaction'>;

/** What the service holds under a reference. */
export type LookUp =
  | { readonly kind: 'not-found' }
  | {
      readonly kind: 'found';
      readonly status: TransactionStatus;
      readonly transactionId: string;
      readonly successful: readonly string[];
    }
  /** Something stands under our reference that is not our payout as it is now; `allFailed`: nor did it move money. */
  | { readonly kind: 'differs'; readonly why: string; readonly allFailed: boolean }
  /** The list answered with others' transactions: it proves nothing. */
  | { readonly kind: 'undecided'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly outcome: NotOk };

const mostHits = 10;

/**
 * Looks a payout up by its reference: the list filtered by it, each hit confirmed by its single read. Only an empty
 * list means not found; a 404 on the single read, a page that cannot be understood, or somebody else's rows do not.
 */
export async function lookUp(
  service: LookUpService,
  payout: Payout,
  isTaken: (transactionId: string) => boolean,
): Promise<LookUp> {
  const listed = await service.listTransactions({
    query: { externalReference: payout.reference, limit: mostHits },
  });
  if (listed.kind !== 'ok') return { kind: 'unavailable', outcome: listed };
  if (listed.value.data.length === 0) return { kind: 'not-found' };

  const ours: { id: string; status: TransactionStatus }[] = [];
  let difference: string | undefined;
  let allFailed = true;
  for (const { transactionId } of listed.value.data) {
    const read = await service.readTransaction({ params: { transactionId } });
    if (read.kind !== 'ok') return { kind: 'unavailable', outcome: read };
    const judged = judgeTransaction(read.value.data, payout);
    if (judged.kind === 'other-reference' || judged.status !== 'failed') allFailed = false;
    if (judged.kind === 'ours' && isTaken(transactionId)) difference = 'it is known as another payout’s';
    else if (judged.kind === 'ours') ours.push({ id: transactionId, status: judged.status });
    else if (judged.kind === 'differs') difference = judged.why;
  }
  // Ours beside a stranger under one reference is still a contradiction that a person must see.
  if (difference !== undefined) return { kind: 'differs', why: difference, allFailed };
  if (ours.length === 0)
    return { kind: 'undecided', why: 'the list showed only transactions of other references' };
  return combined(ours);
}

/** Any successful is paid; else any pending is pending; failed only if all failed. */
function combined(ours: readonly { id: string; status: TransactionStatus }[]): LookUp {
  const having = (status: TransactionStatus) => ours.filter((each) => each.status === status);
  const successful = having('successful').map((each) => each.id);
  const status = successful.length > 0 ? 'successful' : having('pending').length > 0 ? 'pending' : 'failed';
  const transactionId = having(status)[0]?.id ?? '';
  return { kind: 'found', status, transactionId, successful };
}

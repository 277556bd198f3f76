import type { Minor } from '../../domain/money/money.ts';
import { judgeAnswers } from '../../domain/payout/judge-answers.ts';
import {
  isWithdrawal,
  type OurJudgement,
  showsAccountOf,
  showsReference,
  type TransactionStatus,
} from '../../domain/payout/judge-transaction.ts';
import { type Reason, reason } from '../../domain/payout/reasons.ts';
import type { JudgedPayout, ShownTransaction } from '../../domain/payout/shown-transaction.ts';
import type { NotOk } from '../../service/call-outcome.ts';
import type { Service } from '../../service/client.ts';
import type { ListedTransaction } from '../../service/contract/transactions.ts';

/** A transaction with the values of a payout that has not failed: where nothing says whose it is, it may be ours. */
export interface Lookalike {
  readonly transactionId: string;
  readonly shownTime: string | undefined;
}

export type LookUpService = Pick<Service, 'listTransactions' | 'readTransaction'>;

/** A transaction that has paid, and what the service shows to have gone out; undefined where it shows no amount. */
export interface Successful {
  readonly transactionId: string;
  readonly shownMinor: Minor | undefined;
}

/** What the service holds under a reference. */
export type LookUp =
  | { readonly kind: 'not-found' }
  | {
      readonly kind: 'found';
      readonly status: TransactionStatus;
      readonly transactionId: string;
      /** Of all that stand under the reference. */
      readonly transactionIds: readonly string[];
      readonly successful: readonly Successful[];
      /** Neither successful nor failed. */
      readonly open: readonly string[];
      /** Of those whose status words contradict each other. They count as pending. */
      readonly contradictions: readonly Reason[];
      /** Each of them says that the reference is its own; else a list that ignores the filter may have shown others'. */
      readonly showsReference: boolean;
      /** When the service made it, as far as it says so. */
      readonly shownTime: string | undefined;
      readonly alike: Lookalike | undefined;
    }
  /** Something stands under our reference that is not our payout as it is now; `allFailed`: nor did it move money. */
  | {
      readonly kind: 'differs';
      readonly why: string;
      readonly allFailed: boolean;
      /** Of what moves money out: a refund beside a failed payout has paid nobody. */
      readonly withdrawalsFailed: boolean;
      /** Withdrawals under this very reference that succeeded, though not as the payout is now. */
      readonly successful: readonly Successful[];
      /** And those that have not ended, as the payout is now or not. */
      readonly open: readonly string[];
      /** Of all that were shown. */
      readonly transactionIds: readonly string[];
      readonly showsReference: boolean;
      readonly alike: Lookalike | undefined;
    }
  /** The list answered with others' transactions: it proves nothing. */
  | { readonly kind: 'undecided'; readonly why: string; readonly alike?: Lookalike | undefined }
  | { readonly kind: 'unavailable'; readonly outcome: NotOk };

/** What a search for a reference that was never used shows of the service. */
export type SelfTest = { readonly kind: 'passed' | 'failed' } | Extract<LookUp, { kind: 'unavailable' }>;

/** Whether a transaction is already known as another payout's. */
type IsTaken = (transactionId: string) => boolean | Promise<boolean>;

/** The most that the list shows at once. */
export const mostHits = 10;

/**
 * Looks a payout up by its reference: the list filtered by it, each hit judged by its row and its single read. Only an
 * empty list means not found; a 404 on the single read, a page that cannot be understood, or somebody else's rows do not.
 */
export async function lookUp(
  service: LookUpService,
  payout: JudgedPayout,
  isTaken: IsTaken,
): Promise<LookUp> {
  const listed = await service.listTransactions({
    query: { externalReference: payout.reference, limit: mostHits },
  });
  if (listed.kind !== 'ok') return { kind: 'unavailable', outcome: listed };
  if (listed.value.data.length === 0) return { kind: 'not-found' };
  // A list that shows one transaction twice has not paid twice.
  const ids = [...new Set(listed.value.data.map((each) => each.transactionId))];
  const why = 'the list showed only transactions of other references';
  return readAll(service, payout, isTaken, ids, listed.value.data, why);
}

/** A transaction that a payout is known by and that its list does not show. */
export function readKnown(
  service: LookUpService,
  payout: JudgedPayout,
  isTaken: IsTaken,
  transactionId: string,
): Promise<LookUp> {
  const why = `transaction ${transactionId} is not shown as it was accepted`;
  return readAll(service, payout, isTaken, [transactionId], [], why);
}

async function readAll(
  service: LookUpService,
  payout: JudgedPayout,
  isTaken: IsTaken,
  ids: readonly string[],
  listed: readonly ListedTransaction[],
  whyUndecided: string,
): Promise<LookUp> {
  const ours: Ours[] = [];
  let difference: string | undefined;
  let allFailed = true;
  let withdrawalsFailed = true;
  const paidOtherwise: Successful[] = [];
  const open: string[] = [];
  let shown = true;
  let alike: Lookalike | undefined;
  for (const transactionId of ids) {
    const read = await service.readTransaction({ params: { transactionId } });
    if (read.kind !== 'ok') return { kind: 'unavailable', outcome: read };
    const rows = rowsOf(listed, transactionId);
    const judged = judgeAnswers(read.value.data, rows, payout, transactionId);
    shown &&= showsReference(read.value.data);
    if (judged.kind === 'other-reference' || judged.status !== 'failed') {
      allFailed = false;
      if (isWithdrawal(read.value.data)) withdrawalsFailed = false;
    }
    if (judged.kind === 'differs' && judged.status === 'successful' && isOwnWithdrawal(read.value.data)) {
      paidOtherwise.push({ transactionId, shownMinor: undefined });
    }
    if (
      judged.kind !== 'other-reference' &&
      judged.status === 'pending' &&
      isOwnWithdrawal(read.value.data)
    ) {
      open.push(transactionId);
    }
    if (judged.kind === 'ours' && (await isTaken(transactionId)))
      difference = 'it is known as another payout’s';
    else if (judged.kind === 'ours') {
      const time = read.value.data.fullTimestamp ?? undefined;
      ours.push({ id: transactionId, judged, time });
      const answers = [read.value.data, ...rows];
      if (judged.status !== 'failed' && answers.some((answer) => showsAccountOf(answer, payout))) {
        alike ??= { transactionId, shownTime: time };
      }
    } else if (judged.kind === 'differs') difference = judged.why;
  }
  // Ours beside a stranger under one reference is still a contradiction that a person must see.
  if (difference !== undefined) {
    return {
      kind: 'differs',
      why: difference,
      allFailed,
      withdrawalsFailed,
      successful: paidOtherwise,
      open,
      transactionIds: ids,
      showsReference: shown,
      alike,
    };
  }
  if (ours.length === 0) return { kind: 'undecided', why: whyUndecided };
  return combined(ours, shown, alike);
}

/** What the list says of one transaction. What the contract does not promise of a row counts only where it is text. */
export function rowsOf(listed: readonly ListedTransaction[], transactionId: string): ShownTransaction[] {
  const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return listed
    .filter((row) => row.transactionId === transactionId)
    .map((row) => ({
      ...row,
      externalReference: textIn(row['externalReference']),
      phoneNumber: textIn(row['phoneNumber']),
    }));
}

function isOwnWithdrawal(shown: ShownTransaction): boolean {
  return isWithdrawal(shown) && showsReference(shown);
}

interface Ours {
  readonly id: string;
  readonly judged: OurJudgement;
  readonly time: string | undefined;
}

/** Any successful is paid; else any pending is pending; failed only if all failed. */
function combined(ours: readonly Ours[], showsReference: boolean, alike: Lookalike | undefined): LookUp {
  const having = (status: TransactionStatus) => ours.filter((each) => each.judged.status === status);
  const successful = having('successful').map(({ id, judged: { shownMinor } }) => ({
    transactionId: id,
    shownMinor,
  }));
  const status = successful.length > 0 ? 'successful' : having('pending').length > 0 ? 'pending' : 'failed';
  const [first] = having(status);
  return {
    kind: 'found',
    status,
    transactionId: first?.id ?? '',
    transactionIds: ours.map((each) => each.id),
    successful,
    open: having('pending').map((each) => each.id),
    contradictions: ours.flatMap(contradictionIn),
    showsReference,
    shownTime: first?.time,
    alike,
  };
}

function contradictionIn({ id, judged: { contradiction } }: Ours): Reason[] {
  return contradiction ? [reason('status-contradicts', { transaction: id, ...contradiction })] : [];
}

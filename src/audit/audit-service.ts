import { formatMoney } from '../domain/money/format-money.ts';
import type { AuditFindings } from '../domain/payout/audit-findings.ts';
import { compareWithService, type HeldByService } from '../domain/payout/compare-with-service.ts';
import type { TransactionStatus } from '../domain/payout/judge-transaction.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { payoutStates } from '../domain/payout/payout-state.ts';
import { reasonText } from '../domain/payout/reasons.ts';
import { paidMinorOf } from '../domain/payout/result-row.ts';
import { referenceOf } from '../domain/reference.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { Payouts } from '../journal/payouts/payout-queries.ts';
import { mostPastGap } from '../pipeline/look-up/careful-look-up.ts';
import { isSearchable } from '../pipeline/look-up/is-searchable.ts';
import { type LookUpService, lookUp, type Successful } from '../pipeline/look-up/look-up.ts';
import { readUnlisted } from '../pipeline/look-up/read-unlisted.ts';
import { createBreaker } from '../pipeline/run/breaker.ts';
import { eachPayout } from '../pipeline/run/each-payout.ts';

export interface AuditServiceParts {
  readonly service: LookUpService;
  readonly payouts: Payouts;
  readonly batch: BatchRecord;
  readonly concurrency: number;
  readonly findings: AuditFindings;
  /** The payout as it stands now: a run may have moved it meanwhile. */
  readonly readPayout: (id: number) => Payout;
}

/** Money in one currency, by the journal and by the service. */
export interface AuditedSum {
  readonly batch: string;
  readonly currency: string;
  paidHereMinor: bigint;
  paidThereMinor: bigint;
}

/**
 * Every payout against the service, under each of its references: what was sent, what may have been, and what this
 * journal never sent, for another machine may have. Reads alone.
 */
export async function auditService(parts: AuditServiceParts): Promise<AuditedSum[]> {
  const { payouts, batch, concurrency, findings, readPayout } = parts;
  const breaker = createBreaker();
  const sums = new Map<string, AuditedSum>();
  const counted = new Set<string>();
  const searchable = await isSearchable(parts.service);
  if (!searchable) {
    findings.add(
      'not-checked',
      'the service finds transactions under references that were never used: that it does not find one proves nothing',
    );
  }
  await eachPayout({ payouts, settings: { concurrency } }, payoutStates, async (listed) => {
    const held = await heldByService(parts, listed);
    const payout = readPayout(listed.id);
    const who = `batch ${batch.name}, payment ${payout.key}`;
    if (held.unavailable === undefined) breaker.succeeded();
    else {
      breaker.troubled(held.unavailable);
      findings.add('not-checked', `${who}: the service could not be asked: ${held.unavailable}`);
    }
    for (const { kind, message } of compareWithService(payout, held, searchable)) {
      findings.add(kind, `${who}: ${message}`);
    }
    // One transaction that stands for two payouts was still paid once.
    const paid = held.successful.filter(({ transactionId }) => !counted.has(transactionId));
    for (const { transactionId } of paid) counted.add(transactionId);
    addUp(sums, batch.name, payout, paid);
  });
  for (const { currency, paidHereMinor, paidThereMinor } of sums.values()) {
    if (paidHereMinor === paidThereMinor) continue;
    const here = formatMoney(paidHereMinor, currency);
    findings.add(
      'sums-differ',
      `batch ${batch.name}: ${here} are called paid, the service paid ${formatMoney(paidThereMinor, currency)}`,
    );
  }
  return [...sums.values()];
}

/** A service that ignores the filter and shows no references would find the same failure under every one of them. */
const mostFurtherAttempts = 10;

async function heldByService(
  { service, payouts, batch }: AuditServiceParts,
  payout: Payout,
): Promise<HeldByService> {
  const isTaken = (id: string) => payouts.transactionTaken(id, payout.id);
  const successful = new Map<string, Successful>();
  const differences: string[] = [];
  const contradictions = new Set<string>();
  const open = new Set<string>();
  let unavailable: string | undefined;
  let undecided = false;
  let present: TransactionStatus | undefined;
  let pending = false;
  // Upward past the last attempt as well, and past some that are not shown: another journal may have gone on from a
  // failure that this one knows, or have begun with a later attempt.
  const last = payout.lastAttempt + mostFurtherAttempts;
  let gap = 0;
  for (
    let attempt = 1;
    attempt <= payout.lastAttempt || (gap < mostPastGap && attempt <= last);
    attempt += 1
  ) {
    const reference = referenceOf(batch.name, batch.keyKind, payout.key, attempt);
    const seen = await lookUp(service, { ...payout, reference }, isTaken);
    if (attempt > payout.lastAttempt) {
      if (seen.kind === 'undecided' || seen.kind === 'unavailable') break;
      gap = seen.kind === 'not-found' ? gap + 1 : 0;
    }
    const isPresent = attempt === payout.attempt;
    // Not shown under its reference, though it is known: the single read has the last word.
    const unlisted = await readUnlisted({ service, payouts }, { ...payout, reference }, seen, { isPresent });
    const [known] = unlisted.filter(({ kind }) => kind === 'found');
    const last = seen.kind === 'found' || !isPresent ? seen : (known ?? seen);
    if (attempt <= payout.lastAttempt || seen.kind === 'found')
      present = last.kind === 'found' ? last.status : undefined;
    for (const each of [seen, ...unlisted]) {
      if (each.kind === 'found' || each.kind === 'differs') for (const id of each.open) open.add(id);
      if (each.kind === 'found') {
        for (const one of each.successful) successful.set(one.transactionId, one);
        pending ||= each.status === 'pending';
        for (const one of each.contradictions) contradictions.add(reasonText(one));
      } else if (each.kind === 'differs') {
        // An attempt that failed before its row was corrected differs by that very correction.
        if (isPresent || !each.allFailed) differences.push(each.why);
      } else if (each === seen && each.kind === 'undecided') undecided = true;
      else if (each.kind === 'unavailable' && (each === seen || each.outcome.kind !== 'refused'))
        unavailable = each.outcome.cause;
    }
  }
  const overall = successful.size > 0 ? 'successful' : pending ? 'pending' : present;
  return {
    status: overall,
    successful: [...successful.values()],
    open: [...open],
    differences,
    contradictions: [...contradictions],
    undecided,
    unavailable,
  };
}

function addUp(
  sums: Map<string, AuditedSum>,
  batch: string,
  payout: Payout,
  paid: readonly Successful[],
): void {
  const { currency, amountMinor, state } = payout;
  const sum = sums.get(currency) ?? { batch, currency, paidHereMinor: 0n, paidThereMinor: 0n };
  if (state === 'paid') sum.paidHereMinor += paidMinorOf(payout);
  // What the service shows, and ours only where it shows none.
  for (const { shownMinor } of paid) sum.paidThereMinor += shownMinor ?? amountMinor;
  sums.set(currency, sum);
}

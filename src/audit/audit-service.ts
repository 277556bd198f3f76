import { formatMoney } from '../domain/money/format-money.ts';
import type { AuditFindings } from '../domain/payout/audit-findings.ts';
import { compareWithService } from '../domain/payout/compare-with-service.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { payoutStates } from '../domain/payout/payout-state.ts';
import { paidMinorOf } from '../domain/payout/result-row.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { Payouts } from '../journal/payouts/payout-queries.ts';
import { heldByService } from '../pipeline/look-up/held-by-service.ts';
import { isSearchable } from '../pipeline/look-up/is-searchable.ts';
import type { LookUpService, Successful } from '../pipeline/look-up/look-up.ts';
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

import type { AuditFindings } from '../../domain/payout/audit-findings.ts';
import { intentionOf, type Payout } from '../../domain/payout/payout.ts';
import { mayMove, type PayoutState, payoutStates } from '../../domain/payout/payout-state.ts';
import { fingerprintOf, payeeKey, referenceOf } from '../../domain/reference.ts';
import { isPolicyLogged } from '../approval-log.ts';
import type { BatchRecord } from '../batch-record.ts';
import { type ChainEnd, chainTrouble, eventChain } from '../event-chain.ts';
import { inPages } from '../in-pages.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { type LoggedMove, openPayoutLog } from './payout-log.ts';
import { payoutQueries } from './payout-queries.ts';

const pageSize = 500;

/** What was looked at, so that "no findings" means something. */
export interface AuditedJournal {
  readonly chain: ChainEnd;
  readonly payouts: number;
}

/**
 * The journal against itself: the chain of events holds, every payout is where its events led it by moves that the
 * table allows, and is still the payment that its reference and fingerprint were made of. One read transaction: a run
 * that works on meanwhile does not show as a contradiction.
 */
export function auditJournal(
  db: JournalDatabase,
  batches: readonly BatchRecord[],
  findings: AuditFindings,
): AuditedJournal {
  return db.transaction(() => {
    const trouble = chainTrouble(db);
    if (trouble !== undefined) findings.add('chain-broken', `the log of events does not hold: ${trouble}`);
    if (!isPolicyLogged(db))
      findings.add('state-differs', 'who has to approve plans is not what the log says');
    let payouts = 0;
    for (const batch of batches) payouts += auditBatch(db, batch, findings);
    return { chain: eventChain(db).end(), payouts };
  })();
}

function auditBatch(db: JournalDatabase, batch: BatchRecord, findings: AuditFindings): number {
  const payouts = payoutQueries(db, batch.id);
  const log = openPayoutLog(db);
  let count = 0;
  const read = (afterId: number) => payouts.page(payoutStates, afterId, pageSize);
  for (const page of inPages(read, ({ id }) => id)) {
    for (const payout of page) auditPayout(payout, batch, log.movesOf(payout.id), findings);
    count += page.length;
  }
  for (const { payout, seq } of log.strangers(batch.id)) {
    findings.add(
      'state-differs',
      `batch ${batch.name}: event ${seq} moved payout ${payout}, which is not there`,
    );
  }
  for (const { transactionId, keys } of log.sharedTransactions(batch.id)) {
    findings.add(
      'paid-unawares',
      `batch ${batch.name}: transaction ${transactionId} is taken for several payouts: ${keys}`,
    );
  }
  return count;
}

function auditPayout(
  payout: Payout,
  batch: BatchRecord,
  moves: readonly LoggedMove[],
  findings: AuditFindings,
): void {
  const who = `batch ${batch.name}, payment ${payout.key}`;
  const replayed = replay(moves, (kind, message) => findings.add(kind, `${who}: ${message}`));
  if (replayed !== payout.state) {
    findings.add('state-differs', `${who}: it is ${payout.state}, but its events lead to ${replayed}`);
  }
  if (payout.paidTwice !== '') {
    const transactions = payout.paidTwice.replaceAll(' ', ', ');
    findings.add('paid-twice', `${who}: PAID TWICE, by the transactions ${transactions}`);
  }
  for (const message of identityTroubles(payout, batch))
    findings.add('identity-differs', `${who}: ${message}`);
  if (needsTransaction.has(payout.state) && payout.transactionId === '') {
    findings.add('state-differs', `${who}: it is ${payout.state}, but no transaction is known`);
  }
}

const needsTransaction = new Set<PayoutState>(['submitted', 'paid', 'failed', 'returned']);

/** Every payout begins planned: its acceptance is an event of its batch. */
function replay(
  moves: readonly LoggedMove[],
  found: (kind: 'state-differs' | 'move-forbidden', message: string) => void,
): string {
  let state = 'planned';
  for (const { seq, from, to } of moves) {
    if (from !== state) found('state-differs', `event ${seq} moved it from ${from}, but it was ${state}`);
    if (!isAllowed(from, to))
      found('move-forbidden', `event ${seq} moved it from ${from} to ${to}, which no payout may`);
    state = to;
  }
  return state;
}

/** A planned payout whose row was changed is planned again; a held one whose row left the file is held for that. */
function isAllowed(from: string, to: string): boolean {
  if (from === to && (to === 'planned' || to === 'held')) return true;
  return isState(from) && isState(to) && mayMove(from, to);
}

function isState(text: string): text is PayoutState {
  return (payoutStates as readonly string[]).includes(text);
}

function identityTroubles(payout: Payout, { name, keyKind }: BatchRecord): string[] {
  const { key, attempt } = payout;
  const intention = intentionOf(payout);
  return [
    payout.reference === referenceOf(name, keyKind, key, attempt) ? '' : 'its reference is not its own',
    payout.payee === payeeKey(intention.payee) ? '' : 'its payee is not the one of its number',
    payout.fingerprint === fingerprintOf(intention)
      ? ''
      : 'its payee, amount, currency or wallet is not what was accepted',
  ].filter((message) => message !== '');
}

import { describe, expect, test } from 'vitest';
import { AuditFindings } from '../../../src/domain/payout/audit-findings.ts';
import { payoutStates } from '../../../src/domain/payout/payout-state.ts';
import { eventChain } from '../../../src/journal/event-chain.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { auditJournal } from '../../../src/journal/payouts/audit-journal.ts';
import { seedBatch } from '../../support/seed-journal.ts';

const sent = new Set(['submitted', 'paid', 'failed', 'returned']);
const oneOfEach = payoutStates.map((state) => ({
  key: state,
  state,
  changes: sent.has(state) ? { transactionId: `T-${state}` } : {},
}));

async function audited(tamper = ''): Promise<{ kind: string; message: string }[]> {
  const db = openEmptyJournal();
  const { batch } = await seedBatch(db, oneOfEach);
  if (tamper !== '') db.exec(tamper);
  const findings = new AuditFindings();
  const { payouts, chain } = auditJournal(db, [batch], findings);
  expect(payouts).toBe(oneOfEach.length);
  expect(chain.seq).toBeGreaterThan(payouts);
  return findings.worstFirst();
}

describe('an audit of the journal', () => {
  test('finds nothing where nothing is wrong, whatever state a payout is in', async () => {
    expect(await audited()).toEqual([]);
  });

  test.each([
    [
      `UPDATE payouts SET state = 'paid' WHERE key = 'failed'`,
      'state-differs',
      'it is paid, but its events lead to failed',
    ],
    [
      `UPDATE payouts SET amount = amount + 1 WHERE key = 'planned'`,
      'identity-differs',
      'not what was accepted',
    ],
    [
      `UPDATE payouts SET number = '+254799999999' WHERE key = 'ready'`,
      'identity-differs',
      'its payee is not',
    ],
    [
      `UPDATE payouts SET debit_currency = 'USD' WHERE key = 'ready'`,
      'identity-differs',
      'not what was accepted',
    ],
    [`UPDATE payouts SET attempt = 2 WHERE key = 'held'`, 'identity-differs', 'its reference is not its own'],
    [`UPDATE payouts SET transaction_id = '' WHERE key = 'paid'`, 'state-differs', 'no transaction is known'],
    [
      `UPDATE payouts SET transaction_id = 'T-paid' WHERE key = 'failed'`,
      'paid-unawares',
      'taken for several payouts',
    ],
    [`UPDATE events SET why = 'nothing' WHERE seq = 3`, 'chain-broken', 'event 3 was changed'],
    ['DELETE FROM events WHERE seq = 2', 'chain-broken', 'event 2 is missing'],
    [
      'DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)',
      'state-differs',
      'its events lead to paid',
    ],
    [
      `UPDATE events SET to_state = 'paid' WHERE from_state = 'submitted' AND to_state = 'failed'`,
      'state-differs',
      'it is failed',
    ],
    [
      `UPDATE events SET from_state = 'planned', to_state = 'paid' WHERE to_state = 'cancelled'`,
      'move-forbidden',
      'from planned to paid',
    ],
    ['UPDATE events SET payout = 99 WHERE seq = 5', 'state-differs', 'payout 99, which is not there'],
  ])('finds %s', async (tamper, kind, message) => {
    const found = await audited(tamper);
    expect(
      found
        .filter((each) => each.kind === kind)
        .map((each) => each.message)
        .join('\n'),
    ).toContain(message);
  });

  test.each([
    ['planned', 'its row was changed in the file'],
    ['held', 'no longer in the file'],
  ] as const)('a payout that is %s again is no forbidden move: %s', async (state, why) => {
    const db = openEmptyJournal();
    const { batch, payout } = await seedBatch(db, [{ key: 'E1', state }]);
    const event = { atMs: 1, batch: batch.id, payout: payout('E1').id, run: 'r', operator: 'o' };
    eventChain(db).append({ ...event, from: state, to: state, why });
    const findings = new AuditFindings();
    auditJournal(db, [batch], findings);
    expect(findings.worstFirst()).toEqual([]);
  });

  test('findings come the worst first; of very many the first and their number', () => {
    const findings = new AuditFindings();
    findings.add('behind', 'later');
    for (let index = 0; index < 250; index += 1) findings.add('identity-differs', `payment ${index}`);
    findings.add('paid-twice', 'twice');
    const listed = findings.worstFirst();
    expect(findings.count).toBe(252);
    expect(listed[0]).toEqual({ kind: 'paid-twice', message: 'twice' });
    expect(listed.at(-2)).toEqual({ kind: 'identity-differs', message: 'and 50 more of this kind' });
    expect(listed.at(-1)).toEqual({ kind: 'behind', message: 'later' });
  });
});

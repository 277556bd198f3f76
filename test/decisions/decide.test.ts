import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { decideNotPaid, decidePaid } from '../../src/decisions/decide.ts';
import { retry } from '../../src/decisions/retry.ts';

import type { Payout } from '../../src/domain/payout/payout.ts';
import { payoutStates } from '../../src/domain/payout/payout-state.ts';
import { type Reason, reason } from '../../src/domain/payout/reasons.ts';
import type { SendCode } from '../../src/domain/payout/send-ends.ts';
import type { ShownTransaction } from '../../src/domain/payout/shown-transaction.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import { readBatch } from '../../src/journal/batch-record.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { decisionQueries } from '../../src/journal/payouts/decision-queries.ts';
import { callOutcome } from '../../src/service/call-outcome.ts';
import { endpoints } from '../../src/service/contract/endpoints.ts';
import { type Desk, decidingRun, named, openDesk } from './decide-about.ts';

const unclear = [
  {
    key: 'E1',
    state: 'unclear' as const,
    changes: { unknownSends: 2, ...reason('unanswered-sends', { sends: '2' }) },
  },
];

const shown = (payout: Payout, more: Partial<ShownTransaction> = {}): ShownTransaction => ({
  transactionId: 'T1',
  type: 'withdrew',
  status: 'SUCCESSFUL',
  receiverAmount: 1500,
  receiverCurrency: 'KES',
  externalReference: payout.reference,
  phoneNumber: payout.number,
  ...more,
});

function paid(desk: Desk, more: Partial<ShownTransaction> = {}, key = 'E1') {
  const questions = decisionQueries(desk.db, desk.batch);
  return desk.decide({
    choice: named(key),
    rule: (payout) => {
      const transaction = shown(payout, more);
      const owner = questions.ownerOfTransaction(transaction.transactionId, payout);
      return decidePaid(payout, transaction, owner, 1000, 'the bank says so');
    },
    repeats: undefined,
  });
}

function notPaid(desk: Desk, key = 'E1', nowMs = 1000, shown?: string) {
  const questions = decisionQueries(desk.db, desk.batch);
  const batch = readBatch(desk.db, desk.batch.name) ?? desk.batch;
  return desk.decide({
    choice: named(key),
    rule: (payout) => {
      const burnt = questions.isReferenceBurnt(payout);
      const sent = questions.wasSent(payout);
      const facts = { burnt, sent, known: questions.transactionsOf(payout), shown };
      return decideNotPaid(payout, batch, facts, nowMs, { because: 'the bank says so', by: 'amina' });
    },
    repeats: undefined,
  });
}

describe('decide --paid', () => {
  test.each([
    ['SUCCESSFUL', 'paid', 1000],
    ['PENDING', 'submitted', null],
    ['FAILED', 'failed', 1000],
    ['ON HOLD', 'submitted', null],
  ])('the service says %s: it is %s', async (status, state, settledMs) => {
    const desk = await openDesk(unclear);
    expect((await paid(desk, { status })).moved).toBe(1);
    expect(desk.payout('E1')).toMatchObject({ state, transactionId: 'T1', settledMs });
    expect(desk.log('E1')).toMatchObject([
      { operator: 'amina', to: state, why: expect.stringContaining('T1') },
    ]);
  });

  test.each([
    ['another reference', { externalReference: '00000000-0000-5000-8000-000000000000' }, 'another reference'],
    ['another amount', { receiverAmount: 1501 }, 'its amount is 1501'],
    ['another currency', { receiverCurrency: 'UGX' }, 'UGX'],
    ['another account', { phoneNumber: '+254799999999' }, 'another account'],
    ['a deposit', { type: 'deposit' }, 'deposit'],
  ])('a transaction with %s is not this payout', async (_, more, why) => {
    const desk = await openDesk(unclear);
    const { moved, left } = await paid(desk, more);
    expect(moved).toBe(0);
    expect(left[0]?.why).toContain(why);
    expect(desk.payout('E1').state).toBe('unclear');
  });

  test('a transaction that is another payout’s, or an earlier attempt’s, is not taken', async () => {
    const desk = await openDesk([
      ...unclear,
      { key: 'E2', state: 'paid', changes: { transactionId: 'T1' } },
      { key: 'E3', state: 'ready' },
    ]);
    expect((await paid(desk)).left[0]?.why).toContain('known as payment E2');

    const journal = createJournal(desk.db, systemClock, { run: 'r', operator: 'o' });
    const { payout, send } = await journal.beginSend(desk.payout('E3'), 'first send');
    const submitted = await journal.acceptSend(payout, send, 'T9');
    const failed = await journal.move({ payout: submitted, to: 'failed', why: 'failed' });
    await desk.decide({
      choice: named('E3'),
      rule: () => retry(failed, desk.batch, decidingRun, ''),
      repeats: undefined,
    });
    const ready = await journal.move({ payout: desk.payout('E3'), to: 'ready', why: 'name match' });
    const again = await journal.beginSend(ready, 'first send');
    const lost = await journal.endSend(again.payout, again.send, { outcome: 'unknown', code: 'timed-out' });
    await journal.move({ payout: lost, to: 'unclear', why: 'lost' });
    const claim = { transactionId: 'T9', externalReference: undefined };
    expect((await paid(desk, claim, 'E3')).left[0]?.why).toContain('an earlier attempt of this payment');
  });

  test.each(payoutStates.filter((state) => state !== 'unclear'))(
    'a payout that is %s is not decided about',
    async (state) => {
      const desk = await openDesk([{ key: 'E1', state }]);
      expect((await paid(desk)).left).toHaveLength(1);
      expect((await notPaid(desk)).left).toHaveLength(1);
      expect(desk.payout('E1').state).toBe(state);
    },
  );
});

describe('decide --not-paid', () => {
  test('makes it refused under the same reference, with what is known of its sends', async () => {
    const desk = await openDesk(unclear);
    const before = desk.payout('E1');
    await notPaid(desk);
    expect(desk.payout('E1')).toMatchObject({
      state: 'refused',
      attempt: 1,
      reference: before.reference,
      unknownSends: 2,
      everSent: true,
      ...reason('decided-not-paid', { by: ' by amina', reason: 'the bank says so' }),
    });
  });

  test('takes a send that a kill cut off as well, once a day has passed: the account may be out of reach for ever', async () => {
    const desk = await openDesk([{ key: 'E1', state: 'ready' }]);
    const journal = createJournal(desk.db, systemClock, { run: 'r', operator: 'o' });
    await journal.beginSend(desk.payout('E1'), 'first send');
    const sentMs = readBatch(desk.db, desk.batch.name)?.lastSendMs ?? 0;
    const dayMs = 24 * 3_600_000;
    expect((await notPaid(desk, 'E1', sentMs + dayMs - 1)).left).toHaveLength(1);
    expect(desk.payout('E1').state).toBe('submitting');
    expect((await notPaid(desk, 'E1', sentMs + dayMs)).moved).toBe(1);
    expect(desk.payout('E1')).toMatchObject({ state: 'refused', everSent: true, attempt: 1 });
  });

  test('a burnt reference is left behind: the payout goes on to its next attempt, never sent', async () => {
    const desk = await openDesk([{ key: 'E1', state: 'ready' }]);
    const journal = createJournal(desk.db, systemClock, { run: 'r', operator: 'o' });
    const { payout, send } = await journal.beginSend(desk.payout('E1'), 'first send');
    const ended = await journal.endSend(payout, send, { outcome: 'unknown', code: referenceUsed() });
    await journal.move({ payout: ended, to: 'unclear', changes: reason('look-up-untold', { why: '' }) });
    await notPaid(desk);
    expect(desk.payout('E1')).toMatchObject({
      state: 'refused',
      attempt: 2,
      reference: referenceOf('payroll', 'paymentId', 'E1', 2),
      everSent: false,
      unknownSends: 0,
    });
    expect(desk.log('E1').at(-1)?.why).toContain(`reference ${payout.reference} is burnt`);
  });

  test('a burnt reference is known by its code alone, and no words of anybody make one', async () => {
    const { payout, db, batch } = await openDesk(unclear);
    const burnt = (because: Reason) =>
      decisionQueries(db, batch).isReferenceBurnt({ ...payout('E1'), ...because });
    expect(burnt(reason('reference-burnt'))).toBe(true);
    expect(burnt(reason('unanswered-sends', { sends: '2' }))).toBe(false);
    expect(burnt(reason('look-up-untold', { why: 'its reference was used' }))).toBe(false);
    expect(burnt(reason('noted', { text: 'the service calls its reference used' }))).toBe(false);
  });
});

/** What the client really says of a used reference. */
function referenceUsed(): SendCode {
  const body = JSON.stringify({
    success: false,
    message: 'External reference already used.',
    errorCode: 'E-API-D.S-28',
  });
  const reply = { kind: 'reply', status: 409, headers: {}, body: { ended: 'complete', text: body } } as const;
  const outcome = callOutcome(endpoints.createPayout, reply, {
    nowMs: 0,
    conceal: (reply: unknown) => reply,
  });
  return outcome.kind === 'ok' ? 'accepted' : outcome.reason;
}

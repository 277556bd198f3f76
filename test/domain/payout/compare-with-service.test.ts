import { describe, expect, test } from 'vitest';
import { compareWithService, type HeldByService } from '../../../src/domain/payout/compare-with-service.ts';
import type { TransactionStatus } from '../../../src/domain/payout/judge-transaction.ts';
import type { Payout } from '../../../src/domain/payout/payout.ts';
import { type PayoutState, payoutStates } from '../../../src/domain/payout/payout-state.ts';

const paidBy = (transactionId: string, shownMinor?: bigint) => ({ transactionId, shownMinor });

function found(state: PayoutState, more: Partial<HeldByService> = {}, searchable = true, paidTwice = '') {
  const { status } = more;
  const held: HeldByService = {
    status,
    successful: status === 'successful' ? [paidBy('T1')] : [],
    differences: [],
    contradictions: [],
    open: [],
    undecided: false,
    settledOtherwise: false,
    unavailable: undefined,
    ...more,
  };
  return compareWithService(
    { state, currency: 'KES', amountMinor: 6495n, paidTwice } as Payout,
    held,
    searchable,
  ).map(({ kind }) => kind);
}

const unsent = { successful: ['paid-unawares'], pending: ['paid-unawares'], failed: ['not-ours'], none: [] };

/** What each state should find beside each status of the service's; none: nothing there. */
const expected: Record<PayoutState, Record<TransactionStatus | 'none', string[]>> = {
  paid: { successful: [], pending: ['not-paid'], failed: ['not-paid'], none: ['not-paid'] },
  submitted: { successful: ['behind'], pending: [], failed: ['behind'], none: ['not-paid'] },
  submitting: { successful: ['behind'], pending: ['behind'], failed: ['behind'], none: [] },
  unclear: { successful: ['behind'], pending: ['behind'], failed: ['behind'], none: [] },
  failed: { successful: ['paid-unawares'], pending: ['paid-unawares'], failed: [], none: ['not-ours'] },
  returned: { successful: ['paid-unawares'], pending: ['paid-unawares'], failed: [], none: ['not-ours'] },
  planned: unsent,
  ready: unsent,
  held: unsent,
  cancelled: unsent,
  refused: unsent,
};

describe('a payout beside what the service holds of it', () => {
  test.each(payoutStates)('%s', (state) => {
    for (const status of ['successful', 'pending', 'failed', 'none'] as const) {
      const here = found(state, { status: status === 'none' ? undefined : status });
      expect(here, `${state} beside ${status}`).toEqual(expected[state][status]);
    }
  });

  test('two successful transactions are paid twice, whatever else is said', () => {
    expect(found('paid', { status: 'successful', successful: [paidBy('T1'), paidBy('T2')] })).toEqual([
      'paid-twice',
    ]);
    expect(found('failed', { status: 'successful', successful: [paidBy('T1'), paidBy('T2')] })).toEqual([
      'paid-twice',
      'paid-unawares',
    ]);
    const three = [paidBy('T1'), paidBy('T2'), paidBy('T3')];
    const said = (count: number) =>
      found('paid', { status: 'successful', successful: three.slice(0, count) }, true, 'T2 T1');
    // The audit of the journal has said what that knows.
    expect([said(2), said(3)]).toEqual([[], ['paid-twice']]);
  });

  test('an amount that the service shows otherwise is named, and one that it does not show is not', () => {
    const beside = (shownMinor?: bigint) =>
      found('paid', { status: 'successful', successful: [paidBy('T1', shownMinor)] });
    expect(beside(6495n)).toEqual([]);
    expect(beside()).toEqual([]);
    expect(beside(6400n)).toEqual(['amount-differs']);
    expect(beside(6500n)).toEqual(['amount-differs']);
  });

  test('a paid one of which another transaction is open is named; of one that is pending that is no news', () => {
    const open = ['T2'];
    expect(found('paid', { status: 'successful', open })).toEqual(['still-open']);
    expect(found('submitted', { status: 'pending', open })).toEqual([]);
    expect(found('failed', { status: 'pending', open })).toEqual(['paid-unawares']);
  });

  test('status words that contradict each other are named beside what is called of it', () => {
    const contradictions = ['the service calls transaction T1 both FAILED and successful'];
    expect(found('submitted', { status: 'pending', contradictions })).toEqual(['status-contradicts']);
    expect(found('paid', { status: 'pending', contradictions })).toEqual(['status-contradicts', 'not-paid']);
  });

  test('what was not answered contradicts nothing, and is not taken for proof', () => {
    expect(found('paid', { unavailable: 'no answer' })).toEqual([]);
    expect(found('paid', { undecided: true })).toEqual(['not-checked']);
    expect(found('paid', {}, false)).toEqual(['not-checked']);
    expect(found('planned', { undecided: true })).toEqual([]);
    expect(found('paid', { differences: ['its amount is 5'] })).toEqual(['not-ours']);
  });
});

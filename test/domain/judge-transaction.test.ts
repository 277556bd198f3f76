import { describe, expect, test } from 'vitest';
import {
  isWithdrawal,
  type JudgedPayout,
  judgeTransaction,
  madeMs,
  type ShownTransaction,
  showsAccountOf,
  showsReference,
} from '../../src/domain/judge-transaction.ts';

const payout: JudgedPayout = {
  reference: '5f1c1a2e-0000-5000-8000-000000000001',
  currency: 'KES',
  amountMinor: 125_050n,
  number: '+254712000101',
};

const shown: ShownTransaction = {
  transactionId: 'TX1',
  type: 'withdrew',
  status: 'SUCCESSFUL',
  amount: 1250.5,
  currency: 'KES',
  externalReference: payout.reference,
  phoneNumber: '254712000101',
};

describe('a transaction is ours', () => {
  test.each<[string, Partial<ShownTransaction>]>([
    ['as it is', {}],
    ['with its reference in capitals', { externalReference: payout.reference.toUpperCase() }],
    ['without a reference', { externalReference: undefined }],
    ['with an empty reference', { externalReference: ' ' }],
    ['without a type', { type: null }],
    ['called a withdrawal', { type: 'Withdrawal' }],
    ['called a payout', { type: 'payout' }],
    ['in small letters', { currency: 'kes' }],
    ['without a currency', { currency: null }],
    ['with the amount as text', { amount: '1250.50' }],
    ['with a fraction that the list cut off', { amount: 1250 }],
    ['with a fraction that the list rounded up', { amount: 1251 }],
    ['without an amount', { amount: undefined }],
    ['with no amount to show', { amount: null }],
    [
      'with what was received beside what was debited',
      { amount: 9.68, currency: 'USD', receiverAmount: 1250.5, receiverCurrency: 'KES' },
    ],
    ['with a masked number', { phoneNumber: '2547xxxxx101' }],
    ['with no number at all', { phoneNumber: null, beneficiary: null }],
    [
      'with the number of its beneficiary',
      { phoneNumber: '', beneficiary: { accountNumber: '+254 712-000-101' } },
    ],
  ])('%s', (_, changes) => {
    expect(judgeTransaction({ ...shown, ...changes }, payout)).toEqual({
      kind: 'ours',
      status: 'successful',
    });
  });

  test.each([
    ['SUCCESSFUL', undefined, 'successful'],
    ['failed', undefined, 'failed'],
    ['PENDING', undefined, 'pending'],
    ['REVERSED', undefined, 'pending'],
    ['', 'Failed', 'failed'],
    [undefined, 'successful', 'successful'],
    [undefined, undefined, 'pending'],
    ['pending', 'successful', 'pending'],
  ])('and its status %s, its charge %s, is %s', (status, chargeStatus, meant) => {
    expect(judgeTransaction({ ...shown, status, chargeStatus }, payout)).toEqual({
      kind: 'ours',
      status: meant,
    });
  });
});

describe('a transaction is not ours', () => {
  test('where it carries another reference, whatever else agrees', () => {
    const other = { ...shown, externalReference: '5f1c1a2e-0000-5000-8000-000000000002' };
    expect(judgeTransaction(other, payout)).toEqual({ kind: 'other-reference' });
  });

  test.each<[string, Partial<ShownTransaction>, string]>([
    ['a deposit', { type: 'deposit' }, 'it is a deposit, not a withdrawal'],
    ['in another currency', { currency: 'UGX' }, 'it is in UGX, ours is in KES'],
    [
      'received in another currency',
      { receiverCurrency: 'TZS', receiverAmount: 1250.5 },
      'it is in TZS, ours is in KES',
    ],
    ['of another amount', { amount: 1250.51 }, 'its amount is 1250.51, ours is 1250.50'],
    ['of another whole amount', { amount: 1252 }, 'its amount is 1252, ours is 1250.50'],
    ['of a whole amount far below', { amount: 12 }, 'its amount is 12, ours is 1250.50'],
    ['of an amount that is none', { amount: 'much' }, 'its amount is much, ours is 1250.50'],
    ['to another phone', { phoneNumber: '254712000102' }, 'it went to another account'],
    [
      'to another account',
      { phoneNumber: null, beneficiary: { accountNumber: '0170299123495' } },
      'it went to another account',
    ],
  ])('where it is one %s', (_, changes, why) => {
    const judged = judgeTransaction({ ...shown, status: 'failed', ...changes }, payout);
    expect(judged).toEqual({ kind: 'differs', why, status: 'failed' });
  });

  test('where a whole amount of ours is shown as another whole one', () => {
    const whole = { ...payout, amountMinor: 125_000n };
    expect(judgeTransaction({ ...shown, amount: 1251 }, whole)).toMatchObject({ kind: 'differs' });
    expect(judgeTransaction({ ...shown, amount: 1250 }, whole)).toMatchObject({ kind: 'ours' });
  });

  test('where the other account has an X in its number: one letter is no mask', () => {
    const bank = { ...payout, number: '0170X99123495' };
    const went = (accountNumber: string) =>
      judgeTransaction({ ...shown, phoneNumber: null, beneficiary: { accountNumber } }, bank).kind;
    expect(went('0170x99123495')).toBe('ours');
    expect(went('0170X99123496')).toBe('differs');
  });

  test('where the service answers with another transaction than was asked for', () => {
    expect(judgeTransaction(shown, payout, 'TX2')).toEqual({
      kind: 'differs',
      why: 'the service answered with another transaction',
      status: 'successful',
    });
  });
});

describe('what a transaction shows', () => {
  test('its reference, if it says one', () => {
    expect(showsReference(shown)).toBe(true);
    expect(showsReference({ ...shown, externalReference: '' })).toBe(false);
    expect(showsReference({ ...shown, externalReference: null })).toBe(false);
  });

  test.each([
    ['withdrew', true],
    ['WITHDRAWAL', true],
    ['payout', true],
    [undefined, true],
    ['deposit', false],
    ['payouts', false],
    ['unwithdrew', false],
  ])('whether %s may have moved money out', (type, out) => {
    expect(isWithdrawal({ transactionId: 'TX1', type })).toBe(out);
  });

  test('its account: whole, and the payout’s own', () => {
    expect(showsAccountOf(shown, payout)).toBe(true);
    expect(showsAccountOf({ ...shown, phoneNumber: '2547xxxxx101' }, payout)).toBe(false);
    expect(showsAccountOf({ ...shown, phoneNumber: null }, payout)).toBe(false);
    const beneficiary = { accountNumber: '254712000101' };
    expect(showsAccountOf({ ...shown, phoneNumber: null, beneficiary }, payout)).toBe(true);
  });

  test.each([
    ['2026-11-15T08:00:00Z', Date.UTC(2026, 10, 15, 8)],
    ['2000-01-01T00:00:00Z', Date.UTC(2000, 0, 1)],
    ['1999-12-31T23:59:59Z', undefined],
    ['2026-11-15T12:00:00Z', Date.UTC(2026, 10, 15, 12)],
    ['2026-11-15T12:00:01Z', undefined],
    ['yesterday', undefined],
    [null, undefined],
  ])('when it was made: %s', (fullTimestamp, atMs) => {
    const nowMs = Date.UTC(2026, 10, 15, 12);
    expect(madeMs({ transactionId: 'TX1', fullTimestamp }, nowMs)).toBe(atMs);
  });
});

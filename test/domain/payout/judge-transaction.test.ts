import { describe, expect, test } from 'vitest';
import {
  isWithdrawal,
  judgeTransaction,
  madeMs,
  showsAccountOf,
  showsReference,
} from '../../../src/domain/payout/judge-transaction.ts';
import type { JudgedPayout, ShownTransaction } from '../../../src/domain/payout/shown-transaction.ts';

const payout: JudgedPayout = {
  reference: '5f1c1a2e-0000-5000-8000-000000000001',
  currency: 'KES',
  amountMinor: 125_050n,
  country: 'KE',
  destination: 'MoMo',
  number: '+254712000101',
  bankCode: '',
  operator: 'mpesa',
};

const bankPayout: JudgedPayout = {
  ...payout,
  destination: 'Bank Account',
  number: '0170299123495',
  bankCode: '68',
  operator: '',
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
    expect(judgeTransaction({ ...shown, ...changes }, payout)).toMatchObject({
      kind: 'ours',
      status: 'successful',
    });
  });

  test.each([
    ['SUCCESSFUL', undefined, 'successful'],
    ['SUCCESSFUL', 'successful', 'successful'],
    ['failed', undefined, 'failed'],
    ['failed', ' FAILED ', 'failed'],
    ['PENDING', undefined, 'pending'],
    ['PENDING', 'processing', 'pending'],
    ['REVERSED', undefined, 'pending'],
    ['', 'Failed', 'failed'],
    [undefined, 'successful', 'successful'],
    [undefined, undefined, 'pending'],
  ])('and its status %s, its charge %s, is %s', (status, chargeStatus, meant) => {
    const judged = judgeTransaction({ ...shown, status, chargeStatus }, payout);
    expect(judged).toMatchObject({ kind: 'ours', status: meant });
    expect(judged).not.toHaveProperty('contradiction');
  });

  test.each([
    ['SUCCESSFUL', 'failed'],
    ['FAILED', 'successful'],
    ['SUCCESSFUL', 'pending'],
    ['pending', 'successful'],
    ['FAILED', 'pending'],
    ['PENDING', 'failed'],
    ['FAILED', 'reversed'],
    ['REVERSED', 'successful'],
  ])(
    'and its status %s beside its charge %s contradict each other: pending, with both words',
    (status, chargeStatus) => {
      expect(judgeTransaction({ ...shown, status, chargeStatus }, payout)).toMatchObject({
        kind: 'ours',
        status: 'pending',
        contradiction: { status, chargeStatus },
      });
    },
  );

  test.each<[string, ShownTransaction['amount'], bigint | undefined]>([
    ['exactly', 1250.5, 125_050n],
    ['cut', 1250, 125_000n],
    ['rounded', '1251', 125_100n],
    ['not at all', undefined, undefined],
  ])('and what it shows to have paid is kept, be it shown %s', (_, amount, shownMinor) => {
    const judged = judgeTransaction({ ...shown, amount }, payout);
    expect(judged.kind === 'ours' ? judged.shownMinor : 'not ours').toBe(shownMinor);
  });
});

describe('what is shown of the payee', () => {
  const judge = (changes: Partial<ShownTransaction>, of: JudgedPayout = payout) => {
    const judged = judgeTransaction({ ...shown, phoneNumber: null, ...changes }, of);
    return judged.kind === 'differs' ? judged.why : judged.kind;
  };
  const account = 'it went to another account';

  test.each<[string, string]>([
    ['254712000101', 'ours'],
    ['+254 712 000 101', 'ours'],
    ['254712000102', account],
    ['2547****0101', 'ours'],
    ['2547****101', 'ours'],
    ['2547********101', 'ours'],
    ['2547*****102', account],
    ['2547****102', account],
    ['2557****101', account],
    ['******0101', 'ours'],
    ['******5678', account],
    ['XXXX0101', 'ours'],
    ['XXXX5678', account],
    ['2547xxxxx101', 'ours'],
    ['2547xx9xx101', account],
    ['2547••••0101', 'ours'],
    ['…0101', 'ours'],
    ['…5678', account],
    ['2547…', 'ours'],
    ['2567…', account],
    ['...0101', 'ours'],
    ['07******01', 'ours'],
    ['0712***101', 'ours'],
    ['0722***101', account],
    ['712***101', 'ours'],
    ['************', 'ours'],
    ['####0101', 'ours'],
    ['+254 712 *** 101', 'ours'],
    ['254712000101******0101', account],
  ])('of the number 254712000101: %s', (number, verdict) => {
    expect(judge({ phoneNumber: number })).toBe(verdict);
    expect(judge({ beneficiary: { accountNumber: number } })).toBe(verdict);
  });

  test.each<[string, string]>([
    ['017029******5', 'ours'],
    ['*********3495', 'ours'],
    ['XXXXXXXXX3496', account],
    ['01702 9912 3495', 'ours'],
    ['0170***3495', 'ours'],
    ['1170***3495', account],
  ])('of the account 0170299123495: %s', (accountNumber, verdict) => {
    expect(judge({ beneficiary: { accountNumber } }, bankPayout)).toBe(verdict);
  });

  test.each<[string, string]>([
    ['68', 'ours'],
    ['068', 'ours'],
    ['68000', 'ours'],
    ['0068', 'ours'],
    ['EQBLKENA', 'ours'],
    ['Equity Bank', 'ours'],
    ['some bank that nobody knows', 'ours'],
    ['7f3c-55', 'ours'],
    ['', 'ours'],
    ['11', 'it went to bank 11, ours goes to bank 68'],
    ['011', 'it went to bank 011, ours goes to bank 68'],
    ['11000', 'it went to bank 11000, ours goes to bank 68'],
    ['KCBLKENX', 'it went to bank KCBLKENX, ours goes to bank 68'],
    ['KCB Bank', 'it went to bank KCB Bank, ours goes to bank 68'],
    ['99', 'it went to bank 99, ours goes to bank 68'],
  ])('of the bank 68: %s', (bankCode, verdict) => {
    expect(judge({ beneficiary: { bankCode } }, bankPayout)).toBe(verdict);
  });

  test.each<[string, string, string, string]>([
    ['NG', '058', '58', 'ours'],
    ['NG', '058', '000013', 'ours'],
    ['NG', '058', '044', 'it went to bank 044, ours goes to bank 058'],
    ['MW', 'NBM', 'STD', 'it went to bank STD, ours goes to bank NBM'],
    ['SN', 'SN010', 'SN099', 'it went to bank SN099, ours goes to bank SN010'],
    ['SN', 'SN010', 'sn010', 'ours'],
  ])('of a bank in %s with the code %s: %s', (country, ownCode, bankCode, verdict) => {
    expect(judge({ beneficiary: { bankCode } }, { ...bankPayout, country, bankCode: ownCode })).toBe(verdict);
  });

  test.each<[string, string]>([
    ['mpesa', 'ours'],
    ['M-PESA', 'ours'],
    ['Safaricom', 'ours'],
    ['63902', 'ours'],
    ['airtel', 'it went by airtel, ours goes by mpesa'],
    ['Airtel Money', 'it went by Airtel Money, ours goes by mpesa'],
  ])('of the operator mpesa: %s', (bankCode, verdict) => {
    expect(judge({ beneficiary: { bankCode } })).toBe(verdict);
    expect(judge({ beneficiary: { bankCode } }, { ...payout, operator: '' })).toBe('ours');
  });

  test.each<[Partial<ShownTransaction>, string]>([
    [{ country: 'KE' }, 'ours'],
    [{ country: 'ke' }, 'ours'],
    [{ country: 'KEN' }, 'ours'],
    [{ country: 'Kenya' }, 'ours'],
    [{ country: 'XX' }, 'ours'],
    [{ country: 'Erewhon' }, 'ours'],
    [{ country: 'UG' }, 'it went to UG, ours goes to KE'],
    [{ country: 'ET' }, 'it went to ET, ours goes to KE'],
    [{ beneficiary: { country: 'Kenya' } }, 'ours'],
    [{ beneficiary: { country: 'Republic of Kenya' } }, 'ours'],
    [{ beneficiary: { country: 'Uganda' } }, 'it went to Uganda, ours goes to KE'],
    [{ beneficiary: { country: 'TZA' } }, 'it went to TZA, ours goes to KE'],
    [{ destination: 'MoMo' }, 'ours'],
    [{ destination: 'MOBILE_MONEY' }, 'ours'],
    [{ destination: 'payout' }, 'ours'],
    [{ destination: 'Bank Account' }, 'it went to a Bank Account, ours goes to MoMo'],
    [{ beneficiary: { destination: 'bank' } }, 'it went to a bank, ours goes to MoMo'],
    [{ beneficiary: { currency: 'kes' } }, 'ours'],
    [{ beneficiary: { currency: 'UGX' } }, 'it is in UGX, ours is in KES'],
    [{ receiverCurrency: '', currency: 'UGX' }, 'it is in UGX, ours is in KES'],
  ])('%o: %s', (changes, verdict) => {
    expect(judge(changes)).toBe(verdict);
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

  test.each(['SUCCESSFUL', 'FAILED'])(
    'where the service answers with another transaction than was asked for: that one’s %s says nothing of it',
    (status) => {
      expect(judgeTransaction({ ...shown, status }, payout, 'TX2')).toEqual({
        kind: 'differs',
        why: 'the service answered with another transaction',
        status: 'pending',
      });
    },
  );
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

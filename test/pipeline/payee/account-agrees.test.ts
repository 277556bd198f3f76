import { describe, expect, test } from 'vitest';
import {
  type AccountWanted,
  accountAgrees,
  accountDifferences,
} from '../../../src/pipeline/payee/account-agrees.ts';

const wanted: AccountWanted = {
  country: 'KE',
  currency: 'KES',
  destination: 'MoMo',
  bankCode: '',
  number: '+254712000101',
  operator: 'mpesa',
  branchCode: '',
};

const stored = (method: Readonly<Record<string, string | null>>, changes = {}) => ({
  externalAccountId: 'a1',
  country: 'KE',
  currency: 'KES',
  destination: 'MoMo',
  payoutMethod: { accountNumber: '254712000101', accountName: 'A', ...method },
  ...changes,
});

describe('an account is the payee’s', () => {
  test.each(['mpesa', 'M-PESA', 'Safaricom', ' safaricom ', '', null, '63902'])(
    'at the operator %j',
    (code) => {
      expect(accountAgrees(stored({ code }), wanted)).toBe(true);
    },
  );

  test.each(['airtel', 'Airtel Money', 'MTN'])('and not at the operator %j', (code) => {
    expect(accountAgrees(stored({ code }), wanted)).toBe(false);
    expect(accountDifferences(stored({ code }), wanted)).toBe(`operator ${code}, not mpesa`);
    expect(accountAgrees(stored({ code }), { ...wanted, operator: '' })).toBe(true);
  });

  test('in the branch of the row, where both name one', () => {
    const inBranch = { ...wanted, branchCode: '0101A' };
    expect(accountAgrees(stored({ branchCode: '0101a' }), inBranch)).toBe(true);
    expect(accountAgrees(stored({ branchCode: '' }), inBranch)).toBe(true);
    expect(accountAgrees(stored({ branchCode: '0202' }), inBranch)).toBe(false);
    expect(accountAgrees(stored({ branchCode: '0202' }), wanted)).toBe(true);
  });

  test('and never with another number, currency or destination', () => {
    expect(accountAgrees(stored({ accountNumber: '254712000102' }), wanted)).toBe(false);
    expect(accountAgrees(stored({}, { currency: 'USD' }), wanted)).toBe(false);
    expect(accountAgrees(stored({}, { destination: 'Bank Account' }), wanted)).toBe(false);
  });

  test('the code of a bank is no operator', () => {
    const atBank = { ...wanted, destination: 'Bank Account', bankCode: '68', operator: '' } as const;
    const there = stored({ code: '68', accountNumber: '254712000101' }, { destination: 'Bank Account' });
    expect(accountAgrees(there, atBank)).toBe(true);
    expect(accountAgrees(there, { ...atBank, bankCode: '01' })).toBe(false);
  });
});

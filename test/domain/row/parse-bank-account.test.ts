import { describe, expect, test } from 'vitest';
import { banks } from '../../../src/domain/reference-data/banks.ts';
import { findCountry } from '../../../src/domain/reference-data/countries.ts';
import { bankRow, codesOf, judgeRow, type Values } from './judge-row.ts';

const nigerian: Values = {
  ...bankRow,
  country: 'NG',
  currency: 'NGN',
  bankCode: '011',
  accountNumber: '0000014579',
};
const american: Values = {
  ...bankRow,
  country: 'US',
  currency: 'USD',
  bankCode: '021000021',
  accountNumber: '12345678',
};

function bankOf(values: Values, banksInConfig: Record<string, string> = {}): string {
  const judgement = judgeRow(values, { banks: banksInConfig });
  const { payee } = judgement.row ?? {};
  return [payee?.destination === 'Bank Account' ? payee.bankCode : [], codesOf(judgement)].flat().join(' ');
}

function accountOf(values: Values): string {
  const judgement = judgeRow(values);
  const { payee } = judgement.row ?? {};
  return [payee?.destination === 'Bank Account' ? payee.accountNumber : [], codesOf(judgement)]
    .flat()
    .join(' ');
}

describe('the bank', () => {
  test.each([
    ['68', '68'],
    ['68.0', '68 trailing-zero'],
    ['Equity Bank', '68'],
    ['EQUITY', '68'],
    ['Equity Bank (Kenya) Limited', '68'],
    ['EQBLKENA', '68'],
    ['EQBLKENAXXX', '68'],
    ['KCB', '01'],
    ['Kenya Commercial Bank', '01'],
    ['Co-operative Bank of Kenya', '11'],
    ['Coop Bank', '11'],
    ['I & M Bank', '57'],
    ['StanChart', '02'],
    ['1', '01 bank-code-leading-zero'],
    ['1.0', '01 trailing-zero bank-code-leading-zero'],
    ['7', '07 bank-code-leading-zero'],
    ['99', '99 bank-code-unknown'],
    ['NICKKENAXXX', 'NICKKENAXXX bank-code-unknown'],
    ['', 'bank-code-missing'],
    ['N/A', 'bank-code-missing'],
    ['Equitty', 'bank-name-unknown'],
    ['Equity Bank Uganda', 'bank-name-unknown'],
    ['Equity Trust', 'bank-name-unknown'],
    ['Bank', 'bank-name-unknown'],
    ['??', 'bank-code-unreadable'],
    ['#REF!', 'spreadsheet-error'],
  ])('in Kenya %s is %s', (bankCode, expected) => {
    expect(bankOf({ ...bankRow, bankCode })).toBe(expected);
  });

  test.each([
    ['44', '044 bank-code-leading-zero'],
    ['GTBank', '058 nuban-check-digit'],
    ['First Bank', '011'],
    ['UBA', '033'],
    ['United Bank for Africa', '033'],
    ['Barclays', 'bank-name-unknown'],
    ['OPay', '999992'],
  ])('in Nigeria %s is %s', (bankCode, expected) => {
    expect(bankOf({ ...nigerian, bankCode })).toBe(expected);
  });

  test('a lost zero of a US routing number is put back where a bank or the check digit says so', () => {
    expect(bankOf({ ...american, bankCode: '21000021' })).toBe('021000021 bank-code-leading-zero');
    expect(bankOf({ ...american, bankCode: '11000015' })).toBe('011000015 bank-code-leading-zero');
    expect(bankOf({ ...american, bankCode: '11000016' })).toBe('11000016 routing-number-check-digit');
  });

  test('a US routing number is judged by its check digit and not by our table', () => {
    expect(bankOf({ ...american, bankCode: '111000025' })).toBe('111000025');
    expect(bankOf({ ...american, bankCode: '111000026' })).toBe('111000026 routing-number-check-digit');
  });

  test('the configuration comes first, whatever the spelling of the name', () => {
    expect(bankOf({ ...bankRow, bankCode: 'family BANK' }, { 'Family Bank': '70' })).toBe('70');
    expect(bankOf({ ...bankRow, bankCode: 'Equity' }, { equity: '99' })).toBe('99');
  });

  test('an unknown name gets a suggestion and the key of the configuration', () => {
    const message = judgeRow({ ...bankRow, bankCode: 'Equitty' }).problems[0]?.message;
    expect(message).toContain('Did you mean Equity Bank (68)?');
    expect(message).toContain('under "banks"');
  });

  test('every bank of the table is found by its code and by its name', () => {
    for (const bank of banks) {
      const currency = findCountry(bank.country)?.currency ?? '';
      const values = { ...bankRow, country: bank.country, currency, branchCode: '001', amount: '5000' };
      const accountNumber = '0'.repeat(bank.country === 'NG' ? 9 : 5).padEnd(10, '1');
      for (const bankCode of [bank.code, bank.code.toLowerCase(), bank.name, bank.name.toUpperCase()]) {
        expect(judgeRow({ ...values, accountNumber, bankCode }).row?.payee).toMatchObject({
          bankCode: bank.code,
        });
      }
    }
  });
});

describe('the account number', () => {
  test.each([
    ['0123456789012', '0123456789012'],
    ['012-3456 789012', '0123456789012'],
    ['0123456789012.0', '0123456789012 trailing-zero'],
    ['="0123456789012"', '0123456789012 text-mark'],
    ['ab12345678', 'AB12345678'],
    ['12345', '12345 account-number-odd-length'],
    ['1234567890123450', '1234567890123450 account-number-odd-length account-number-rounded'],
    ['123', 'account-number-length'],
    ['1'.repeat(35), 'account-number-length'],
    ['1234.5678', 'account-number-unreadable'],
    ['0000000000', 'account-number-unreadable'],
    ['12345é', 'account-number-unreadable'],
    ['1.23457E+12', 'scientific-notation'],
    ['12-Mar', 'account-number-date'],
    ['2026-03-12', 'account-number-date'],
    ['12E45678901', '12E45678901'],
  ])('in Kenya %s is %s', (accountNumber, expected) => {
    expect(accountOf({ ...bankRow, accountNumber })).toBe(expected);
  });

  test('a Nigerian one has ten digits, or nine whose check digit fits with the zero back', () => {
    expect(accountOf(nigerian)).toBe('0000014579');
    expect(accountOf({ ...nigerian, accountNumber: '000014579' })).toBe('0000014579 account-leading-zero');
    expect(accountOf({ ...nigerian, accountNumber: '000014578' })).toBe('nuban-length');
    expect(accountOf({ ...nigerian, accountNumber: '14579' })).toBe('nuban-length');
    expect(accountOf({ ...nigerian, accountNumber: '00000145790' })).toBe('nuban-length');
    expect(accountOf({ ...nigerian, accountNumber: '000014579', bankCode: 'OPay' })).toBe('nuban-length');
  });

  test('a Nigerian check digit that does not fit only warns, and wallets are not asked for one', () => {
    expect(accountOf({ ...nigerian, accountNumber: '0000014570' })).toBe('0000014570 nuban-check-digit');
    expect(accountOf({ ...nigerian, accountNumber: '8031234567', bankCode: 'OPay' })).toBe('8031234567');
  });

  test('an RIB of another length only warns', () => {
    const ivorian = { ...bankRow, country: 'CI', currency: 'XOF', amount: '5000', bankCode: 'CI008' };
    expect(accountOf({ ...ivorian, accountNumber: 'CI00801001012345678912 34' })).toBe(
      'CI0080100101234567891234',
    );
    expect(accountOf({ ...ivorian, accountNumber: '012345678912' })).toBe(
      '012345678912 account-number-odd-length',
    );
  });
});

describe('the branch', () => {
  test('Uganda and Tanzania need one, for mobile money too', () => {
    const ugandan = { ...bankRow, country: 'UG', currency: 'UGX', amount: '5000', bankCode: '04' };
    expect(codesOf(judgeRow(ugandan))).toEqual(['branch-code-missing']);
    expect(judgeRow({ ...ugandan, branchCode: '0001' }).row?.payee).toMatchObject({ branchCode: '0001' });
    const mobile = { ...ugandan, accountNumber: '', phoneNumber: '0772123456' };
    expect(codesOf(judgeRow(mobile))).toEqual(['branch-code-missing']);
    expect(judgeRow({ ...mobile, branchCode: '0001' }).row?.payee).toMatchObject({ branchCode: '0001' });
  });

  test('elsewhere it may be missing', () => {
    expect(judgeRow({ ...bankRow, branchCode: '' }).row?.payee).toMatchObject({ branchCode: undefined });
    expect(judgeRow({ ...bankRow, branchCode: '100.0' }).row?.payee).toMatchObject({ branchCode: '100' });
  });

  test('it holds letters and digits', () => {
    expect(codesOf(judgeRow({ ...bankRow, branchCode: 'Main, Nairobi' }))).toEqual([
      'branch-code-unreadable',
    ]);
  });

  test('in South Africa another length than six digits warns', () => {
    const african = {
      ...bankRow,
      country: 'ZA',
      currency: 'ZAR',
      bankCode: '470010',
      accountNumber: '1234567890',
    };
    expect(codesOf(judgeRow({ ...african, branchCode: '470010' }))).toEqual([]);
    expect(codesOf(judgeRow({ ...african, branchCode: '51001' }))).toEqual(['branch-code-odd-length']);
    expect(codesOf(judgeRow(african))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import {
  type RowProblemCode,
  type RowRepairCode,
  rowProblems,
  rowRepairs,
} from '../../../src/domain/problems/row-problems.ts';
import { bankRow, codesOf, judgeRow, mobileRow, type Values } from './judge-row.ts';

const nigerian: Values = {
  ...bankRow,
  country: 'NG',
  currency: 'NGN',
  bankCode: '011',
  accountNumber: '0000014579',
};
const american: Values = { ...bankRow, country: 'US', currency: 'USD', bankCode: '021000021' };

/** One row for every code of the catalogue. */
const examples: Record<RowProblemCode | RowRepairCode, Values> = {
  'cell-too-long': { ...mobileRow, accountName: 'x'.repeat(2000) },
  'control-characters': { ...mobileRow, accountName: 'Mary\u0007' },
  'spreadsheet-error': { ...mobileRow, amount: '#####' },
  formula: { ...mobileRow, amount: '=SUM(A1:A9)' },
  'scientific-notation': { ...mobileRow, phoneNumber: '2.54708E+11' },

  'payment-id-missing': { ...mobileRow, paymentId: '' },
  'payment-id-too-long': { ...mobileRow, paymentId: 'x'.repeat(201) },
  'payment-id-date': { ...mobileRow, paymentId: '12-Mar' },

  'name-missing': { ...mobileRow, accountName: '' },
  'name-without-letters': { ...mobileRow, accountName: '17' },
  'name-too-long': { ...mobileRow, accountName: 'x'.repeat(201) },
  'name-incomplete': { ...mobileRow, accountName: '', firstName: 'Mary' },
  'name-hidden-characters': { ...mobileRow, accountName: 'Mary\u200b Kamau' },
  'name-looks-like-id': { ...mobileRow, accountName: 'E17' },
  'name-garbled': { ...mobileRow, accountName: 'JosÃ©' },
  'name-mixed-scripts': { ...mobileRow, accountName: 'Маry' },

  'country-missing': { ...mobileRow, country: '' },
  'country-unknown': { ...mobileRow, country: 'Atlantis' },

  'currency-missing': { ...mobileRow, currency: '' },
  'currency-unknown': { ...mobileRow, currency: 'EUR' },
  'currency-not-payable': { ...mobileRow, currency: 'NGN' },

  'amount-missing': { ...mobileRow, amount: '' },
  'amount-unreadable': { ...mobileRow, amount: 'much' },
  'amount-grouping': { ...mobileRow, amount: '1,00,000' },
  'amount-ambiguous': { ...mobileRow, amount: '1.200' },
  'amount-decimal-conflict': { ...mobileRow, amount: '12,50' },
  'amount-currency-conflict': { ...mobileRow, amount: '$500' },
  'amount-exponent': { ...mobileRow, amount: '1E3' },
  'amount-negative': { ...mobileRow, amount: '-500' },
  'amount-zero': { ...mobileRow, amount: '0' },
  'amount-decimals': { ...mobileRow, amount: '1250.505' },
  'amount-too-large': { ...mobileRow, amount: '1'.repeat(15) },

  'destination-missing': { ...mobileRow, phoneNumber: '' },
  'destination-unknown': { ...mobileRow, destination: 'Cheque' },
  'destination-unclear': { ...mobileRow, ...bankRow },
  'destination-conflict': { ...mobileRow, destination: 'Bank' },

  'momo-not-available': { ...nigerian, accountNumber: '', phoneNumber: '08021234567' },
  'phone-missing': { ...mobileRow, phoneNumber: '', destination: 'MoMo' },
  'phone-unreadable': { ...mobileRow, phoneNumber: 'home' },
  'phone-several': { ...mobileRow, phoneNumber: '0712345678 / 0722345678' },
  'phone-too-short': { ...mobileRow, phoneNumber: '07123' },
  'phone-too-long': { ...mobileRow, phoneNumber: '07123456789' },
  'phone-not-mobile': { ...mobileRow, phoneNumber: '0202345678' },
  'phone-other-country': { ...mobileRow, phoneNumber: '+256772123456' },
  'operator-unknown': { ...mobileRow, operator: 'Nobody' },

  'account-number-missing': { ...bankRow, accountNumber: '', destination: 'Bank' },
  'account-number-unreadable': { ...bankRow, accountNumber: '12*45' },
  'account-number-length': { ...bankRow, accountNumber: '123' },
  'account-number-date': { ...bankRow, accountNumber: '12-Mar' },
  'account-number-odd-length': { ...bankRow, accountNumber: '12345' },
  'account-number-rounded': { ...bankRow, accountNumber: '1234567890123450' },
  'nuban-length': { ...nigerian, accountNumber: '12345' },
  'nuban-check-digit': { ...nigerian, accountNumber: '0000014570' },

  'bank-code-missing': { ...bankRow, bankCode: '' },
  'bank-code-unreadable': { ...bankRow, bankCode: '??' },
  'bank-name-unknown': { ...bankRow, bankCode: 'Nobody' },
  'bank-code-unknown': { ...bankRow, bankCode: '99' },
  'routing-number-check-digit': { ...american, bankCode: '021000022' },

  'branch-code-missing': { ...bankRow, country: 'UG', currency: 'UGX', amount: '5000' },
  'branch-code-unreadable': { ...bankRow, branchCode: 'Main, Nairobi' },
  'branch-code-odd-length': { ...bankRow, country: 'ZA', currency: 'ZAR', branchCode: '51001' },

  'debit-currency-unknown': { ...mobileRow, debitCurrency: 'EUR' },
  'debit-country-missing': { ...mobileRow, debitCurrency: 'USD' },
  'debit-country-unknown': { ...mobileRow, debitCountry: 'Atlantis' },
  'debit-country-wrong': { ...mobileRow, debitCountry: 'UG' },

  'narration-too-long': { ...mobileRow, narration: 'x'.repeat(200) },
  'narration-unreadable': { ...mobileRow, narration: '#REF!' },

  'hidden-characters': { ...mobileRow, phoneNumber: '\u202a0712345678' },
  'text-mark': { ...mobileRow, phoneNumber: '="0712345678"' },
  'trailing-zero': { ...mobileRow, phoneNumber: '254712345678.0' },
  'digit-grouping': { ...mobileRow, phoneNumber: '254,712,345,678' },
  'phone-leading-zero': { ...mobileRow, phoneNumber: '712345678' },
  'phone-extra-zero': { ...mobileRow, country: 'BW', currency: 'BWP', phoneNumber: '071123456' },
  'account-leading-zero': { ...nigerian, accountNumber: '000014579' },
  'bank-code-leading-zero': { ...bankRow, bankCode: '1' },
};

const problemExamples = Object.entries(examples).filter(([code]) => code in rowProblems);

describe('every code of the catalogue', () => {
  test.each(Object.entries(examples))('%s is found in its example', (code, values) => {
    const context = code === 'amount-decimal-conflict' ? ({ decimal: 'point' } as const) : {};
    expect(codesOf(judgeRow(values, context))).toContain(code);
  });

  test.each(problemExamples)('%s keeps the row from being paid only if it is blocking', (code, values) => {
    const context = code === 'amount-decimal-conflict' ? ({ decimal: 'point' } as const) : {};
    const { row, problems } = judgeRow(values, context);
    expect(row === undefined).toBe(problems.some(({ blocking }) => blocking));
    expect(problems.find((problem) => problem.code === code)?.blocking).toBe(
      rowProblems[code as RowProblemCode].blocking,
    );
  });

  test.each(problemExamples)(
    'the message of %s is whole sentences, and short enough to read',
    (code, values) => {
      const context = code === 'amount-decimal-conflict' ? ({ decimal: 'point' } as const) : {};
      for (const { message, value } of judgeRow(values, context).problems) {
        expect(message).toMatch(/^[A-Z].*\.$/);
        expect(message.length).toBeLessThan(420);
        expect(value.length).toBeLessThanOrEqual(80);
      }
    },
  );

  test('codes are kebab-case and no repair shares the code of a problem', () => {
    for (const code of Object.keys(examples)) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(Object.keys(rowRepairs).filter((code) => code in rowProblems)).toEqual([]);
  });
});

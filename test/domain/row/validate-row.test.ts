import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateRow } from '../../../src/domain/row/validate-row.ts';
import { type Field, fields } from '../../../src/domain/row.ts';
import { bankRow, codesOf, judgeRow, mobileRow, plainContext, type Values } from './judge-row.ts';

describe('a row without fault', () => {
  test('to mobile money', () => {
    expect(judgeRow({ ...mobileRow, operator: 'Safaricom', narration: 'November' })).toEqual({
      row: {
        line: 7,
        paymentId: 'EMP-17',
        accountName: 'Mary Wanjiku Kamau',
        country: 'KE',
        currency: 'KES',
        amountMinor: 125050n,
        payee: {
          destination: 'MoMo',
          country: 'KE',
          phoneNumber: '+254712345678',
          operator: 'mpesa',
          branchCode: undefined,
        },
        debitCurrency: undefined,
        debitCountry: undefined,
        narration: 'November',
      },
      problems: [],
      repairs: [],
    });
  });

  test('to a bank', () => {
    expect(judgeRow(bankRow).row?.payee).toEqual({
      destination: 'Bank Account',
      country: 'KE',
      bankCode: '68',
      accountNumber: '0123456789012',
      branchCode: undefined,
    });
  });
});

test('every problem of a row is said at once, each under the header of the file', () => {
  const values: Values = {
    paymentId: '',
    accountName: '17',
    country: 'Kenya',
    currency: 'EUR',
    amount: '0',
    phoneNumber: '07123',
    debitCurrency: 'XYZ',
    narration: '#REF!',
  };
  const { row, problems } = judgeRow(values, { columns: { amount: 'Net Pay', phoneNumber: 'Mobile' } });
  expect(row).toBeUndefined();
  expect(problems.map(({ column, code }) => [column, code])).toEqual([
    ['paymentId', 'payment-id-missing'],
    ['accountName', 'name-without-letters'],
    ['currency', 'currency-unknown'],
    ['Net Pay', 'amount-zero'],
    ['Mobile', 'phone-too-short'],
    ['debitCurrency', 'debit-currency-unknown'],
    ['narration', 'narration-unreadable'],
  ]);
});

test('warnings and repairs leave the row payable', () => {
  const judgement = judgeRow({ ...bankRow, accountNumber: '12345', bankCode: '1', paymentId: '12-Mar' });
  expect(codesOf(judgement)).toEqual([
    'payment-id-date',
    'account-number-odd-length',
    'bank-code-leading-zero',
  ]);
  expect(judgement.row).toBeDefined();
});

test('an empty row says what is missing and does not fail', () => {
  expect(codesOf(judgeRow({}))).toEqual([
    'payment-id-missing',
    'name-missing',
    'country-missing',
    'currency-missing',
    'amount-missing',
    'destination-missing',
  ]);
});

describe('whatever the cells hold', () => {
  const fragments = fc.constantFrom(
    '0712345678',
    '+254',
    '1,200.50',
    '1.200',
    '-',
    '(',
    ')',
    '#N/A',
    '=',
    '"',
    "'",
    'E+11',
    ' ',
    '\u00a0',
    '\u202e',
    '\u0000',
    'KES',
    'KSh',
    '/=',
    'Kenya',
    'MoMo',
    'bank',
    'Equity',
    '12-Mar',
    '.0',
    '€',
    '𝟙',
    '\ud800',
    'Ã©',
    '0',
    '9999999999',
  );
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.array(fragments, { maxLength: 8 }).map((parts) => parts.join('')),
  );
  const base = fc.constantFrom(mobileRow, bankRow, {});
  const changes = fc.dictionary(fc.constantFrom(...fields), cell) as fc.Arbitrary<
    Partial<Record<Field, string>>
  >;
  const context = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    decimal: fc.constantFrom(undefined, 'point' as const, 'comma' as const),
    decimalCommaSeen: fc.boolean(),
    hasPaymentIdColumn: fc.boolean(),
  });

  test('a row is judged without failing, and is payable or says why not', () => {
    fc.assert(
      fc.property(base, changes, context, (values, changed, given) => {
        const { row, problems, repairs } = judgeRow({ ...values, ...changed }, given);
        expect(row === undefined).toBe(problems.some(({ blocking }) => blocking));
        for (const { message, value } of problems)
          expect(message + value).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
        for (const { message, from, to } of repairs)
          expect(message + from + to).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
        if (!row) return;
        expect(row.amountMinor > 0n && row.amountMinor < 10n ** 15n).toBe(true);
        if (row.payee.destination === 'MoMo') expect(row.payee.phoneNumber).toMatch(/^\+[1-9]\d{7,14}$/);
        else expect(row.payee.accountNumber).toMatch(/^[A-Z0-9]{4,34}$/);
      }),
      { numRuns: 3000 },
    );
  });

  test('a payable row written out in canonical form is judged to be itself, without repairs', () => {
    fc.assert(
      fc.property(base, changes, (values, changed) => {
        const { row } = judgeRow({ ...values, ...changed });
        if (!row) return;
        const { payee } = row;
        const again = judgeRow({
          paymentId: row.paymentId ?? '',
          accountName: row.accountName,
          country: row.country,
          currency: row.currency,
          amount: `${row.amountMinor / 100n}.${String(row.amountMinor % 100n).padStart(2, '0')}`,
          destination: payee.destination,
          ...(payee.destination === 'MoMo'
            ? { phoneNumber: payee.phoneNumber, operator: payee.operator ?? '' }
            : { accountNumber: payee.accountNumber, bankCode: payee.bankCode }),
          branchCode: payee.branchCode ?? '',
          debitCurrency: row.debitCurrency ?? '',
          debitCountry: row.debitCountry ?? '',
          narration: row.narration ?? '',
        });
        if (['KES', 'USD', 'NGN'].includes(row.currency)) expect(again).toMatchObject({ row, repairs: [] });
      }),
      { numRuns: 1000 },
    );
  });

  test('cells of a hundred kilobytes take no time', () => {
    const size = 100_000;
    const hostile = [
      'x',
      '1',
      '0',
      ' ',
      ',',
      '.',
      '-',
      "'",
      '=',
      '"',
      '#',
      '+',
      '(',
      '/',
      '\u0000',
      '\u200b',
      '\u0301',
      '1,',
      '1.',
      '1 ',
      'a ',
      '12-',
      'KSh ',
      '1e',
      '<',
      '\ud800',
      '😀',
      '="',
    ].map((unit) => unit.repeat(Math.ceil(size / unit.length)));
    const started = performance.now();
    for (const text of hostile) {
      for (const wrapped of [text, `1${text}1`, `="${text}"`, `a${text}`]) {
        const values = Object.fromEntries(fields.map((field) => [field, wrapped]));
        expect(validateRow({ line: 1, cells: [], values, payrun: {} }, plainContext).row).toBeUndefined();
        for (const row of [mobileRow, bankRow]) {
          for (const field of Object.keys(row)) judgeRow({ ...row, [field]: wrapped, narration: wrapped });
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('cells just short enough to be read take no time either', () => {
    const started = performance.now();
    for (const unit of [
      '1',
      '1,',
      '1.',
      '1 ',
      '0',
      '(',
      "1'",
      'a',
      'a ',
      'a-',
      '=',
      '+1',
      '-',
      '1-',
      'é',
      '\u0301',
      'KSh',
    ]) {
      const text = unit.repeat(Math.floor(999 / unit.length));
      for (const wrapped of [text, `${text}!`, `1${text.slice(2)}E`]) {
        for (const row of [mobileRow, bankRow])
          for (const field of fields) judgeRow({ ...row, [field]: wrapped });
      }
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalFromMinor } from '../../../src/domain/money/money.ts';
import { currencies } from '../../../src/domain/reference-data/countries.ts';
import { decimalMarkOfAmount, parseAmount, plainAmount } from '../../../src/domain/row/parse-amount.ts';
import { readCell } from '../../../src/domain/row/read-cell.ts';
import { RowFindings } from '../../../src/domain/row/row-findings.ts';
import type { RowContext } from '../../../src/domain/row/validate-row.ts';
import { bankRow, codesOf, judgeRow, mobileRow, plainContext, type Values } from './judge-row.ts';

const rowIn: Record<string, Values> = {
  KES: mobileRow,
  UGX: { ...mobileRow, country: 'UG', currency: 'UGX', phoneNumber: '0772123456', branchCode: '0001' },
  XOF: { ...mobileRow, country: 'CI', currency: 'XOF', phoneNumber: '0707123456' },
  NGN: { ...bankRow, country: 'NG', currency: 'NGN', accountNumber: '0000014579', bankCode: '011' },
  GHS: { ...mobileRow, country: 'GH', currency: 'GHS', phoneNumber: '0244123456' },
  USD: { ...bankRow, country: 'US', currency: 'USD', accountNumber: '12345678', bankCode: '021000021' },
  ZMW: { ...mobileRow, country: 'ZM', currency: 'ZMW', phoneNumber: '0972123456' },
};

/** The amount in plain decimals, or the code of the problem. */
function amountOf(amount: string, currency = 'KES', context: Partial<RowContext> = {}): string {
  const judgement = judgeRow({ ...rowIn[currency], amount }, context);
  const decimals = currencies.find(({ code }) => code === currency)?.decimals ?? 0;
  return judgement.row ? decimalFromMinor(judgement.row.amountMinor, decimals) : codesOf(judgement).join(' ');
}

describe('separators that leave no doubt', () => {
  test.each([
    ['1250', '1250.00'],
    ['1250.5', '1250.50'],
    ['1250,5', '1250.50'],
    ['12,50', '12.50'],
    ['1.2', '1.20'],
    ['1,200.50', '1200.50'],
    ['1.200,50', '1200.50'],
    ['1 200,50', '1200.50'],
    ['1 200.50', '1200.50'],
    ['1\u00a0200,50', '1200.50'],
    ['1\u202f200,50', '1200.50'],
    ["1'200.50", '1200.50'],
    ['1’200.50', '1200.50'],
    ['1 200', '1200.00'],
    ['1,200,000', '1200000.00'],
    ['1.200.000', '1200000.00'],
    ['1.200.000,75', '1200000.75'],
    ['1,200,000.75', '1200000.75'],
    ['0.500', '0.50'],
    ['0,500', '0.50'],
    ['.50', '0.50'],
    ['1234.5600', '1234.56'],
    ['000500', '500.00'],
    ['+500', '500.00'],
    ['1,200.500', '1200.50'],
  ])('%s is %s', (amount, expected) => {
    expect(amountOf(amount)).toBe(expected);
  });
});

describe('one separator before three digits', () => {
  test('no flag is proposed for which the other amounts of the file would be refused', () => {
    const remedyOf = (amount: string, context: Partial<RowContext>) =>
      judgeRow({ ...mobileRow, amount }, context).problems.map(({ code, remedy }) => [code, remedy]);
    const ambiguous = (remedy?: string) => [['amount-ambiguous', remedy]];
    expect(remedyOf('10.505', {})).toEqual(ambiguous('--decimal comma'));
    expect(remedyOf('10.505', { decimalCommaSeen: true })).toEqual(ambiguous('--decimal comma'));
    expect(remedyOf('10.505', { decimalPointSeen: true })).toEqual(ambiguous());
    expect(remedyOf('1.200', { decimalPointSeen: true })).toEqual(ambiguous());
    expect(remedyOf('12,500', { delimiter: ';', decimalCommaSeen: true })).toEqual(ambiguous());
  });

  test('a point is refused until --decimal says what it is', () => {
    expect(amountOf('1.200')).toBe('amount-ambiguous');
    expect(amountOf('1.200', 'KES', { decimalPointSeen: true })).toBe('amount-ambiguous');
    expect(amountOf('1.200', 'KES', { decimalCommaSeen: true })).toBe('amount-ambiguous');
    expect(amountOf('1.200', 'UGX')).toBe('amount-ambiguous');
    expect(amountOf('1.200', 'KES', { decimal: 'comma' })).toBe('1200.00');
    expect(amountOf('1.200', 'KES', { decimal: 'point' })).toBe('1.20');
  });

  test('a comma parts thousands, unless the file speaks for a decimal comma', () => {
    expect(amountOf('12,500')).toBe('12500.00');
    expect(amountOf('12,500', 'KES', { delimiter: '\t' })).toBe('12500.00');
    expect(amountOf('12,500', 'KES', { delimiter: ';' })).toBe('amount-ambiguous');
    expect(amountOf('12,500', 'KES', { decimalCommaSeen: true })).toBe('amount-ambiguous');
    expect(amountOf('12,500', 'KES', { delimiter: ';', decimal: 'point' })).toBe('12500.00');
    expect(amountOf('12,500', 'KES', { decimal: 'comma' })).toBe('12.50');
  });

  test.each([
    ['1000,000', '1000.00'],
    ['12500,000', '12500.00'],
    ['1000,500', '1000.50'],
  ])(
    '%s has too long a group for thousands, and no certain decimals: refused until --decimal says which',
    (amount, decimals) => {
      for (const context of [
        {},
        { delimiter: ';' },
        { decimalCommaSeen: true },
        { decimalPointSeen: true },
      ]) {
        expect(amountOf(amount, 'KES', context)).toBe('amount-ambiguous');
      }
      expect(amountOf(amount, 'KES', { decimal: 'comma' })).toBe(decimals);
      expect(amountOf(amount, 'KES', { decimal: 'point' })).toBe('amount-grouping');
      expect(decimalMarkOfAmount(amount)).toBeUndefined();
    },
  );

  test('a point behind such a group parts decimals, unless the file speaks for a decimal comma', () => {
    expect(amountOf('1000.000')).toBe('1000.00');
    expect(amountOf('1250.505')).toBe('amount-decimals');
    expect(amountOf('1000.000', 'KES', { delimiter: ';' })).toBe('amount-ambiguous');
    expect(amountOf('1000.000', 'KES', { decimalCommaSeen: true })).toBe('amount-ambiguous');
    expect(amountOf('1000.000', 'KES', { delimiter: ';', decimal: 'point' })).toBe('1000.00');
    expect(amountOf('1000.000', 'KES', { decimal: 'comma' })).toBe('amount-grouping');
  });

  test('no flag is offered that would refuse the amount again', () => {
    const message = (amount: string, row = mobileRow) => judgeRow({ ...row, amount }).problems[0]?.message;
    expect(message('1000,000')).toBe(
      'The amount 1000,000 could be 1000000 or 1000.00. Write 1000000 or 1000.00, or run again with --decimal comma (1000.00).',
    );
    expect(message('1000,500', rowIn['UGX'])).toBe(
      'The amount 1000,500 could be 1000500 or 1000.5, but UGX has no decimals. Write 1000500.',
    );
  });

  test('the message names both readings and what other amounts show', () => {
    const { problems } = judgeRow({ ...mobileRow, amount: '1.200' }, { decimalPointSeen: true });
    expect(problems[0]?.message).toBe(
      'The amount 1.200 could be 1200 or 1.20. Write 1200 or 1.20, or run again with --decimal comma (1200) or --decimal point (1.20). Other amounts of this file have a decimal point.',
    );
  });
});

describe('--decimal against the amount itself', () => {
  test.each([
    ['12,50', 'point'],
    ['1.200,50', 'point'],
    ['1.200.000', 'point'],
    ['1.2', 'comma'],
    ['1,200.50', 'comma'],
    ['1,200,000', 'comma'],
  ] as const)('%s contradicts --decimal %s', (amount, decimal) => {
    expect(amountOf(amount, 'KES', { decimal })).toBe('amount-decimal-conflict');
  });
});

describe('separators that make no number', () => {
  test.each([
    '1,00,000',
    '12,34,567.50',
    '1,2,3',
    '1.200.50',
    '12 50',
    '0,500,000',
    '1234,567.50',
    '012,500',
  ])('%s has groups that are not thousands', (amount) => {
    expect(amountOf(amount)).toBe('amount-grouping');
  });

  test.each([
    '1,200 300',
    '1.200 300,5',
    '.500,2',
    '1,200.300,5',
    '12..5',
    '500.',
    '500-600',
    'twelve',
    '1 2 3 x',
    '①②',
    '٥٠٠',
    '５００',
    '12k',
    '5M',
    '$.50',
    'KES.500',
  ])('%s is not a number', (amount) => {
    expect(amountOf(amount)).toBe('amount-unreadable');
  });
});

describe('currency signs', () => {
  test.each([
    ['KSh 12,500.00', 'KES', '12500.00'],
    ['Ksh.12,500', 'KES', '12500.00'],
    ['KES12500', 'KES', '12500.00'],
    ['12500 kes', 'KES', '12500.00'],
    ['12,500/=', 'KES', '12500.00'],
    ['12,500/-', 'KES', '12500.00'],
    ['Shs 500', 'KES', '500.00'],
    ['₦5 000', 'NGN', '5000.00'],
    ['N5,000.75', 'NGN', '5000.75'],
    ['12 500 CFA', 'XOF', '12500'],
    ['12 500 F CFA', 'XOF', '12500'],
    ['12500 F', 'XOF', '12500'],
    ['12 500,00 FCFA', 'XOF', '12500'],
    ['GH₵ 50.25', 'GHS', '50.25'],
    ['US$ 50', 'USD', '50.00'],
    ['K500', 'ZMW', '500.00'],
  ])('%s in %s is %s', (amount, currency, expected) => {
    expect(amountOf(amount, currency)).toBe(expected);
  });

  test.each([
    ['USD 500', 'KES'],
    ['$500', 'KES'],
    ['₦500', 'GHS'],
    ['500/=', 'NGN'],
    ['KSh 500', 'UGX'],
    ['12 500,50 CFA', 'KES'],
  ])('%s is not an amount in %s', (amount, currency) => {
    expect(amountOf(amount, currency)).toBe('amount-currency-conflict');
  });

  test('a point that may abbreviate or begin a fraction is refused where both are possible', () => {
    expect(amountOf('Ksh.50')).toBe('amount-ambiguous');
    expect(amountOf('Ksh. 50')).toBe('50.00');
    expect(amountOf('Ksh .50')).toBe('amount-unreadable');
  });
});

describe('what is no payable amount', () => {
  test.each([
    ['', 'amount-missing'],
    ['0', 'amount-zero'],
    ['0.00', 'amount-zero'],
    ['-', 'amount-zero'],
    ['KSh -', 'amount-zero'],
    ['-500', 'amount-negative'],
    ['−500', 'amount-negative'],
    ['500-', 'amount-negative'],
    ['(1,200.00)', 'amount-negative'],
    ['KSh (500)', 'amount-negative'],
    ['-KSh 500', 'amount-negative'],
    ['1.2E+5', 'amount-exponent'],
    ['1e3', 'amount-exponent'],
    ['1.005', 'amount-ambiguous'],
    ['12.345,678', 'amount-decimals'],
    ['1234.567', 'amount-decimals'],
    ['12345678901234', 'amount-too-large'],
    ['9'.repeat(500), 'amount-too-large'],
    ['=B2*C2', 'formula'],
  ])('%s is %s', (amount, code) => {
    expect(amountOf(amount)).toBe(code);
  });

  test('fifteen digits are the most, cents included', () => {
    expect(amountOf('9999999999999.99')).toBe('9999999999999.99');
    expect(amountOf('10000000000000.00')).toBe('amount-too-large');
    expect(amountOf('999999999999999', 'UGX')).toBe('999999999999999');
    expect(amountOf('1000000000000000', 'UGX')).toBe('amount-too-large');
  });

  test('a currency without decimals takes zeros behind the separator and nothing else', () => {
    expect(amountOf('1250.00', 'UGX')).toBe('1250');
    expect(amountOf('1250.50', 'UGX')).toBe('amount-decimals');
  });
});

test('a text mark around the amount is taken off', () => {
  const judgement = judgeRow({ ...mobileRow, amount: '="1,250.50"' });
  expect(judgement.row?.amountMinor).toBe(125050n);
  expect(codesOf(judgement)).toEqual(['text-mark']);
});

test('the amount is judged even where the currency is not known', () => {
  expect(codesOf(judgeRow({ ...mobileRow, currency: 'XYZ', amount: '-5' }))).toEqual([
    'currency-unknown',
    'amount-negative',
  ]);
});

test.each([
  ['12,50', 'comma'],
  ['KSh 1.200,50', 'comma'],
  ['1 200,5', 'comma'],
  ['1,200.50', 'point'],
  ['12.5', 'point'],
  ['12,500', undefined],
  ['1.200', undefined],
  ['1,200,000', undefined],
  ['1,00,000.50', undefined],
  ['Total', undefined],
  ['(12,50)', undefined],
  ['', undefined],
])('%s shows the decimal %s', (amount, mark) => {
  expect(decimalMarkOfAmount(amount)).toBe(mark);
});

describe('properties', () => {
  const grouped = (whole: string, separator: string): string => whole.replace(/\B(?=(\d{3})+$)/g, separator);
  const styles = [
    [',', '.'],
    ['.', ','],
    [' ', ','],
    [' ', '.'],
    ['\u00a0', ','],
    ['\u202f', ','],
    ["'", '.'],
    ['', '.'],
    ['', ','],
  ] as const;
  const contextsOf = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    decimalCommaSeen: fc.boolean(),
    decimalPointSeen: fc.boolean(),
    decimal: fc.constantFrom(undefined, 'point', 'comma') as fc.Arbitrary<'point' | 'comma' | undefined>,
  });

  test('an amount in any style is read as itself or refused, and with a true --decimal never as another', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
        fc.constantFrom(...styles),
        fc.nat({ max: 3 }),
        contextsOf,
        (minor, [thousands, point], shortenedBy, context) => {
          const [whole = '', cents = ''] = decimalFromMinor(minor, 2).split('.');
          const fraction =
            shortenedBy === 2 && cents === '00' ? '' : shortenedBy === 1 ? cents.replace(/0$/, '') : cents;
          const written = grouped(whole, thousands) + (fraction === '' ? '' : point + fraction);
          // 1,200 in a comma file is thousands by rule; with a decimal that says otherwise it is the caller's word.
          const truth = {
            ...context,
            decimal: context.decimal && (point === '.' ? 'point' : 'comma'),
          } as const;
          const { row, problems } = judgeRow({ ...mobileRow, amount: written }, truth);
          if (row) expect(row.amountMinor).toBe(minor);
          else {
            expect(problems.map(({ code }) => code)).toEqual([
              expect.stringMatching(/^amount-(ambiguous|decimal-conflict)$/),
            ]);
            expect(truth.decimal === undefined || thousands === '' || fraction === '').toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('two decimals written out are always read, in every style, when nothing is declared', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
        fc.constantFrom(...styles),
        (minor, [thousands, point]) => {
          const [whole = '', cents = ''] = decimalFromMinor(minor, 2).split('.');
          const { row } = judgeRow({ ...mobileRow, amount: grouped(whole, thousands) + point + cents });
          expect(row?.amountMinor).toBe(minor);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('an amount that is read in short is read so in full, with nothing to say about it', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { maxLength: 16 }).map((each) => each.join(''));
  const text = fc
    .tuple(
      digits,
      fc.constantFrom('', '.', ','),
      digits.map((each) => each.slice(0, 4)),
    )
    .map((parts) => parts.join(''));
  const style = fc.record({
    decimal: fc.constantFrom('point' as const, 'comma' as const, undefined),
    amountCurrencies: fc.constantFrom([], ['KES'], ['USD', 'KES']),
    decimalCommaSeen: fc.boolean(),
    decimalPointSeen: fc.boolean(),
    delimiter: fc.constantFrom(',', ';'),
  });
  let short = 0;
  fc.assert(
    fc.property(text, style, fc.constantFrom(...currencies, undefined), (amount, chosen, currency) => {
      const minor = plainAmount(amount, currency, chosen);
      if (minor === undefined) return;
      short += 1;
      const findings = new RowFindings(7, {});
      const cell = readCell({ line: 7, cells: [], values: { amount }, payrun: {} }, 'amount');
      expect(parseAmount(cell, currency, { ...plainContext, ...chosen }, findings)).toBe(minor);
      expect([...findings.problems, ...findings.repairs]).toEqual([]);
    }),
    { numRuns: 20_000 },
  );
  expect(short).toBeGreaterThan(500);
});

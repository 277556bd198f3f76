import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bankRow, codesOf, judgeRow, mobileRow, type Values } from './judge-row.ts';

const rowIn: Record<string, Values> = {
  KE: mobileRow,
  UG: { ...mobileRow, country: 'UG', currency: 'UGX', amount: '5000', branchCode: '0001' },
  TZ: { ...mobileRow, country: 'TZ', currency: 'TZS', branchCode: '001' },
  GH: { ...mobileRow, country: 'GH', currency: 'GHS' },
  RW: { ...mobileRow, country: 'RW', currency: 'RWF', amount: '5000' },
  ZM: { ...mobileRow, country: 'ZM', currency: 'ZMW' },
  CI: { ...mobileRow, country: 'CI', currency: 'XOF', amount: '5000' },
  SN: { ...mobileRow, country: 'SN', currency: 'XOF', amount: '5000' },
  CM: { ...mobileRow, country: 'CM', currency: 'XAF', amount: '5000' },
  MW: { ...mobileRow, country: 'MW', currency: 'MWK' },
  BW: { ...mobileRow, country: 'BW', currency: 'BWP' },
};

/** The number in E.164 and the repairs, or the codes of the problems. */
function phoneOf(phoneNumber: string, country = 'KE'): string {
  const judgement = judgeRow({ ...rowIn[country], phoneNumber });
  const { payee } = judgement.row ?? {};
  return [payee?.destination === 'MoMo' ? payee.phoneNumber : [], codesOf(judgement)].flat().join(' ');
}

describe('usual notations of one number', () => {
  test.each([
    '0712345678',
    '254712345678',
    '+254712345678',
    '00254712345678',
    '000254712345678',
    '+254 (0)712 345 678',
    '0712-345-678',
    '0712.345.678',
    '(0712) 345 678',
    '+254–712–345–678',
    '(+254) 712345678',
    '0712\u00a0345\u202f678',
    '2540712345678',
  ])('%s', (written) => {
    expect(phoneOf(written)).toBe('+254712345678');
  });

  test.each([
    ['712345678', '+254712345678 phone-leading-zero'],
    ['712345678.0', '+254712345678 trailing-zero phone-leading-zero'],
    ['254712345678.0', '+254712345678 trailing-zero'],
    ['254712345678,0', '+254712345678 trailing-zero'],
    ['="0712345678"', '+254712345678 text-mark'],
    ["'0712345678", '+254712345678 text-mark'],
    ['=254712345678', '+254712345678 text-mark'],
    ['254,712,345,678', '+254712345678 digit-grouping'],
    ['\u202a+254712345678\u202c', '+254712345678 hidden-characters'],
  ])('%s is mended and said', (written, expected) => {
    expect(phoneOf(written)).toBe(expected);
  });
});

describe('each country has its own plan', () => {
  test.each([
    ['UG', '0772123456', '+256772123456'],
    ['TZ', '0621234567', '+255621234567'],
    ['GH', '0244123456', '+233244123456'],
    ['GH', '233123456', '+233233123456 phone-leading-zero'],
    ['GH', '233233123456', '+233233123456'],
    ['RW', '0788123456', '+250788123456'],
    ['ZM', '0972123456', '+260972123456'],
    ['CI', '0707123456', '+2250707123456'],
    ['CI', '707123456', '+2250707123456 phone-leading-zero'],
    ['CI', '+225707123456', '+2250707123456 phone-leading-zero'],
    ['CI', '07123456', 'phone-too-short'],
    ['SN', '771234567', '+221771234567'],
    ['SN', '0771234567', '+221771234567 phone-extra-zero'],
    ['CM', '677123456', '+237677123456'],
    ['MW', '0991234567', '+265991234567'],
    ['BW', '71123456', '+26771123456'],
    ['BW', '071123456', '+26771123456 phone-extra-zero'],
  ])('%s: %s is %s', (country, written, expected) => {
    expect(phoneOf(written, country)).toBe(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['07123', 'phone-too-short'],
    ['+25471234567', 'phone-too-short'],
    ['7', 'phone-too-short'],
    ['07123456789', 'phone-too-long'],
    ['2547123456789', 'phone-too-long'],
    ['0'.repeat(40), 'phone-too-long'],
    ['0202345678', 'phone-not-mobile'],
    ['00712345678', 'phone-too-long'],
    ['+256772123456', 'phone-other-country'],
    ['256772123456', 'phone-other-country'],
    ['00256772123456', 'phone-other-country'],
    ['+25677', 'phone-other-country'],
    ['+447911123456', 'phone-other-country'],
    ['2.54708E+11', 'scientific-notation'],
    ['2,54708E+11', 'scientific-notation'],
    ['7E8', 'scientific-notation'],
    ['0712 345 67x', 'phone-unreadable'],
    ['07１2345678', 'phone-unreadable'],
    ['071234+5678', 'phone-unreadable'],
    ['-712345678', 'phone-unreadable'],
    ['()', 'phone-unreadable'],
    ['0712345678/0722345678', 'phone-several'],
    ['0712345678, 0722345678', 'phone-several'],
    ['+254712345678 or +254722345678', 'phone-several'],
    ['#N/A', 'spreadsheet-error'],
    ['########', 'spreadsheet-error'],
    ['=A2', 'formula'],
  ])('%s is %s', (written, code) => {
    expect(phoneOf(written)).toBe(code);
  });

  test('mobile money where there is none', () => {
    const nigerian = { ...bankRow, country: 'NG', currency: 'NGN', accountNumber: '' };
    expect(codesOf(judgeRow({ ...nigerian, phoneNumber: '08021234567' }))).toEqual(['momo-not-available']);
    expect(codesOf(judgeRow({ ...nigerian, destination: 'MoMo', accountNumber: '0000014579' }))).toEqual([
      'momo-not-available',
    ]);
  });

  test('the message says how many digits are expected, with an example', () => {
    const { problems } = judgeRow({ ...mobileRow, phoneNumber: '07123' });
    expect(problems).toEqual([
      {
        line: 7,
        column: 'phoneNumber',
        code: 'phone-too-short',
        message:
          'Phone number 07123 is too short for Kenya: 9 digits after +254 are needed (for example 0712 123456).',
        value: '07123',
        blocking: true,
      },
    ]);
  });
});

test('any notation of a number gives one E.164', () => {
  const separators = fc.constantFrom('', ' ', '-', '.', '\u00a0');
  const front = fc.constantFrom('+254', '00254', '254', '0', '', '+254 (0)', '(0)');
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000_000, max: 29_999_999 }),
      front,
      separators,
      (subscriber, before, between) => {
        const digits = `7${subscriber}`;
        const written = before + [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].join(between);
        expect(phoneOf(written).split(' ')[0]).toBe(`+254${digits}`);
      },
    ),
    { numRuns: 300 },
  );
});

test.each(Object.keys(rowIn))('a number of %s behind its plus is read as with a blank in it', (country) => {
  const digit = fc.constantFrom(...'0123456789');
  const behind = fc.array(digit, { minLength: 5, maxLength: 13 }).map((each) => each.join(''));
  const codes = fc.constantFrom('254', '256', '255', '233', '250', '260', '225', '221', '237', '265', '267');
  const beginning = fc.constantFrom('7', '70', '77', '24', '05', '07', '0', '');
  fc.assert(
    fc.property(codes, beginning, behind, (code, first, rest) => {
      const judged = (between: string) => {
        const phoneNumber = `+${code}${between}${first}${rest}`;
        const { row, problems, repairs } = judgeRow({ ...rowIn[country], phoneNumber });
        return [row?.payee, problems.map((each) => each.code), repairs.map((each) => each.code)];
      };
      expect(judged('')).toEqual(judged(' '));
    }),
    { numRuns: 500 },
  );
});

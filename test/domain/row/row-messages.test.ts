import { describe, expect, test } from 'vitest';
import { bankRow, codesOf, judgeRow, mobileRow, type Values } from './judge-row.ts';

const ugandan: Values = { ...mobileRow, country: 'UG', currency: 'UGX', amount: '5000', branchCode: '0001' };

/** What a payroll officer who knows nothing of payrun must be able to read out of the message. */
const said: readonly (readonly [what: string, values: Values, words: readonly RegExp[]])[] = [
  [
    'mobile money where there is none: both cells to change',
    { ...mobileRow, country: 'NG', currency: 'NGN', destination: 'MoMo', phoneNumber: '+2348031234567' },
    [/change destination from MoMo to Bank Account/, /accountNumber and bankCode/],
  ],
  [
    'a doubtful amount: both readings, and the flag for each',
    { ...mobileRow, amount: '1.200' },
    [
      /could be 1200 or 1\.20\. Write 1200 or 1\.20/,
      /run again with --decimal comma \(1200\) or --decimal point \(1\.20\)/,
    ],
  ],
  [
    'a doubtful amount with a comma: the flags the other way round',
    { ...mobileRow, amount: '1,200' },
    [/--decimal point \(1200\) or --decimal comma \(1\.20\)/],
  ],
  [
    'a doubtful amount with too many decimals for its currency',
    { ...mobileRow, amount: '10.505' },
    [/10505/, /KES has 2 decimals/, /run again with --decimal comma/],
  ],
  [
    'a doubtful amount of a currency without decimals',
    { ...ugandan, phoneNumber: '0772345629', amount: '1.200' },
    [/UGX has no decimals/, /Write 1200/],
  ],
  [
    'a phone number of another country: which is usually wrong, and what else would change',
    { ...mobileRow, phoneNumber: '+256772345623' },
    [
      /Usually the phone number is wrong/,
      /If the person is in Uganda, set country to UG, currency to UGX and fill in branchCode/,
    ],
  ],
  [
    'a destination without its number: all cells that it needs',
    { ...mobileRow, destination: 'Bank Account' },
    [/Fill in accountNumber and bankCode, or change destination to MoMo/],
  ],
  [
    'an unknown debit currency: what it is for',
    { ...mobileRow, debitCurrency: 'ABC' },
    [/wallet/, /Leave it empty/, /debitCountry/],
  ],
  [
    'a short account number: the usual length at once',
    { ...bankRow, accountNumber: '123' },
    [/usually have 10 to 14/],
  ],
  [
    'a bank with its branch: the bank meant',
    { ...bankRow, bankCode: 'KCB Moi Avenue' },
    [/Did you mean KCB Bank \(01\)\?/],
  ],
  [
    'an unknown bank: the codes, and the configuration last',
    { ...bankRow, bankCode: 'Family' },
    [/01 KCB Bank.*68 Equity Bank/, /"banks" in payrun\.config\.json/],
  ],
  [
    'a garbled name: the likely one',
    { ...mobileRow, accountName: 'JosÃ© Mboya' },
    [/probably José Mboya/, /Type the name again/],
  ],
  [
    'a missing branch code: whom to ask',
    { ...ugandan, phoneNumber: '0772345629', branchCode: '' },
    [/ask /i],
  ],
  [
    'words in place of a phone number',
    { ...mobileRow, phoneNumber: 'ask Peter' },
    [/"ask Peter" is not a phone number/],
  ],
  [
    'the letter O in place of a zero',
    { ...mobileRow, phoneNumber: 'O733345673' },
    [/letter O/, /Write 0733345673/],
  ],
  [
    'words beside a phone number',
    { ...mobileRow, phoneNumber: '0733345674 (wife)' },
    [/Write 0733345674 alone/],
  ],
  ['a name that is an id', { ...mobileRow, accountName: 'E1' }, [/looks like an id/]],
];

describe('a message tells what to do about', () => {
  test.each(said)('%s', (_, values, words) => {
    const context = values.amount === '1,200' ? { delimiter: ';' } : {};
    const { problems } = judgeRow(values, context);
    expect(problems).toHaveLength(1);
    for (const each of words) expect(problems[0]?.message).toMatch(each);
  });
});

describe('a garbled name', () => {
  test('with letters that are lost has no likely reading', () => {
    const { problems } = judgeRow({ ...mobileRow, accountName: 'Jos\ufffd Mboya' });
    expect(problems[0]).toMatchObject({ code: 'name-garbled' });
    expect(problems[0]?.message).not.toMatch(/probably|UTF-8/);
  });
});

describe('a name that looks like an id', () => {
  test.each(['E1', 'EMP-017', 'A12345'])('%s is a warning', (accountName) => {
    const { row, problems } = judgeRow({ ...mobileRow, accountName });
    expect(row).toBeDefined();
    expect(problems.map(({ code }) => code)).toEqual(['name-looks-like-id']);
  });

  test.each(['Mary Wanjiku', 'Wanjiku', 'Branch 7 Traders', 'O’Neil'])('%s is none', (accountName) => {
    expect(judgeRow({ ...mobileRow, accountName }).problems).toEqual([]);
  });
});

describe('a repair', () => {
  test('is not reported for a cell that is then refused', () => {
    const judgement = judgeRow({ ...mobileRow, phoneNumber: '500.00' });
    expect(codesOf(judgement)).toEqual(['phone-too-short']);
  });

  test('of another cell is still reported', () => {
    const judgement = judgeRow({ ...mobileRow, amount: '0', phoneNumber: '712345678' });
    expect(codesOf(judgement)).toEqual(['amount-zero', 'phone-leading-zero']);
  });

  test('shows what the cell is read as', () => {
    expect(judgeRow({ ...mobileRow, phoneNumber: '\u202a0712345678' }).repairs[0]?.message).toContain(
      'read as 0712345678',
    );
    expect(judgeRow({ ...mobileRow, phoneNumber: '254712345678.00' }).repairs[0]?.message).toMatch(
      /added \.00.*read as 254712345678/,
    );
  });
});

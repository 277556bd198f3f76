import { describe, expect, test } from 'vitest';
import { bankRow, codesOf, judgeRow, mobileRow } from './judge-row.ts';

const bothNumbers = { ...mobileRow, ...bankRow };

describe('the words for a destination', () => {
  test.each([
    'MoMo',
    'momo',
    'Mobile',
    'mobile money',
    'Mobile-Money',
    'M-PESA',
    'mpesa',
    'Airtel Money',
    'WALLET',
    'phone',
    'MTN',
  ])('%s is mobile money', (destination) => {
    expect(judgeRow({ ...bothNumbers, destination }).row?.payee.destination).toBe('MoMo');
  });

  test.each([
    'Bank Account',
    'bank',
    'BANK TRANSFER',
    'EFT',
    'RTGS',
    'PesaLink',
    'account',
    'direct deposit',
  ])('%s is a bank account', (destination) => {
    expect(judgeRow({ ...bothNumbers, destination }).row?.payee.destination).toBe('Bank Account');
  });

  test('an unknown word is refused with the words that are allowed', () => {
    const { problems } = judgeRow({ ...bothNumbers, destination: 'Cheque' });
    expect(problems.map(({ code }) => code)).toEqual(['destination-unknown']);
    expect(problems[0]?.message).toContain('Write MoMo for mobile money');
  });
});

describe('without a destination the filled number decides', () => {
  test('one of them', () => {
    expect(judgeRow(mobileRow).row?.payee.destination).toBe('MoMo');
    expect(judgeRow(bankRow).row?.payee.destination).toBe('Bank Account');
    expect(judgeRow({ ...bothNumbers, phoneNumber: 'N/A' }).row?.payee.destination).toBe('Bank Account');
    expect(judgeRow({ ...bothNumbers, accountNumber: '-', destination: ' ' }).row?.payee.destination).toBe(
      'MoMo',
    );
  });

  test('both or none is refused', () => {
    expect(codesOf(judgeRow(bothNumbers))).toEqual(['destination-unclear']);
    expect(codesOf(judgeRow({ ...mobileRow, phoneNumber: '' }))).toEqual(['destination-missing']);
  });
});

test('a destination and only the other number is refused', () => {
  expect(codesOf(judgeRow({ ...bankRow, destination: 'MoMo' }))).toEqual(['destination-conflict']);
  expect(codesOf(judgeRow({ ...mobileRow, destination: 'Bank' }))).toEqual(['destination-conflict']);
});

test('a destination without any number misses that number', () => {
  expect(codesOf(judgeRow({ ...mobileRow, phoneNumber: '', destination: 'MoMo' }))).toEqual([
    'phone-missing',
  ]);
  expect(codesOf(judgeRow({ ...bankRow, accountNumber: '', destination: 'Bank' }))).toEqual([
    'account-number-missing',
  ]);
});

test('only the cells of the kind that is paid are judged', () => {
  expect(judgeRow({ ...bothNumbers, destination: 'bank', phoneNumber: '#N/A' }).problems).toEqual([]);
  expect(
    judgeRow({ ...bothNumbers, destination: 'momo', accountNumber: '1E+12', bankCode: 'Nobody' }).problems,
  ).toEqual([]);
});

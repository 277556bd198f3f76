import { expect, test } from 'vitest';
import { codesOf, judgeRow, mobileRow } from './judge-row.ts';

function idOf(paymentId: string): string | undefined {
  return judgeRow({ ...mobileRow, paymentId }).row?.paymentId;
}

test('an id is composed, trimmed, and has single blanks inside; nothing else changes', () => {
  expect(idOf('  Payslip \u00a0 17/Nov ')).toBe('Payslip 17/Nov');
  expect(idOf('Cafe\u0301')).toBe('Café');
  expect(idOf('emp-1')).toBe('emp-1');
  expect(idOf('EMP-1')).toBe('EMP-1');
  expect(idOf('00017')).toBe('00017');
  expect(idOf('17\u200b')).toBe('17');
});

test('a trailing .0 is cut from numbers and from nothing else', () => {
  expect(idOf('1001.0')).toBe('1001');
  expect(idOf('1001.00')).toBe('1001');
  expect(idOf('v1.0')).toBe('v1.0');
  expect(idOf('1001.5')).toBe('1001.5');
});

test('an empty id is refused where the column exists, and nothing where it does not', () => {
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: ' ' }))).toEqual(['payment-id-missing']);
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: 'N/A' }))).toEqual(['payment-id-missing']);
  const { paymentId: _, ...without } = mobileRow;
  const judgement = judgeRow(without, { hasPaymentIdColumn: false });
  expect(codesOf(judgement)).toEqual([]);
  expect(judgement.row?.paymentId).toBeUndefined();
});

test('an id of which a spreadsheet lost digits is refused: the full one would be another payment', () => {
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '1.23457E+11' }))).toEqual(['scientific-notation']);
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '1E+05' }))).toEqual(['scientific-notation']);
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: '12E3' }))).toEqual([]);
});

test('an id that looks like a date only warns', () => {
  const judgement = judgeRow({ ...mobileRow, paymentId: '12-Mar' });
  expect(codesOf(judgement)).toEqual(['payment-id-date']);
  expect(judgement.row?.paymentId).toBe('12-Mar');
});

test('an id has at most two hundred characters', () => {
  expect(idOf('x'.repeat(200))).toBe('x'.repeat(200));
  expect(codesOf(judgeRow({ ...mobileRow, paymentId: 'x'.repeat(201) }))).toEqual(['payment-id-too-long']);
});

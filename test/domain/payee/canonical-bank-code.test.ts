import { describe, expect, test } from 'vitest';
import { canonicalBankCode } from '../../../src/domain/payee/canonical-bank-code.ts';
import { canonicalPayeeKey } from '../../../src/domain/reference.ts';
import { banks } from '../../../src/domain/reference-data/banks.ts';

describe('the code of a bank', () => {
  test.each([
    ['KE', '68', '68'],
    ['KE', '068', '68'],
    ['KE', '0068', '68'],
    ['KE', '68000', '68'],
    ['KE', '68999', '68'],
    ['KE', '1100', '01'],
    ['KE', '068000', '68'],
    ['KE', '1', '01'],
    ['KE', '001', '01'],
    ['KE', '01100', '01'],
    ['NG', '58', '058'],
    ['NG', '0058', '058'],
    ['TZ', '16001', '016'],
    ['ZM', '001002', '001'],
    ['BW', '281467', '28'],
  ])('in %s written %s is %s', (country, written, canonical) => {
    expect(canonicalBankCode(country, written)).toBe(canonical);
  });

  test.each([
    ['KE', '070'],
    ['KE', '70'],
    ['KE', '680'],
    ['KE', '6800'],
    ['KE', '680000'],
    ['KE', '70000'],
    ['UG', '068'],
    ['XX', '068'],
    ['KE', 'EQBLKENA'],
    ['CI', '008'],
    ['KE', ''],
    ['KE', '000'],
  ])('in %s written %s stands for itself: the list names no bank for it', (country, written) => {
    expect(canonicalBankCode(country, written)).toBe(written);
  });

  test('is its own wherever the list has it, and never another bank’s', () => {
    for (const { country, code } of banks) expect(canonicalBankCode(country, code)).toBe(code);
  });
});

test('A journaled payee is read again under the list of today; all else in its key stays', () => {
  expect(canonicalPayeeKey('KE:bank:068:0123456789')).toBe('KE:bank:68:0123456789');
  expect(canonicalPayeeKey('KE:bank:70:0123456789')).toBe('KE:bank:70:0123456789');
  expect(canonicalPayeeKey('KE:momo:+254712345678')).toBe('KE:momo:+254712345678');
  expect(canonicalPayeeKey('payslip 068')).toBe('payslip 068');
});

import { describe, expect, test } from 'vitest';
import type { SettledRow } from '../../../src/journal/draft/plan-queries.ts';
import { lockedRowProblem } from '../../../src/pipeline/plan/locked-row-problem.ts';

const row: SettledRow = {
  position: 1,
  line: 5,
  key: 'E1',
  fate: 'conflict',
  state: 'paid',
  fileName: 'Mary Wanjiku',
  fileCurrency: 'KES',
  fileMinor: 100_000n,
  filePayee: 'KE:momo:+254712000204',
  fileWallet: 'KES',
  sentName: 'Mary Wanjiku',
  sentCurrency: 'KES',
  sentMinor: 100_000n,
  sentPayee: 'KE:momo:+254712000204',
  sentWallet: 'KES',
};

describe('a row that changed after it was sent', () => {
  test('where only the account differs, nobody is told to pay a difference', () => {
    const problem = lockedRowProblem({ ...row, filePayee: 'KE:momo:+254712000233' }, 'payroll');
    expect(problem).toMatchObject({ column: 'phoneNumber', blocking: true, line: 5 });
    expect(problem.message).toBe(
      'Payment E1 was already sent to KE …0204; the file now says KE …0233. What was sent cannot be changed. If the account was corrected in another file, such as the retry file, copy it from there; or leave the row out with --skip-invalid.',
    );
  });

  test.each([
    ['KE:bank:68:0100000001', 'accountNumber'],
    ['KE:bank:70:0100000204', 'bankCode'],
    ['KE:momo:+254712000204', 'phoneNumber'],
  ])('names the cell that says %s: %s', (filePayee, column) => {
    const sentPayee = 'KE:bank:68:0100000204';
    expect(lockedRowProblem({ ...row, sentPayee, filePayee }, 'payroll').column).toBe(column);
  });

  test('where the last digits agree, it is seen what differs', () => {
    const { message } = lockedRowProblem({ ...row, filePayee: 'KE:momo:+254799000204' }, 'payroll');
    expect(message).toContain('to KE …12••0204; the file now says KE …99••0204');
  });

  test('another amount is a difference that can be paid', () => {
    const problem = lockedRowProblem({ ...row, fileMinor: 150_000n }, 'payroll');
    expect(problem.column).toBe('amount');
    expect(problem.message).toContain('pay the difference as a new payment');
  });
});

test('a cancelled row names the command that brings it back, with the flags that were given', () => {
  const cancelled: SettledRow = { ...row, fate: 'stays-cancelled', state: 'cancelled' };
  const command = (batch: string, key: string) => `payrun retry ${batch} --payment ${key} --sandbox`;
  expect(lockedRowProblem(cancelled, 'payroll', command).message).toMatch(
    /To pay it after all: payrun retry payroll --payment E1 --sandbox$/,
  );
});

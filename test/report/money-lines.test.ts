import { describe, expect, test } from 'vitest';
import { payoutStates } from '../../src/domain/payout/payout-state.ts';
import { moneyLines } from '../../src/report/money-lines.ts';
import { sumsOf } from './sums.ts';

describe('where the money stands', () => {
  test('one line suffices where all of it was paid now', () => {
    const sums = sumsOf({ state: 'paid', paidNow: true });
    expect(moneyLines(sums, 'now and before')).toEqual(['  paid now  1  KES 1,000.00']);
  });

  test('what is on the way or unknown is never called not paid', () => {
    const sums = sumsOf(
      { state: 'paid', paidNow: true },
      { state: 'paid' },
      { state: 'submitted' },
      { state: 'unclear' },
      { state: 'held', everSent: false },
    );
    expect(moneyLines(sums, 'now and before')).toEqual([
      '  paid now        1  KES 1,000.00',
      '  paid before     1  KES 1,000.00',
      '  on the way      1  KES 1,000.00',
      '  unknown         1  KES 1,000.00',
      '  not paid: held  1  KES 1,000.00',
      '  in the file     5  KES 5,000.00',
    ]);
  });

  test.each(['now and before', 'before'] as const)('the amounts add up to the last line (%s)', (paid) => {
    const sums = sumsOf(
      ...payoutStates.map((state) => ({ state })),
      { state: 'paid', paidNow: true },
      { state: 'planned', everSent: false },
    );
    const lines = moneyLines(sums, paid);
    for (const word of ['returned', 'cancelled', 'refused', 'failed', 'not sent yet']) {
      expect(lines.join('\n')).toContain(`not paid: ${word}`);
    }
    const amounts = lines.map((line) => Number(line.split('KES')[1]?.replaceAll(',', '')));
    expect(lines.at(-1)).toContain('in the file');
    expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(amounts.at(-1));
  });

  test('what the file says of invalid rows is in no sum, and the last line does not say so', () => {
    const sums = sumsOf({ state: 'paid' }, { state: 'failed' });
    const lines = moneyLines({ ...sums, statuses: { ...sums.statuses, invalid: 1 } }, 'before');
    expect(lines.slice(-2)).toEqual(['  in the valid rows  2  KES 2,000.00', '  not paid: 1 invalid row']);
  });

  test('rows that left the file are in all, and named', () => {
    const sums = sumsOf({ state: 'paid' }, { state: 'paid', absent: true }, { state: 'failed' });
    expect(moneyLines(sums, 'before').slice(-2)).toEqual([
      '  in all                       3  KES 3,000.00',
      '  of it no longer in the file  1  KES 1,000.00',
    ]);
  });

  test('every currency has lines of its own', () => {
    const sums = sumsOf({ state: 'failed' }, { state: 'paid', paidNow: true, currency: 'UGX' });
    expect(moneyLines(sums, 'now and before').map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'paid now',
      'not paid: failed',
      'in the file',
      'paid now',
    ]);
  });
});

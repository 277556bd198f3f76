import { describe, expect, test } from 'vitest';
import { payoutStates } from '../../src/domain/payout/payout-state.ts';
import { moneyLines } from '../../src/report/money-lines.ts';
import { sumsOf } from './sums.ts';

describe('where the money stands', () => {
  test('one line suffices where all of it was paid now', () => {
    const { totals } = sumsOf({ state: 'paid', paidNow: true });
    expect(moneyLines(totals, 'now and before')).toEqual(['  paid now KES 1,000.00']);
  });

  test('what is on the way or unknown is never called not paid', () => {
    const { totals } = sumsOf(
      { state: 'paid', paidNow: true },
      { state: 'paid' },
      { state: 'submitted' },
      { state: 'unclear' },
      { state: 'held', everSent: false },
    );
    expect(moneyLines(totals, 'now and before')).toEqual([
      '  paid now       KES 1,000.00',
      '  paid before    KES 1,000.00',
      '  on the way     KES 1,000.00',
      '  unknown        KES 1,000.00',
      '  not paid: held KES 1,000.00',
      '  in the file    KES 5,000.00',
    ]);
  });

  test.each(['now and before', 'before'] as const)('the amounts add up to the last line (%s)', (paid) => {
    const { totals } = sumsOf(
      ...payoutStates.map((state) => ({ state })),
      { state: 'paid', paidNow: true },
      { state: 'planned', everSent: false },
    );
    const lines = moneyLines(totals, paid);
    for (const word of ['returned', 'cancelled', 'refused', 'failed', 'not sent yet']) {
      expect(lines.join('\n')).toContain(`not paid: ${word}`);
    }
    const amounts = lines.map((line) => Number(line.split('KES')[1]?.replaceAll(',', '')));
    expect(lines.at(-1)).toContain('in the file');
    expect(amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(amounts.at(-1));
  });

  test('rows that left the file are in all, and named', () => {
    const { totals } = sumsOf({ state: 'paid' }, { state: 'paid', absent: true }, { state: 'failed' });
    expect(moneyLines(totals, 'before').slice(-2)).toEqual([
      '  in all                      KES 3,000.00',
      '  of it no longer in the file KES 1,000.00',
    ]);
  });

  test('every currency has lines of its own', () => {
    const { totals } = sumsOf({ state: 'failed' }, { state: 'paid', paidNow: true, currency: 'UGX' });
    expect(moneyLines(totals, 'now and before').map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'paid now',
      'not paid: failed KES 1,000.00',
      'in the file',
      'paid now UGX 100,000',
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies } from '../../../src/domain/reference-data/countries.ts';
import { creditFor, debitFor, historicalRates } from '../../../src/sandbox/store/rates.ts';

const nowMs = Date.UTC(2026, 10, 15, 12);
const code = fc.constantFrom(...currencies.map((each) => each.code));

describe('exchange rates', () => {
  test('cover thirty days of a pair, newest first, the same on every machine', () => {
    const rates = historicalRates(nowMs, 'USD', 'KES');
    expect(rates).toHaveLength(30);
    expect(rates[0]?.updatedAt).toBe('2026-11-15T00:00:00.000Z');
    expect(rates[29]?.updatedAt).toBe('2026-10-17T00:00:00.000Z');
    expect(rates.every((rate) => rate.buy < rate.sell && rate.currencyPair === 'USD/KES')).toBe(true);
    expect(historicalRates(nowMs + 3_600_000, 'USD', 'KES')).toEqual(rates);
  });

  test('never let money be made by going there and back', () => {
    fc.assert(
      fc.property(code, code, fc.bigInt({ min: 1n, max: 10n ** 12n }), (from, to, amount) => {
        const debited = debitFor(amount, to, from, nowMs);
        expect(creditFor(debited, from, to, nowMs)).toBeGreaterThanOrEqual(amount);
        if (from !== to) expect(debitFor(debited, from, to, nowMs)).toBeGreaterThan(amount);
      }),
    );
  });
});

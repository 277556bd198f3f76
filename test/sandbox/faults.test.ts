import { describe, expect, test } from 'vitest';
import { PayrunError } from '../../src/errors.ts';
import { parseFaultPlan } from '../../src/sandbox/faults/fault-plan.ts';
import { createFaults } from '../../src/sandbox/faults/faults.ts';
import { cardFate, testCards } from '../../src/sandbox/faults/test-numbers.ts';
import { openStore } from '../../src/sandbox/store/open-store.ts';

const references = Array.from({ length: 400 }, (_, index) => `reference-${index}`);

describe('faults', () => {
  test('are the same for the same seed in any order of arrival, and others for another seed', () => {
    const draw = (seed: string, order: readonly string[]) => {
      const faults = createFaults(openStore(undefined), parseFaultPlan('lost-reply=0.1,html=0.1', seed));
      return Object.fromEntries(
        order.map((reference) => [reference, faults.draw('createPayout', reference)]),
      );
    };
    const first = draw('7', references);
    expect(draw('7', [...references].reverse())).toEqual(first);
    expect(draw('8', references)).not.toEqual(first);
    const struck = Object.values(first).filter(Boolean).length;
    expect(struck).toBeGreaterThan(40);
    expect(struck).toBeLessThan(120);
  });

  test('are drawn anew when the same thing is asked again', () => {
    const faults = createFaults(openStore(undefined), parseFaultPlan('lost-request=0.5', '1'));
    const draws = Array.from({ length: 50 }, () => faults.draw('createPayout', 'one'));
    expect(new Set(draws).size).toBe(2);
  });

  test('a late landing is only for what can land', () => {
    const faults = createFaults(openStore(undefined), parseFaultPlan('late-landing=1', '1'));
    expect(faults.draw('listTransactions', 'x')).toBeUndefined();
    expect(faults.draw('createPayout', 'x')).toBe('late-landing');
  });

  test('a storm is a block of requests', () => {
    const faults = createFaults(openStore(undefined), parseFaultPlan('storm-429=0.5,storm-length=20', '3'));
    const draws = Array.from(
      { length: 400 },
      (_, index) => faults.draw('createPayout', `${index}`) === 'storm-429',
    );
    const blocks = Array.from(
      { length: 20 },
      (_, block) => new Set(draws.slice(block * 20, block * 20 + 20)).size,
    );
    expect(blocks.every((kinds) => kinds === 1)).toBe(true);
    expect(new Set(draws).size).toBe(2);
  });

  test('an unknown word or a rate beyond 0 to 1 is refused', () => {
    for (const plan of [
      'lost-replies=1',
      'lost-reply',
      'lost-reply=2',
      'latency=50',
      'on=everything',
      'dedupe=maybe',
      'storm-length=0',
    ]) {
      expect(() => parseFaultPlan(plan, '1'), plan).toThrow(PayrunError);
    }
  });

  test('every card of the table has a right check digit', () => {
    for (const number of Object.keys(testCards)) {
      const sum = [...number].reverse().reduce((total, digit, index) => {
        const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
        return total + (value > 9 ? value - 9 : value);
      }, 0);
      expect(sum % 10, number).toBe(0);
    }
    expect(cardFate('4111111111111111').outcome).toBe('successful');
  });
});

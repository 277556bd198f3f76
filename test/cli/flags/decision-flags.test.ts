import { describe, expect, test } from 'vitest';
import { namedPayments, oneOf, reasonFlag, repeatRule } from '../../../src/cli/flags/decision-flags.ts';

const usage = expect.objectContaining({ exit: 2 });

describe('the flags of decisions', () => {
  test('a reason is one readable line, and never nothing', () => {
    expect(reasonFlag({ reason: '  seen   her card ' })).toBe('seen her card');
    for (const reason of [undefined, '', '   ', '\u200b', 'x'.repeat(501), 'a\u0007b']) {
      expect(() => reasonFlag({ reason }), JSON.stringify(reason)).toThrow(usage);
    }
    expect(() => reasonFlag({ reason: ['one', 'two'] as unknown as string })).toThrow(usage);
  });

  test('payments are named, or not meant at all', () => {
    expect(namedPayments({ payment: ['E1', '007'] })).toEqual({ kind: 'named', ids: ['E1', '007'] });
    expect(namedPayments({ payment: undefined })).toBeUndefined();
    for (const payment of [[], ['']]) expect(() => namedPayments({ payment })).toThrow(usage);
  });

  test('which payouts are meant is said in one way', () => {
    expect(oneOf({ '--payment': false, '--all': true })).toBe('--all');
    expect(() => oneOf({ '--payment': true, '--all': true })).toThrow(usage);
    expect(() => oneOf({ '--payment': false, '--all': false })).toThrow('--payment, --all');
  });

  test('the window of repeats is the flag’s, else the configuration’s, else five days', () => {
    const ageDays = (window: string | undefined, configured: string | undefined) => {
      const flags = { 'allow-repeats': 2, 'repeat-window': window };
      const { sinceMs, allowed } = repeatRule(
        flags,
        configured === undefined ? {} : { repeatWindow: configured },
      );
      expect(allowed).toBe(2);
      return Math.round((Date.now() - sinceMs) / 86_400_000);
    };
    expect([ageDays('3d', '9d'), ageDays(undefined, '9d'), ageDays(undefined, undefined)]).toEqual([3, 9, 5]);
    expect(() => repeatRule({ 'allow-repeats': -1, 'repeat-window': undefined }, {})).toThrow(usage);
    expect(() => repeatRule({ 'allow-repeats': 0, 'repeat-window': '5' }, {})).toThrow(usage);
  });
});

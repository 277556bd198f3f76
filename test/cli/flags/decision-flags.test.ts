import { describe, expect, test } from 'vitest';
import { namedPayments, oneOf, reasonFlag } from '../../../src/cli/flags/decision-flags.ts';
import { repeatOptions, repeatSettings } from '../../../src/cli/flags/repeat-flags.ts';
import { settingsFrom, settingsOfConfig } from '../../../src/library/settings.ts';

const usage = expect.objectContaining({ exit: 2 });

describe('the flags of decisions', () => {
  test('a reason is one readable line, and never nothing', () => {
    expect(reasonFlag({ reason: '  seen   her card ' })).toBe('seen her card');
    for (const reason of [undefined, '', '   ', '\u200b', 'x'.repeat(501), 'a\u0007b']) {
      expect(() => reasonFlag({ reason }), JSON.stringify(reason)).toThrow(usage);
    }
  });

  test('payments are named, or not meant at all', () => {
    expect(namedPayments({ payment: ['E1', '007'] })).toEqual(['E1', '007']);
    expect(namedPayments({ payment: undefined })).toBeUndefined();
    for (const payment of [[], ['']]) expect(() => namedPayments({ payment })).toThrow(usage);
  });

  test('which payouts are meant is said in one way', () => {
    expect(oneOf({ '--payment': false, '--all': true })).toBe('--all');
    expect(() => oneOf({ '--payment': true, '--all': true })).toThrow(usage);
    expect(() => oneOf({ '--payment': false, '--all': false })).toThrow('--payment, --all');
  });

  test('the window of repeats is the flag’s, else the configuration’s, else five days', () => {
    const days = (window: string | undefined, configured: string | undefined) => {
      const flags = { 'allow-repeats': 2, 'repeat-window': window };
      expect(repeatOptions(flags)).toEqual({ allowRepeats: 2 });
      const config = configured === undefined ? {} : { repeatWindow: configured };
      return settingsFrom(settingsOfConfig(config), repeatSettings(flags)).repeatWindowMs / 86_400_000;
    };
    expect([days('3d', '9d'), days(undefined, '9d'), days(undefined, undefined)]).toEqual([3, 9, 5]);
    expect(() => repeatOptions({ 'allow-repeats': -1, 'repeat-window': undefined })).toThrow(usage);
    expect(() => repeatSettings({ 'allow-repeats': 0, 'repeat-window': '5' })).toThrow(usage);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPlace } from '../../../src/domain/text/json-place.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('where a text stops being JSON', () => {
  test.each([
    ['sk_live_0123456789', 1, 1],
    ['', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a": 1', 1, 8],
    ['[1, 2]]', 1, 7],
    ['{"a": [1, 2}', 1, 12],
    ['{\r\n"a": tru }', 2, 6],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['["open', 1, 2],
    ['[1 2]', 1, 4],
    ['[01]', 1, 3],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(jsonPlace(text)).toEqual({ line, column });
  });

  test('is nowhere exactly where JSON.parse reads it', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(
        ([json, at, more]) =>
          json.slice(0, at % (json.length + 1)) + more + json.slice(at % (json.length + 1)),
      );
    const signs = fc
      .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', ' ', 'null', '\\'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, signs), (text) => {
        expect(jsonPlace(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is found in one pass over a large text', () => {
    for (const text of [
      '['.repeat(1_000_000),
      `"${'\\"'.repeat(500_000)}`,
      ' '.repeat(1_000_000),
      '-'.repeat(1_000_000),
    ]) {
      expect(jsonPlace(text)).toBeDefined();
    }
  });
});

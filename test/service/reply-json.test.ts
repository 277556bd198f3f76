import { describe, expect, test } from 'vitest';
import { deepestNesting, replyJson } from '../../src/service/reply-json.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** Of each kind by itself no more than may be nested. */
const mixed = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

describe.each([
  ['lists', lists],
  ['objects', objects],
  ['both in turn', mixed],
])('A reply that nests %s', (_, nested) => {
  test('is read as deep as may be, and no deeper', () => {
    expect(replyJson(nested(deepestNesting))).toEqual({ value: JSON.parse(nested(deepestNesting)) });
    expect(replyJson(nested(deepestNesting + 2))).toBeUndefined();
  });
});

test('a reply that opens much side by side, or in a text, is read', () => {
  const value = { data: Array.from({ length: 100 }, () => ({ list: [] })), text: '[{"'.repeat(100) };
  expect(replyJson(JSON.stringify(value))).toEqual({ value });
});

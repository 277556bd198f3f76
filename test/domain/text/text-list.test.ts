import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsFrom } from '../../../src/domain/text/text-list.ts';

const letters = fc.constantFrom(
  '"',
  ',',
  '","',
  '["',
  '"]',
  '\\',
  '\\"',
  '',
  ' ',
  'a',
  'é',
  '\n',
  '\u2028',
  '\ud800',
  '[]',
);
const text = fc.oneof(
  fc.string(),
  fc.array(letters).map((parts) => parts.join('')),
);

test('a list of texts is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(textsFrom(JSON.stringify(texts))).toEqual(texts);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['broken', '', '[', '["a"', '["a",]', '["a" "b"]', '["a"b","c"]', '["a","b"]]', "['a']"])(
  'what is no such list is none: %s',
  (text) => {
    expect(() => textsFrom(text)).toThrow(SyntaxError);
  },
);

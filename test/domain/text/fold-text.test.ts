import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldAnyWords, foldWords } from '../../../src/domain/text/fold-text.ts';

const signs = fc.constantFrom(..."aZ09  -'&_.`@[^".split(''), '\n', '\u00a0', 'é', 'İ', 'ſ', '٣', '´');
const texts = fc.oneof(
  fc.array(signs, { maxLength: 12 }).map((each) => each.join('')),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

test('words are folded in short as they are in full', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(foldWords(text)).toEqual(foldAnyWords(text));
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ['Amina Achieng ABDI 0001', ['amina', 'achieng', 'abdi', '0001']],
  [" O'Brien  &Co ", ['obrien', 'and', 'co']],
  ['', []],
])('%j is %j', (text, words) => expect(foldWords(text)).toEqual(words));

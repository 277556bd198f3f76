import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, searchedVerdict } from '../../../src/domain/names/compare-names.ts';
import { foldName } from '../../../src/domain/names/fold-name.ts';
import { readHolders } from '../../../src/domain/names/read-holders.ts';

/** What may be read in two ways: particles, titles, initials, words that join to others, letters of two alphabets. */
const words =
  `Amina Kamau Kamaur Wanjiku Jo An Joan O Brien Obrien A AA AAA W K bin de da Ben Mr Bi sr ltd Limited co
  Traders Mаry Ольга 0042 7 Ann Anna Christian Christina`.split(/\s+/);
const someWords = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 13 });
const ofFewWords = fc
  .shuffledSubarray(words, { minLength: 1, maxLength: 3 })
  .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 13 }));

function tokensOf(name: readonly string[], isOfService: boolean) {
  return readHolders(foldName(name.join(' ')), isOfService).whole;
}

describe('Two names of the same words', () => {
  test('are judged as by all the ways to place each word', () => {
    let matched = 0;
    fc.assert(
      fc.property(fc.oneof(someWords, ofFewWords), fc.boolean(), (name, isCapital) => {
        const file = tokensOf(name, false);
        const service = tokensOf(isCapital ? name.map((word) => word.toUpperCase()) : name, true);
        const verdict = compareNames(file, service);
        expect(verdict).toEqual(searchedVerdict(file, service));
        if (verdict.verdict === 'match') matched += 1;
      }),
      { numRuns: 1_000 },
    );
    expect(matched).toBeGreaterThan(100);
  });

  test('are judged so where one word is another as well', () => {
    const swapped = fc.tuple(fc.oneof(someWords, ofFewWords), fc.nat({ max: 12 }), fc.constantFrom(...words));
    fc.assert(
      fc.property(swapped, ([name, place, word]) => {
        const file = tokensOf(name, false);
        const service = tokensOf(name.with(place % name.length, word), true);
        expect(compareNames(file, service)).toEqual(searchedVerdict(file, service));
      }),
      { numRuns: 1_000 },
    );
  });
});

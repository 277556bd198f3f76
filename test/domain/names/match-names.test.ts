import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchNames } from '../../../src/domain/names/match-names.ts';

interface NamePair {
  readonly expected: string;
  readonly resolved: string;
  readonly verdict: string;
  readonly why: string;
}

const pairs: NamePair[] = parse(readFileSync(new URL('../../fixtures/name-pairs.csv', import.meta.url)), {
  columns: true,
});

const verdictOf = (expected: string, resolved: string) => matchNames(expected, resolved).verdict;

describe('the corpus of name pairs', () => {
  test('has at least 200 pairs, each once and each with its why', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(200);
    expect(new Set(pairs.map(({ expected, resolved }) => `${expected}|${resolved}`)).size).toBe(pairs.length);
    expect(pairs.filter(({ why }) => why === '')).toEqual([]);
  });

  test('gets the right verdict on every pair', () => {
    const wrong = pairs.flatMap(({ expected, resolved, verdict, why }) => {
      const found = matchNames(expected, resolved);
      if (found.verdict === verdict) return [];
      return `${expected} / ${resolved}: ${verdict} (${why}), but got ${found.verdict} (${found.reason})`;
    });
    expect(wrong).toEqual([]);
  });
});

describe('the reason says to a payroll officer', () => {
  test.each([
    ['John Otieno', 'JOHN OTIENNO', 'one letter differs: Otieno / OTIENNO'],
    ['James Mwangi', 'J MWANGI', 'only the initial agrees: James / J'],
    ['Wanjiku Kamau', 'WANJIKU KAMA', 'cut short by the service: Kamau / KAMA'],
    ['Fatuma', 'FATUMA ALI', 'only one name agrees: Fatuma'],
    ['Abdul Rahman', 'ABDULRAHMAN', 'only one name agrees: Abdul Rahman'],
    ['Ali bin Omar', 'ALI OMAR HASSAN', 'in one name only: bin'],
    ['Peter Ng"ang"a', 'PETER NGANGA', 'an initial, or one word written apart: Ng ang a / NGANGA'],
    ['James Mwangi', 'JAMES MWANGI KARIUKI', 'the names agree; only at the service: KARIUKI'],
    ['Grace Akinyi Otieno', 'GRACE OTIENO', 'the names agree; only in the file: Akinyi'],
    ["Peter Ng'ang'a", 'NGANGA PETER', 'the names agree'],
    ['John Otieno', 'JOHN ATIENO', 'differs: Otieno / ATIENO'],
    ['Ann Njeri Wambui', 'ANN', 'only one name agrees: Ann'],
    ['Ann Njeri Wambui', 'ANN ATIENO', 'not in the file: ATIENO'],
    ['Ann Njeri', 'ANN ATIENO AKINYI', 'not at the service: Njeri'],
    ['John Kamau', 'MARY WANJIKU', 'no word agrees'],
    ['J 7', 'J 7', 'what agrees does not prove who it is'],
    [
      'J Kamau',
      'JOHN KAMAO',
      'no full name agrees (only the initial agrees: J / JOHN; one letter differs: Kamau / KAMAO)',
    ],
    [
      'Ali Wanjiku Otieno',
      'ALI WANJIRU OTIENA',
      'more than one word differs (one letter differs: Wanjiku / WANJIRU; one letter differs: Otieno / OTIENA)',
    ],
    ['Mary Wanjiku', 'JOHN KAMAU AND MARY WANJIKU', 'joint account, holder MARY WANJIKU: the names agree'],
    ['Peter Otieno', 'JOHN KAMAU AND MARY WANJIKU', 'no holder of the joint account agrees'],
    ['John Kamau', '', 'the service gave no name'],
    ['John Kamau', '+254 712 345 678', 'the service gave a number, no name'],
    ['John Kamau', 'OK', 'the service gave no name, only "OK"'],
    ['John Kamau', 'J*** K***', 'the service masks the name'],
    ['---', 'JOHN KAMAU', 'the file gives no name to compare'],
    ['John Kamau', 'NOT AVAILABLE', 'the service gave no name, only "NOT AVAILABLE"'],
    ['Mr & Mrs', 'JOHN KAMAU', 'no word agrees'],
    ["John ' Kamau", 'JOHN KAMAU', 'the names agree'],
    ['John Kamau and Mary Wanjiku', 'JOHN KAMAU', 'the names agree'],
    ['Kamau and Sons Traders', 'KAMAU & SONS TRADERS', 'the names agree'],
    ['John Kamau', 'JOHN KAMAU &', 'the names agree'],
    ['Peter Kamau', 'JOHN & PETER & MARY KAMAU', 'joint account, holder PETER KAMAU: the names agree'],
    [
      'James Mwangi',
      'JAMES MWANGI KARIUKI OTIENO WERE',
      'the names agree; only at the service: KARIUKI, OTIENO, WERE',
    ],
    [
      'James Mwangi',
      'JAMES MWANGI KARIUKI OTIENO WERE NJOROGE',
      'the names agree; only at the service: KARIUKI, OTIENO, WERE …',
    ],
    [
      'A B C D Kamau',
      'ADA BEN CYD DAN KAMAU',
      'only the initial agrees: A / ADA; only the initial agrees: B / BEN; only the initial agrees: C / CYD',
    ],
    [
      'A B C D E',
      'ADA BEN CYD DAN EVE',
      'no full name agrees (only the initial agrees: A / ADA; only the initial agrees: B / BEN; only the initial agrees: C / CYD)',
    ],
    [
      'John Kamau Abcdefghijklmnopqrstuvwxyz',
      'JOHN KAMAU',
      'the names agree; only in the file: Abcdefghijklmnopqrstuvwx…',
    ],
    [
      'John Kamau Abcdefghijklmnopqrstuvwx',
      'JOHN KAMAU',
      'the names agree; only in the file: Abcdefghijklmnopqrstuvwx',
    ],
    ['John Kamau', 'JOHN KAMAU KE12345678X', 'the names agree; only at the service: KE…X'],
    [
      'Max Ada Kim Cyd Dan Eve Fay Gus Hal Ivy Jon Kay Leo',
      'ADA KIM CYD DAN EVE FAY GUS HAL IVY JON KAY LEO MAX',
      'the names agree',
    ],
    [
      'Ada Kim',
      'ADA KIM CYD DAN EVE FAY GUS HAL IVY JON KAY LEO MAX',
      'a name of more than 12 words, and not the same words',
    ],
  ])('%s / %s: %s', (expected, resolved, reason) => {
    expect(matchNames(expected, resolved).reason).toBe(reason);
  });

  test('no full account number, whatever the service puts into a name', () => {
    const spellings = ['MSISDN 254712345678', '0712 345 678 JOHN KAMAU', 'JOHN KE254712345678'];
    for (const resolved of spellings) {
      expect(matchNames('John Kamau', resolved).reason).not.toMatch(/\d{3}/);
    }
  });
});

describe('the number of the account', () => {
  test('given back as a name is unchecked, letters in it or not', () => {
    const number = 'SN08 SN01 0015 2000';
    expect(matchNames('Awa Ndiaye', 'SN08SN0100152000', { number })).toEqual({
      verdict: 'unchecked',
      reason: 'the service gave back the number',
    });
    expect(verdictOf('Awa Ndiaye', 'SN08SN0100152000')).toBe('mismatch');
    expect(matchNames('Awa Ndiaye', '0712345678', { number: '+254712345678' }).verdict).toBe('unchecked');
    expect(matchNames('Awa Ndiaye', 'AWA NDIAYE', { number }).verdict).toBe('match');
  });
});

describe('characters that deceive the eye', () => {
  test('Cyrillic letters in a Latin word make it equal to nothing, not even to itself', () => {
    expect(verdictOf('John Kamau', 'JOHN K\u0410MAU')).toBe('mismatch');
    expect(verdictOf('John K\u0410mau', 'JOHN K\u0410MAU')).toBe('mismatch');
    const long = Array.from({ length: 13 }, (_, index) => `wor\u0430d${index}`).join(' ');
    expect(verdictOf(long, long)).toBe('mismatch');
  });

  test('a word in other letters is not the word it looks like', () => {
    expect(verdictOf('Omar Hassan', '\u041e\u041c\u0410\u0420 HASSAN')).toBe('mismatch');
  });

  test('a mark in another script is part of the word', () => {
    expect(
      verdictOf(
        '\u0438\u0432\u0430\u043d \u0439\u043e\u0430\u043d',
        '\u0438\u0432\u0430\u043d \u0438\u043e\u0430\u043d',
      ),
    ).toBe('mismatch');
  });

  test('a mark without a letter is not there', () => {
    expect(verdictOf('John Kamau', '\u0301JOHN \u0323KAMAU \u0301')).toBe('match');
  });

  test('a name written backwards under a direction mark is another name', () => {
    expect(verdictOf('John Kamau', '\u202eUAMAK NHOJ')).toBe('mismatch');
  });

  test.each(['\u200b', '\u200d', '\u00ad', '\u202e', '\u2066', '\ufeff', '\ufe0f', '\u{e0041}'])(
    'an invisible character inside a word is not there: %j',
    (hidden) => {
      const strewn = Array.from('John Kamau').join(hidden);
      expect(verdictOf('John Kamau', strewn)).toBe('match');
      expect(verdictOf(strewn, 'JOHN KAMAU')).toBe('match');
    },
  );

  test('full-width and styled letters are the letters', () => {
    expect(
      verdictOf('John Kamau', '\uff2a\uff2f\uff28\uff2e \u{1d40a}\u{1d400}\u{1d40c}\u{1d400}\u{1d414}'),
    ).toBe('match');
  });

  test.each([
    ..."'`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u2018\u2019\u201b\u2032\ua78b\ua78c\uff07",
  ])('an apostrophe of any kind is deleted: %s', (apostrophe) => {
    expect(verdictOf(`Peter Ng${apostrophe}ang${apostrophe}a`, 'PETER NGANGA')).toBe('match');
  });

  test('a letter that does not decompose is the plain one, in both cases', () => {
    const hooked = 'Ɓb Ɗd Ɖd Đd Ɛe Ǝe Əe Ƒf Ɠg Ɣg Ɦh Ħh Ɩi Ɨi Ƙk Łl Ɔo Øo Ƥp Ƭt Ʈt Ʊu Ʉu Ʋv Ƴy Ɵo Ɑa'.split(
      ' ',
    );
    const wrong = hooked.filter(([letter = '', plain = '']) => {
      const found = [letter, letter.toLowerCase()].map((each) =>
        verdictOf(`Fa${each}ol Musa`, `FA${plain}OL MUSA`),
      );
      return found.some((verdict) => verdict !== 'match');
    });
    expect(wrong).toEqual([]);
  });

  test.each([...'-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d'])(
    'a hyphen of any kind is a blank: %s',
    (hyphen) => {
      expect(verdictOf(`Ama Serwaa${hyphen}Bonsu`, 'AMA BONSU SERWAA')).toBe('match');
    },
  );
});

const names =
  'Wanjiku Wanjiru Otieno Atieno Kamau Kamal Mohamed Mohammed Diallo Adébáyọ̀ Ɗanjuma Ng’ang’a Ali Eze'.split(
    ' ',
  );
const nameWords = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 });
const nameAndInitialWords = fc.array(fc.constantFrom(...names, 'W', 'K.', 'Z'), {
  minLength: 1,
  maxLength: 5,
});

describe('whatever the names', () => {
  test('the verdict is one of four with a reason that is fit to print', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc
        .array(
          fc.constantFrom(...names, '&', '/', ' and ', 'Mr', 'bin', 'Ltd', 'X', '\u0301', '\ud800', "'", '.'),
        )
        .map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, text, fc.option(text, { nil: undefined }), (expected, resolved, number) => {
        const { verdict, reason } = matchNames(expected, resolved, number === undefined ? {} : { number });
        expect(['match', 'close', 'mismatch', 'unchecked']).toContain(verdict);
        expect(reason).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u);
        expect(reason.length).toBeLessThan(700);
      }),
      { numRuns: 500 },
    );
  });

  test('the order of tokens does not count on either side, nor which side is which', () => {
    const shuffled = (words: string[]) => fc.shuffledSubarray(words, { minLength: words.length });
    const both = fc.tuple(nameAndInitialWords, nameAndInitialWords);
    fc.assert(
      fc.property(
        both.chain(([one, other]) =>
          fc.tuple(fc.constant(one), fc.constant(other), shuffled(one), shuffled(other)),
        ),
        ([expected, resolved, expectedAgain, resolvedAgain]) => {
          const verdict = verdictOf(expected.join(' '), resolved.join(' '));
          expect(verdictOf(expectedAgain.join(' '), resolvedAgain.join(' '))).toBe(verdict);
          expect(verdictOf(resolved.join(' '), expected.join(' '))).toBe(verdict);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('case and marks never change a verdict', () => {
    // S/O and N/A are known as they are written.
    const unabbreviated = pairs.filter(({ resolved }) => !/\b\w\/\w\b/.test(resolved));
    const changes = fc.array(fc.constantFrom('upper', 'lower', 'acute', 'dot below'), {
      minLength: 1,
      maxLength: 20,
    });
    const change = (text: string, kinds: readonly string[]) =>
      Array.from(text.normalize('NFD'), (letter, index) => {
        const kind = kinds[index % kinds.length];
        if (kind === 'upper') return letter.toUpperCase();
        if (kind === 'lower') return letter.toLowerCase();
        return /\p{Script=Latin}/u.test(letter) ? letter + (kind === 'acute' ? '\u0301' : '\u0323') : letter;
      }).join('');
    fc.assert(
      fc.property(fc.constantFrom(...unabbreviated), changes, changes, (pair, ofFile, ofService) => {
        expect(verdictOf(change(pair.expected, ofFile), change(pair.resolved, ofService))).toBe(pair.verdict);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a word that agrees with nothing, added to both sides, never makes a match', () => {
    const place = fc.nat({ max: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...pairs), place, place, ({ expected, resolved }, ofFile, ofService) => {
        const verdict = verdictOf(
          withWord(expected, 'Qvist', ofFile),
          withWord(resolved, 'Zweig', ofService),
        );
        const joint = /[&/+]| (?:and|or|et|ou) /i.test(`${expected} ${resolved}`);
        if (!joint && resolved !== '') expect(verdict).not.toBe('match');
      }),
      { numRuns: 2_000 },
    );
  });

  test('a name matches itself when two of its tokens count, and is close to itself when one does', () => {
    fc.assert(
      fc.property(nameWords, (words) => {
        expect(verdictOf(words.join(' '), words.join(' '))).toBe(words.length > 1 ? 'match' : 'close');
      }),
    );
  });

  test('the assignment is the best of all there are', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'Abdi',
        'Rahman',
        'Abdirahman',
        'Rahmana',
        'A',
        'R',
        'Omari',
        'Omaro',
        'Omar',
        'Om',
        'Ari',
      ),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(pieces, pieces, (expected, resolved) => {
        expect(verdictOf(expected.join(' '), resolved.join(' '))).toBe(verdictByTrial(expected, resolved));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('names made to cost time', () => {
  const tangle = (step: number) =>
    Array.from({ length: 12 }, (_, index) => 'a'.repeat(1 + ((index * step) % 4))).join(' ');
  const sixHolders = (name: string) => Array(6).fill(name).join(' / ');
  const repeated = (text: string) => text.repeat(Math.ceil(10_000 / text.length));
  test.each([
    ['many ways to place twelve tokens', tangle(1), tangle(7)],
    ['six holders of twelve tokens on both sides', sixHolders(tangle(1)), sixHolders(tangle(7))],
    [
      'many ways, none of which places all',
      sixHolders(`${'anna '.repeat(11)}zz`),
      sixHolders(`${'anna '.repeat(11)}yy`),
    ],
    ['thousands of tokens', repeated('ab '), repeated('ba ')],
    ['thousands of holders', repeated('ab cd / '), repeated('cd ef & ')],
    ['one token of 10 KB', repeated('a'), `${repeated('a')}b`],
    ['thousands of marks', repeated('e\u0301'), `e${repeated('\u0301')}`],
    ['thousands of dots', repeated('j...'), `j${repeated('.')}`],
    ['thousands of abbreviations', repeated(' s/o'), repeated('a c/o')],
    ['thousands of apostrophes', repeated("a'"), repeated("'")],
  ])('%s are judged in no time to speak of', (_, expected, resolved) => {
    const started = performance.now();
    matchNames(expected, resolved);
    matchNames(resolved, expected);
    // Exponential work would take hours; a busy machine takes a few times as long as a quiet one.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('of more than twelve tokens agree only in the very same words', () => {
    const long = Array.from({ length: 14 }, (_, index) => `Name${'abcdefghijklmn'[index]}`);
    expect(verdictOf(long.join(' '), long.toReversed().join(' ').toUpperCase())).toBe('match');
    expect(verdictOf(long.join(' '), long.slice(1).join(' '))).toBe('mismatch');
    expect(verdictOf(long.join(' '), [...long.slice(1), 'Other'].join(' '))).toBe('mismatch');
  });

  test('of twelve tokens may still lack one', () => {
    const twelve = Array.from('abcdefghijkl', (letter) => `Name${letter}`);
    expect(verdictOf(twelve.join(' '), twelve.slice(1).join(' '))).toBe('match');
  });

  test('of twelve tokens still match themselves', () => {
    expect(verdictOf(tangle(7), tangle(7))).toBe('match');
    expect(verdictOf('anna '.repeat(12), 'ANNA '.repeat(12))).toBe('match');
  });
});

function withWord(name: string, word: string, place: number): string {
  const words = name.split(' ');
  return [...words.slice(0, place), word, ...words.slice(place)].join(' ');
}

/** The rule as the design words it, by trying every way to join and to place: slow, and nothing shared with the code. */
function verdictByTrial(expected: readonly string[], resolved: readonly string[]): string {
  let best = 'mismatch';
  const lastOfService = resolved.length - 1;
  for (const ours of groupings(expected)) {
    for (const theirs of groupings(resolved)) {
      const [shorter, longer] = ours.length <= theirs.length ? [ours, theirs] : [theirs, ours];
      for (const order of placings(shorter.length, longer.length)) {
        const kinds = order.map((place, index) => {
          const [our, their] = shorter === ours ? [ours[index], theirs[place]] : [ours[place], theirs[index]];
          return kindOf(our ?? [], their ?? [], their?.includes(lastOfService) ?? false, expected, resolved);
        });
        const proofs = kinds.filter((kind) => kind === 'proof').length;
        const nears = kinds.filter((kind) => kind === 'near').length;
        if (kinds.every((kind) => kind === 'proof' || kind === 'equal') && proofs >= 2) return 'match';
        if (!kinds.includes('none') && proofs >= 1 && nears <= 1) best = 'close';
      }
    }
  }
  return best;
}

/** All ways to join adjacent tokens, as lists of their places. */
function groupings(words: readonly string[]): number[][][] {
  let found: number[][][] = [[]];
  for (const place of words.keys()) {
    found = found.flatMap((groups) => {
      const last = groups.at(-1);
      const alone = [...groups, [place]];
      return last ? [alone, [...groups.slice(0, -1), [...last, place]]] : [alone];
    });
  }
  return found;
}

/** All ways to give each of so many its own place among others. */
function placings(count: number, places: number): number[][] {
  if (count === 0) return [[]];
  return placings(count - 1, places).flatMap((taken) =>
    Array.from({ length: places }, (_, place) => place)
      .filter((place) => !taken.includes(place))
      .map((place) => [...taken, place]),
  );
}

function kindOf(
  ourPlaces: readonly number[],
  theirPlaces: readonly number[],
  isLastOfService: boolean,
  expected: readonly string[],
  resolved: readonly string[],
): 'proof' | 'equal' | 'initial' | 'near' | 'none' {
  const ourWords = ourPlaces.map((place) => expected[place] ?? '');
  const theirWords = theirPlaces.map((place) => resolved[place] ?? '');
  if (ourWords.length > 1 && theirWords.length > 1) return 'none';
  const [our, their] = [ourWords.join('').toLowerCase(), theirWords.join('').toLowerCase()];
  const joined = ourWords.length > 1 ? ourWords : theirWords;
  if (joined.length > 1) {
    if (our !== their) return 'none';
    const lone = joined.slice(1).some((word) => word.length === 1);
    if (lone) return joined.every((word) => word.length === 1) ? 'equal' : 'near';
    return joined.some((word) => word.length > 1) ? 'proof' : 'equal';
  }
  if (our === their) return our.length > 1 ? 'proof' : 'equal';
  if (our[0] !== their[0]) return 'none';
  if (our.length === 1 || their.length === 1) return 'initial';
  if (isLastOfService && their.length >= 4 && our.startsWith(their)) return 'near';
  return our.length >= 5 && their.length >= 5 && edits(our, their) === 1 ? 'near' : 'none';
}

function edits(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  if (one[0] === other[0]) return edits(one.slice(1), other.slice(1));
  if (Math.abs(one.length - other.length) > 1) return 2;
  const rest = [edits(one.slice(1), other), edits(one, other.slice(1)), edits(one.slice(1), other.slice(1))];
  return Math.min(2, 1 + Math.min(...rest));
}

import { mapOf } from './name-words.ts';

/** A word of a name, or the sign between two holders of an account (folded to `&`). */
export interface NamePiece {
  /** As it was written, but short, with nothing invisible and no account number in it: a person reads it. */
  readonly shown: string;
  readonly folded: string;
}

/** The words of a name in their order, each without case, marks and apostrophes; all other punctuation parts words. */
export function foldName(text: string): NamePiece[] {
  const pieces: NamePiece[] = [];
  for (const [shown] of spellOutSlashes(visibleText(text)).matchAll(pieceOfName)) {
    const folded = holderSign.test(shown) ? '&' : foldWord(shown);
    if (folded !== '') pieces.push({ shown: shortWord(shown), folded });
  }
  return pieces;
}

const pieceOfName = /[&+/\\;|]|[\p{L}\p{M}\p{N}']+/gu;
const holderSign = /^[&+/\\;|]$/;
const plainText = /^[\x20-\x5f\x61-\x7e]*$/;

function visibleText(text: string): string {
  if (plainText.test(text)) return text;
  // Apostrophes before NFKC, which turns the acute accent used as one into a blank and a mark.
  return text.replace(apostrophes, "'").replace(hidden, '').normalize('NFKC').replace(apostrophes, "'");
}

const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Quotes, primes, accents standing alone, modifier letters, the saltillo: whatever a keyboard offers for one. */
const apostrophes =
  /['`\u00b4\u02b9-\u02c1\u02c8\u02ca\u02cb\u02ee\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u2018-\u201b\u2032\u2035\u275b\u275c\ua78b\ua78c\uff07\uff40]/gu;

/** A slash inside an abbreviation does not part two holders, and who stands behind `c/o` holds nothing. */
function spellOutSlashes(text: string): string {
  if (!text.includes('/')) return text;
  const careOf = text.search(careOfSomebody);
  const holder = careOf > 0 ? text.slice(0, careOf) : text;
  return holder.replace(slashed, (letters) => ` ${slashedWords.get(letters.toLowerCase()) ?? ' '} `);
}

const careOfSomebody = /(?<![\p{L}\p{N}])c\/o(?![\p{L}\p{N}])/iu;
const slashed = /(?<![\p{L}\p{N}])(?:n\/a|s\/o|d\/o|w\/o|t\/a|a\/c|c\/o)(?![\p{L}\p{N}])/giu;
const slashedWords = mapOf('n/a:na s/o:bin d/o:binti w/o:wa t/a:&');

function foldWord(word: string): string {
  if (plainText.test(word)) return word.toLowerCase().replaceAll("'", '');
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(apostrophes, '')
    .replace(clicks, '')
    .replace(markedLatin, '$1')
    .replace(engBeforeK, 'n')
    .replace(eng, 'ng')
    .replace(undecomposed, (letter) => plainLetters.get(letter) ?? letter)
    .normalize('NFKC')
    .replace(strayMarks, '');
}

/** Khoisan clicks, the glottal stop and the length mark: left out wherever these names are typed in Latin. */
const clicks = /[\u01c0-\u01c3\u0241\u0242\u0294\u02d0]/gu;
/** Only Latin letters lose their marks: in other scripts a mark may be the vowel. */
const markedLatin = /(\p{Script=Latin})\p{M}+/gu;
const strayMarks = /^\p{M}+/u;
/** Written ng where the letter is missing (Deŋ, Deng), and not twice before g. */
const eng = /ŋg?/gu;
const engBeforeK = /ŋ(?=k)/gu;
const undecomposed = /\P{ASCII}/gu;

/** By the plain letters that they are typed as. */
const likeLetters = mapOf(`
  a:ɑɐʌⱥ ae:æ b:ɓƀꞵƃ c:ƈȼɕ d:ɗɖđðƌȡ e:ɛəǝɇɘ f:ƒɸ g:ɠɣǥɡᶃ h:ɦħⱨɧ i:ɩɨıɪ j:ʄɟȷɉʝ k:ƙĸⱪ
  l:łƚɫⱡɬ m:ɱ n:ɳƞ ny:ɲ o:ɔøɵɤ oe:œ p:ƥᵽ q:ɋʠ r:ɍɽɾʀ s:ʂȿ sh:ʃ ss:ß t:ƭʈŧⱦ th:þ u:ʊʉɯ
  v:ʋⱱ w:ⱳ y:ƴɏ z:ƶȥɀ zh:ʒ
`);
const plainLetters = new Map(
  Array.from(likeLetters).flatMap(([plain, letters]) =>
    [...letters].map((letter) => [letter, plain] as const),
  ),
);

const longestShown = 24;
/** Three digits, because account numbers come in groups. */
const partOfNumber = /\p{N}{3,}/gu;

function shortWord(word: string): string {
  const letters = word.length > longestShown ? Array.from(word) : [];
  const short = letters.length > longestShown ? `${letters.slice(0, longestShown).join('')}…` : word;
  return short.replace(partOfNumber, '…');
}

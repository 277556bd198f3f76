import type { NamePiece } from './fold-name.ts';
import { nameWords } from './name-words.ts';

export interface NameToken extends NamePiece {
  /** What equality is asked of: the folded form in the one spelling. */
  readonly word: string;
  /** Agreement in it is proof of who somebody is. */
  readonly counts: boolean;
  /** A particle, or a title that is not in front: proves nothing, and disproves nothing where it is missing. */
  readonly dispensable: boolean;
  /** Only plain Latin words are compared as initials, near or cut short; all others are equal or not. */
  readonly latin: boolean;
  /** Two alphabets in one word: made to look like another word, so it equals none. */
  readonly mixed: boolean;
  /** The service's last word, which its field may have cut. */
  readonly mayBeCut: boolean;
}

/** The tokens of one name. Titles in front are dropped, but never all there is. */
export function nameTokens(pieces: readonly NamePiece[], lastOfService: NamePiece | undefined): NameToken[] {
  let first = 0;
  while (isTitleAt(pieces, first)) first += 1;
  const named = pieces.slice(first);
  return named.map((piece, index) => {
    const { shown, folded } = piece;
    const word = nameWords.oneSpelling(folded);
    const particle = isParticleAt(word, index, named.length);
    const mixed = !ascii.test(folded) && latinLetter.test(folded) && otherLetter.test(folded);
    return {
      shown,
      folded,
      word,
      counts: !particle && twoLetters.test(folded) && !isNoProof(word),
      dispensable: particle || (nameWords.isTitle(word) && !nameWords.isGeneration(word)),
      latin: plainWord.test(folded),
      mixed,
      mayBeCut: piece === lastOfService,
    };
  });
}

function isTitleAt(pieces: readonly NamePiece[], place: number): boolean {
  const word = pieces[place]?.folded ?? '';
  const behind = pieces.length - place - 1;
  return (behind > 0 && nameWords.isTitle(word)) || (behind > 1 && nameWords.isTitleInFront(word));
}

/** A particle opens the word behind it. At the end of a name the same letters are a name: Sié Da, Kamau Ben. */
function isParticleAt(word: string, index: number, length: number): boolean {
  if (!nameWords.isParticle(word) || index === length - 1) return false;
  return index > 0 || !nameWords.isGivenNameToo(word);
}

function isNoProof(word: string): boolean {
  return nameWords.isTitle(word) || nameWords.isGeneration(word) || nameWords.isLegalForm(word);
}

const ascii = /^[\x20-\x7e]*$/;
const plainWord = /^[a-z]+$/;
const twoLetters = /\p{L}.*\p{L}/su;
const latinLetter = /\p{Script=Latin}/u;
const otherLetter = /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}])\p{L}/u;

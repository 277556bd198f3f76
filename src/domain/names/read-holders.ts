import type { NamePiece } from './fold-name.ts';
import { type NameToken, nameTokens } from './name-token.ts';
import { nameWords } from './name-words.ts';

export interface NameReading {
  /** All words as one name, the words between holders left out. */
  readonly whole: readonly NameToken[];
  /** Each holder of a joint account; where there is one only, the whole name. */
  readonly holders: readonly (readonly NameToken[])[];
  readonly joint: boolean;
  /** A legal form, a trade, or "and Sons": then the "and" may be part of the name. */
  readonly firm: boolean;
}

/** Reads a name both ways: as one name, and as the holders of a joint account. */
export function readHolders(pieces: readonly NamePiece[], lastMayBeCut: boolean): NameReading {
  const words = pieces.filter((piece) => !isBetweenHolders(piece));
  const lastOfService = lastMayBeCut ? words.at(-1) : undefined;
  const whole = nameTokens(words, lastOfService);
  const parts = words.length === pieces.length ? [] : splitAtHolders(pieces);
  const people = parts.filter((part) => !nameWords.isFirmPart(firstWord(part)));
  const named = people.filter((part) => part.some((piece) => !nameWords.isTitle(piece.folded)));
  const firm = people.length < parts.length || whole.some(isOfFirm);
  if (parts.length < 2 || named.length === 0) return { whole, holders: [whole], joint: false, firm };
  const holders = withSharedSurname(named.slice(0, mostHolders)).map((part) =>
    nameTokens(part, lastOfService),
  );
  return { whole, holders, joint: true, firm };
}

/** No account has more; a reply that claims so must not cost time. */
const mostHolders = 6;

function isBetweenHolders(piece: NamePiece): boolean {
  return piece.folded === '&' || nameWords.isConnective(piece.folded);
}

function isOfFirm({ word }: NameToken): boolean {
  return nameWords.isFirmPart(word) || nameWords.isTrade(word);
}

function firstWord(part: readonly NamePiece[]): string {
  return nameWords.oneSpelling(part[0]?.folded ?? '');
}

function splitAtHolders(pieces: readonly NamePiece[]): NamePiece[][] {
  const parts: NamePiece[][] = [[]];
  for (const piece of pieces) {
    if (isBetweenHolders(piece)) parts.push([]);
    else parts.at(-1)?.push(piece);
  }
  return parts.filter((part) => part.length > 0);
}

/** JOHN AND MARY KAMAU are John Kamau and Mary Kamau. */
function withSharedSurname(parts: readonly (readonly NamePiece[])[]): (readonly NamePiece[])[] {
  const last = parts.at(-1) ?? [];
  const surname = namesIn(last) > 1 ? last.at(-1) : undefined;
  return parts.map((part) => (surname && part !== last && namesIn(part) === 1 ? [...part, surname] : part));
}

function namesIn(part: readonly NamePiece[]): number {
  return part.filter((piece) => !nameWords.isTitle(piece.folded)).length;
}

import { isOperatorWord } from '../reference-data/operator-words.ts';
import { foldName } from './fold-name.ts';
import { linkTokens } from './link-tokens.ts';
import type { NameToken } from './name-token.ts';
import { nameWords } from './name-words.ts';
import { saysNothing } from './placeholder-name.ts';
import { readHolders } from './read-holders.ts';

/**
 * The words of an answer that stand in none of the stored names, sorted. Whoever only repeats those names has none,
 * however they are turned, cut, joined, shortened to initials or addressed. A title, an initial, a word that any answer
 * may carry and one letter more or less are no knowledge of anybody.
 */
export function wordsBeyond(answer: string, stored: readonly string[]): string[] {
  const said = tokensOf(answer);
  const known = new Set(stored.flatMap((name) => standingIn(said, tokensOf(name))));
  const beyond = said.filter((token) => isKnowledge(token) && !known.has(token));
  return [...new Set(beyond.map(({ word }) => word))].sort();
}

function tokensOf(name: string): readonly NameToken[] {
  return readHolders(foldName(name), true).whole;
}

function standingIn(said: readonly NameToken[], name: readonly NameToken[]): NameToken[] {
  const linked = linkTokens(name, said).flatMap(({ service }) => service.tokens);
  const cut = said.filter((token) => name.some(({ folded }) => folded.startsWith(token.folded)));
  return [...linked, ...cut];
}

function isKnowledge({ counts, mixed, word, folded }: NameToken): boolean {
  if (!counts || mixed || nameWords.isTitleInFront(word)) return false;
  return !saysNothing(folded) && !isOperatorWord(folded) && !ofRails.has(folded);
}

/** What is left of M-PESA and its like where they are written apart. */
const ofRails: ReadonlySet<string> = new Set(['pesa', 'cash']);

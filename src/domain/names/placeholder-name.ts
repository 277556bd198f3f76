import { readableText } from '../text/readable-text.ts';
import type { NamePiece } from './fold-name.ts';
import { nameWords, setOf } from './name-words.ts';

/** Why what the service gave is no name to compare with, or nothing if it is one. */
export function placeholderName(
  resolved: string,
  pieces: readonly NamePiece[],
  number: string | undefined,
): string | undefined {
  if (maskSign.test(resolved) || pieces.some((piece) => isMasked(piece.folded))) {
    return 'the service masks the name';
  }
  if (!pieces.some((piece) => letter.test(piece.folded))) {
    return digit.test(resolved) ? 'the service gave a number, no name' : 'the service gave no name';
  }
  const joined = pieces.map((piece) => piece.folded).join('');
  if (number !== undefined && joined === alphanumeric(number)) return 'the service gave back the number';
  if (placeholders.has(joined) || pieces.every((piece) => saysNothing(piece.folded))) {
    const shown = readableText(pieces.map((piece) => piece.shown).join(' '));
    return `the service gave no name, only "${shown}"`;
  }
  return undefined;
}

const letter = /\p{L}/u;
const digit = /\p{N}/u;

/**
 * Stars, bullets and blocks anywhere; other signs only in runs, because one of them may be a slip. Three dots behind
 * the last word are a name cut short, before it they hide letters.
 */
const maskSign =
  /[*\u00d7\u2022\u2023\u204e\u2217\u2588\u25a0\u25aa\u25cb\u25cf\u25e6\u2b24\ufe61\uff0a]|[#?_\ufffd]{2}|[\p{L}\p{M}](?:\.{3}|\u2026|-{3})(?=.*[\p{L}\p{M}])/su;

/** X for letters or digits that are not shown; Alexxa has two of them by mistake. */
function isMasked(word: string): boolean {
  const first = word.indexOf('xx');
  if (first < 0) return false;
  if (word.includes('xxx') || word === 'xx') return true;
  return /\d/.test(word.slice(0, word.lastIndexOf('xx'))) || /\d/.test(word.slice(first));
}

function alphanumeric(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A word that may stand in any answer, and is nobody's name. */
export function saysNothing(word: string): boolean {
  return word === '&' || !letter.test(word) || placeholders.has(word) || nameWords.isTitle(word);
}

/** Words that stand where a name should. A name is a placeholder only if it has no other word. */
const placeholders = setOf(`
  ok okay yes no na none nil null nan undefined unknown anonymous hidden confidential
  success successful successfully succeeded valid validated verified invalid true false
  active inactive registered unregistered resolved approved complete completed pending error failed
  exist exists found not available unavailable applicable does
  name names fullname firstname lastname accountname noname nameless
  account accounts acc acct holder owner customer client subscriber user beneficiary recipient payee wallet msisdn
  mobile money momo number
  test tester testing dummy sample default
`);

import { foldName } from './fold-name.ts';
import { matchNames, type NameVerdict } from './match-names.ts';
import { wordsBeyond } from './words-beyond.ts';

/** What the service said an account is called, or why it did not say. */
export interface ResolvedName {
  readonly kind: 'name' | 'no-account' | 'unsupported';
  readonly name: string;
}

/** An answer of the service, and what it is worth. */
export interface NameEvidence {
  readonly answer: ResolvedName;
  /**
   * Whether it is a name that is stored with an account of that number, or has no word that is in none of them: the
   * service may know no more than that.
   */
  readonly repeats: Repeats;
  /** The last answer that repeated nothing; undefined where there never was one. */
  readonly before: ResolvedName | undefined;
  /** What it knows of the person beyond the stored name that it agrees with. Empty where that is nothing. */
  readonly beyond: string;
}

export type Repeats = 'nothing' | 'name' | 'words';

/** The name that a verdict rests on. `repeated`: nothing but what is stored with the account. */
export interface DecidingName {
  readonly kind: ResolvedName['kind'] | 'repeated';
  readonly name: string;
}

export type NameCount = NameVerdict['verdict'] | 'no-account';

/**
 * What an answer is worth, given the names that are stored with accounts of the number. A service may answer with just
 * these, whoever stored them, and then it would confirm any name at all.
 */
export function weighAnswer(
  answer: ResolvedName,
  stored: readonly string[],
  before: ResolvedName | undefined,
): NameEvidence {
  const own = { answer, repeats: 'nothing', before: answer, beyond: '' } as const;
  if (answer.kind === 'unsupported') return { ...own, before };
  if (answer.kind === 'no-account') return own;
  if (stored.some((name) => isSameName(name, answer.name))) return { ...own, repeats: 'name', before };
  if (stored.length === 0 || !isName(answer.name)) return own;
  const beyond = wordsBeyond(answer.name, stored);
  if (beyond.length === 0) return { ...own, repeats: 'words', before };
  // A name that is nobody's shows no knowledge of anybody.
  const agrees = stored.some((name) => matchNames(name, answer.name).verdict === 'match');
  return agrees ? { ...own, beyond: beyond.join(' ') } : own;
}

/**
 * Whether a rail has a register of its own, by what answers there knew beyond stored names: two of them at least, and
 * not the same of both, for that may be a word that the service adds to every name.
 */
export function isRegister(beyond: ReadonlySet<string>): boolean {
  return beyond.size > 1;
}

/**
 * An answer that only repeats gives way to one that did not, however long ago that came. One that is merely made of the
 * words of a stored name may as well be another person's: it confirms nobody, but what it contradicts stays so.
 */
export function decidingName(
  { answer, repeats, before }: NameEvidence,
  isTrustedRail: () => boolean,
  { accountName, number }: { readonly accountName: string; readonly number: string },
): DecidingName {
  if (repeats === 'nothing') return answer;
  if (repeats === 'words' && nameVerdict(accountName, number, answer).verdict !== 'match') return answer;
  if (before) return before;
  return isTrustedRail() ? answer : { kind: 'repeated', name: answer.name };
}

/** Whose account it is, for one payment: two payments to one account may carry two names. */
export function nameVerdict(
  accountName: string,
  number: string,
  { kind, name }: DecidingName,
): { readonly verdict: NameCount; readonly reason: string } {
  switch (kind) {
    case 'no-account':
      return { verdict: 'no-account', reason: 'the account does not exist' };
    case 'unsupported':
      return { verdict: 'unchecked', reason: 'the service cannot check names on this rail' };
    case 'repeated':
      return {
        verdict: 'unchecked',
        reason: 'the service repeats the name that is stored with the account; that proves nothing',
      };
    case 'name':
      return matchNames(accountName, name, { number });
  }
}

/** In case, marks and signs they may differ: that is still one and the same text. */
export function isSameName(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(name: string): string {
  return foldName(name)
    .map((piece) => piece.folded)
    .join(' ');
}

/** "OK", a mask or nothing at all is no other name. */
function isName(text: string): boolean {
  return matchNames(text, text).verdict !== 'unchecked';
}

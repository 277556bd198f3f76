import { foldName } from './fold-name.ts';
import { matchNames, type NameVerdict } from './match-names.ts';

/** What the service said an account is called, or why it did not say. */
export interface ResolvedName {
  readonly kind: 'name' | 'no-account' | 'unsupported';
  readonly name: string;
}

/** An answer of the service, and what it is worth. */
export interface NameEvidence {
  readonly answer: ResolvedName;
  /** The name is one that is stored with an account of that number: the service may know no more than that. */
  readonly repeats: boolean;
  /** The last answer that repeated nothing; undefined where there never was one. */
  readonly before: ResolvedName | undefined;
  /** It said another name than the stored one: names on this rail come from elsewhere. */
  readonly differs: boolean;
}

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
  if (answer.kind === 'unsupported') return { answer, repeats: false, before, differs: false };
  if (answer.kind === 'no-account') return { answer, repeats: false, before: answer, differs: false };
  const repeats = stored.some((name) => isSameName(name, answer.name));
  if (repeats) return { answer, repeats, before, differs: false };
  return { answer, repeats, before: answer, differs: stored.length > 0 && isName(answer.name) };
}

/** An answer that only repeats gives way to one that did not, however long ago that came. */
export function decidingName(
  { answer, repeats, before }: Omit<NameEvidence, 'differs'>,
  isTrustedRail: boolean,
): DecidingName {
  if (!repeats) return answer;
  if (before) return before;
  return isTrustedRail ? answer : { kind: 'repeated', name: answer.name };
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
        reason: 'the service says just the name that is stored with the account, which proves nothing',
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

import { type Assignment, type AssignRule, assignTokens, mostTokens } from './assign-tokens.ts';
import { explainClose, explainMatch, explainMismatch } from './explain-names.ts';
import { linkTokens } from './link-tokens.ts';
import type { NameToken } from './name-token.ts';

export interface NameVerdict {
  readonly verdict: 'match' | 'close' | 'mismatch' | 'unchecked';
  /** For a payroll officer: what agrees, what differs, or why nothing could be compared. */
  readonly reason: string;
}

type Name = readonly NameToken[];

/** Compares one name of the file with one name of the service. */
export function compareNames(file: Name, service: Name): NameVerdict {
  return isSameProof(file, service) ? theNamesAgree : searchedVerdict(file, service);
}

const theNamesAgree: NameVerdict = { verdict: 'match', reason: 'the names agree' };

/** The very same words in the same order, as nearly all names are: the search could only place each upon itself. */
function isSameProof(file: Name, service: Name): boolean {
  if (file.length !== service.length) return false;
  const isSame = file.every(({ folded, mixed }, place) => !mixed && folded === service[place]?.folded);
  return isSame && file.filter((token) => token.counts).length >= proofsOfMatch;
}

/** Whatever the words, by all the ways to give each its place. */
export function searchedVerdict(file: Name, service: Name): NameVerdict {
  if (file.length > mostTokens || service.length > mostTokens) return compareLongNames(file, service);
  const place = placing(file, service);
  const equal = place('equal');
  if (equal && equal.proofs >= proofsOfMatch) {
    return { verdict: 'match', reason: explainMatch(equal, file, service) };
  }
  const close = place('close');
  if (close && close.proofs > 0) return { verdict: 'close', reason: explainClose(close) };
  return { verdict: 'mismatch', reason: explainMismatch(place('any'), file, service) };
}

const proofsOfMatch = 2;

/**
 * The shorter name is the one whose tokens all find a place in the other: with tokens joined, their plain number does
 * not say which it is. So both are tried.
 */
function placing(file: Name, service: Name): (rule: AssignRule) => Assignment | undefined {
  const links = linkTokens(file, service);
  return (rule) => {
    const ofFile = assignTokens('file', file, links, rule);
    const ofService = assignTokens('service', service, links, rule);
    return ofService && (!ofFile || ofService.score > ofFile.score) ? ofService : ofFile;
  };
}

/** Nobody's name: the search would not end in time, so only the very same words agree. */
function compareLongNames(file: Name, service: Name): NameVerdict {
  const words = (name: Name) => name.map((token) => token.word).sort();
  const [ours, theirs] = [words(file), words(service)];
  const same = ours.length === theirs.length && ours.every((word, index) => word === theirs[index]);
  const sound = !file.some((token) => token.mixed);
  if (same && sound && file.filter((token) => token.counts).length >= proofsOfMatch) {
    return { verdict: 'match', reason: 'the names agree' };
  }
  return { verdict: 'mismatch', reason: `a name of more than ${mostTokens} words, and not the same words` };
}

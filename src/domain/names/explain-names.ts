import type { Assignment } from './assign-tokens.ts';
import type { TokenLink } from './link-tokens.ts';
import type { NameToken } from './name-token.ts';

type Name = readonly NameToken[];

/** Why two names match: what stands in one of them only is said, because it may be somebody else after all. */
export function explainMatch(assignment: Assignment, file: Name, service: Name): string {
  const ours = unplaced(file, assignment, 'file');
  const theirs = unplaced(service, assignment, 'service');
  if (ours.length > 0) return `the names agree; only in the file: ${listed(ours)}`;
  if (theirs.length > 0) return `the names agree; only at the service: ${listed(theirs)}`;
  return 'the names agree';
}

export function explainClose(assignment: Assignment): string {
  const differences = assignment.links.flatMap(differenceOf);
  if (assignment.left.length > 0) differences.push(`in one name only: ${listed(assignment.left)}`);
  if (differences.length > 0) return differences.slice(0, mostListed).join('; ');
  const proof = assignment.links.find((link) => link.proof);
  return `only one name agrees: ${joined(proof?.file.tokens ?? [])}`;
}

export function explainMismatch(closest: Assignment | undefined, file: Name, service: Name): string {
  const mixed = [...file, ...service].filter((token) => token.mixed);
  if (mixed.length > 0) return `letters of two alphabets in one word: ${listed(mixed)}`;
  if (!closest || closest.links.length === 0) return 'no word agrees';
  const ours = unplaced(file, closest, 'file');
  const theirs = unplaced(service, closest, 'service');
  if (ours.length === 1 && theirs.length === 1) return `differs: ${listed(ours)} / ${listed(theirs)}`;
  const [left] = closest.left;
  if (left)
    return file.includes(left) ? `not at the service: ${listed(ours)}` : `not in the file: ${listed(theirs)}`;
  const differences = closest.links.flatMap(differenceOf).slice(0, mostListed).join('; ');
  if (differences === '') return 'what agrees does not prove who it is';
  return `${closest.proofs > 0 ? 'more than one word differs' : 'no full name agrees'} (${differences})`;
}

function differenceOf(link: TokenLink): string[] {
  const pair = `${joined(link.file.tokens)} / ${joined(link.service.tokens)}`;
  switch (link.kind) {
    case 'equal':
      return [];
    case 'initial':
      return [`only the initial agrees: ${pair}`];
    case 'cut':
      return [`cut short by the service: ${pair}`];
    case 'near': {
      const apart = link.file.tokens.length + link.service.tokens.length > 2;
      return [apart ? `an initial, or one word written apart: ${pair}` : `one letter differs: ${pair}`];
    }
  }
}

function unplaced(name: Name, assignment: Assignment, side: 'file' | 'service'): NameToken[] {
  const placed = new Set(assignment.links.flatMap((link) => link[side].tokens));
  return name.filter((token) => !placed.has(token));
}

const mostListed = 3;

function listed(tokens: Name): string {
  const first = tokens.slice(0, mostListed).map((token) => token.shown);
  return first.join(', ') + (tokens.length > mostListed ? ' …' : '');
}

function joined(tokens: Name): string {
  return tokens.map((token) => token.shown).join(' ');
}

import type { NameToken } from './name-token.ts';

/** One way to place one token, or several adjacent ones joined, on one token of the other name. */
export interface TokenLink {
  readonly kind: 'equal' | 'initial' | 'near' | 'cut';
  readonly file: TokenGroup;
  readonly service: TokenGroup;
  /** Two tokens that count, and are equal. */
  readonly proof: boolean;
}

/** Adjacent tokens of one name. */
interface TokenGroup {
  readonly tokens: readonly NameToken[];
  readonly start: number;
}

/** All links between two names, whether they can stand together or not. */
export function linkTokens(file: readonly NameToken[], service: readonly NameToken[]): TokenLink[] {
  const links: TokenLink[] = [];
  for (const [fileStart, fileToken] of file.entries()) {
    const ours = { tokens: [fileToken], start: fileStart };
    for (const [serviceStart, serviceToken] of service.entries()) {
      const theirs = { tokens: [serviceToken], start: serviceStart };
      const kind = compareTokens(fileToken, serviceToken);
      if (kind) links.push(linkOf(kind, ours, theirs));
      const ourGroup = joinedGroup(file, fileStart, serviceToken);
      if (ourGroup) links.push(linkOf(joinKind(ourGroup), ourGroup, theirs));
      const theirGroup = joinedGroup(service, serviceStart, fileToken);
      if (theirGroup) links.push(linkOf(joinKind(theirGroup), ours, theirGroup));
    }
  }
  return links;
}

function compareTokens(ours: NameToken, theirs: NameToken): TokenLink['kind'] | undefined {
  if (ours.mixed || theirs.mixed) return undefined;
  if (ours.word === theirs.word) return 'equal';
  if (!ours.latin || !theirs.latin || ours.folded[0] !== theirs.folded[0]) return undefined;
  if (ours.folded.length === 1 || theirs.folded.length === 1) return 'initial';
  if (isCutOf(theirs, ours)) return 'cut';
  return isOneEditAway(ours.folded, theirs.folded) ? 'near' : undefined;
}

const shortestCut = 4;

function isCutOf(theirs: NameToken, ours: NameToken): boolean {
  return theirs.mayBeCut && theirs.folded.length >= shortestCut && ours.folded.startsWith(theirs.folded);
}

const shortestNear = 5;

/**
 * One letter put in, left out or replaced; the first letters are known to be the same. Two letters swapped are two
 * edits: Christian and Christina are brother and sister.
 */
function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < shortestNear || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return long.slice(same + 1) === short.slice(short.length === long.length ? same + 1 : same);
}

const longestGroup = 4;

/** Two to four adjacent tokens from here on that, joined, are the one token. */
function joinedGroup(name: readonly NameToken[], start: number, whole: NameToken): TokenGroup | undefined {
  let joined = name[start]?.folded ?? '';
  if (whole.mixed || joined.length >= whole.folded.length || !whole.folded.startsWith(joined))
    return undefined;
  for (let end = start + 1; end < name.length && end < start + longestGroup; end += 1) {
    joined += name[end]?.folded ?? '';
    if (joined === whole.folded) return { tokens: name.slice(start, end + 1), start };
  }
  return undefined;
}

/** O Brien is Obrien and S A is SA, but Ann A may be Ann with an initial, and not Anna. */
function joinKind({ tokens: [first, ...rest] }: TokenGroup): TokenLink['kind'] {
  const isLone = (token: NameToken) => token.folded.length === 1;
  const initials = first !== undefined && isLone(first) && rest.every(isLone);
  return initials || !rest.some(isLone) ? 'equal' : 'near';
}

function linkOf(kind: TokenLink['kind'], file: TokenGroup, service: TokenGroup): TokenLink {
  const counts = (group: TokenGroup) => group.tokens.some((token) => token.counts);
  return { kind, file, service, proof: kind === 'equal' && counts(file) && counts(service) };
}

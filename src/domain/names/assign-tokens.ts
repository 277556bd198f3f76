import type { TokenLink } from './link-tokens.ts';
import type { NameToken } from './name-token.ts';

/** What may be used: equal tokens only; what a close name may; or anything, to say what differs. */
export type AssignRule = 'equal' | 'close' | 'any';

export interface Assignment {
  readonly links: readonly TokenLink[];
  /** Tokens without a place. In a close name only those that it can do without. */
  readonly left: readonly NameToken[];
  readonly proofs: number;
  readonly score: number;
}

/** Longer than any name; the search keeps a bit for each. */
export const mostTokens = 12;

/** A name made to have ever more ways is given up: then a way may be missed, but none is made up. */
const mostStates = 1_000;

/**
 * The best way to give every token of one name its place in the other, each place used once; nothing if the rule
 * leaves no way. Optimal, because all ways are tried.
 */
export function assignTokens(
  side: 'file' | 'service',
  name: readonly NameToken[],
  links: readonly TokenLink[],
  rule: AssignRule,
): Assignment | undefined {
  const usable = links.filter((link) => rule !== 'equal' || link.kind === 'equal');
  const choices = name.map((_, start) => choicesAt(start, side, usable));
  const known = new Map<number, Step | undefined>();

  function bestFrom(start: number, used: number, nearsLeft: number): Step | undefined {
    const token = name[start];
    if (!token) return end;
    const key = (((used << 4) | start) << 1) | nearsLeft;
    if (known.has(key) || known.size >= mostStates) return known.get(key);
    let best: Step | undefined;
    for (const { link, length, uses } of choices[start] ?? []) {
      const nears = rule === 'close' && isNear(link) ? nearsLeft - 1 : nearsLeft;
      if ((uses & used) !== 0 || nears < 0) continue;
      const rest = bestFrom(start + length, used | uses, nears);
      if (rest) best = better(best, { rest, link, score: rest.score + worth(link) });
    }
    if (rule === 'any' || (rule === 'close' && token.dispensable)) {
      const rest = bestFrom(start + 1, used, nearsLeft);
      const cost = token.dispensable ? costOfDispensable : costOfName;
      if (rest) best = better(best, { rest, left: token, score: rest.score - cost });
    }
    known.set(key, best);
    return best;
  }

  return assignmentOf(bestFrom(0, 0, 1));
}

interface Step {
  readonly score: number;
  readonly rest?: Step;
  readonly link?: TokenLink;
  readonly left?: NameToken;
}

const end: Step = { score: 0 };

interface Choice {
  readonly link: TokenLink;
  /** How many tokens of this name it places. */
  readonly length: number;
  /** The tokens of the other name that it takes, a bit each. */
  readonly uses: number;
}

function choicesAt(start: number, side: 'file' | 'service', links: readonly TokenLink[]): Choice[] {
  const choices: Choice[] = [];
  for (const link of links) {
    const [own, other] = side === 'file' ? [link.file, link.service] : [link.service, link.file];
    if (own.start !== start) continue;
    const uses = ((1 << other.tokens.length) - 1) << other.start;
    choices.push({ link, length: own.tokens.length, uses });
  }
  return choices;
}

function isNear(link: TokenLink): boolean {
  return link.kind === 'near' || link.kind === 'cut';
}

const worthOfProof = 100;
const costOfName = 10_000;
const costOfDispensable = 3;

/** One proof outweighs whatever else twelve tokens can be. */
function worth(link: TokenLink): number {
  if (link.proof) return worthOfProof;
  return { equal: 1, initial: -1, near: -2, cut: -2 }[link.kind];
}

function better(best: Step | undefined, candidate: Step): Step {
  return best && best.score >= candidate.score ? best : candidate;
}

function assignmentOf(first: Step | undefined): Assignment | undefined {
  if (!first) return undefined;
  const links: TokenLink[] = [];
  const left: NameToken[] = [];
  for (let step: Step | undefined = first; step; step = step.rest) {
    if (step.link) links.push(step.link);
    if (step.left) left.push(step.left);
  }
  return { links, left, proofs: links.filter((link) => link.proof).length, score: first.score };
}

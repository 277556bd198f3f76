import { readableText } from '../text/readable-text.ts';
import { compareNames, type NameVerdict } from './compare-names.ts';
import { foldName } from './fold-name.ts';
import type { NameToken } from './name-token.ts';
import { placeholderName } from './placeholder-name.ts';
import { type NameReading, readHolders } from './read-holders.ts';

export type { NameVerdict } from './compare-names.ts';

/** Compares the name in the file with the name that the service has for the account. */
export function matchNames(
  expected: string,
  resolved: string,
  context: { readonly number?: string } = {},
): NameVerdict {
  const servicePieces = foldName(resolved);
  const placeholder = placeholderName(resolved, servicePieces, context.number);
  if (placeholder) return { verdict: 'unchecked', reason: placeholder };
  const file = readHolders(foldName(expected), false);
  if (!file.whole.some((token) => letter.test(token.folded))) {
    return { verdict: 'unchecked', reason: 'the file gives no name to compare' };
  }
  const service = readHolders(servicePieces, true);
  if (!file.joint && !service.joint) return compareNames(file.whole, service.whole);
  return compareJoint(file, service);
}

const letter = /\p{L}/u;

function compareJoint(file: NameReading, service: NameReading): NameVerdict {
  let best: NameVerdict | undefined;
  for (const [fileName, serviceName] of namesToCompare(file, service)) {
    const found = compareNames(fileName, serviceName);
    if (best && rank[found.verdict] <= rank[best.verdict]) continue;
    const byHolder = service.joint && serviceName !== service.whole;
    best = byHolder ? { ...found, reason: reasonOfHolder(found, serviceName) } : found;
  }
  return best ?? { verdict: 'mismatch', reason: noHolder };
}

const rank = { match: 3, close: 2, mismatch: 1, unchecked: 0 } as const;

/**
 * A joint account is compared as one name only where the "and" is part of it: John Wanjiku is neither holder of
 * JOHN KAMAU AND MARY WANJIKU. Where both names are joint, a holder of one name proves nothing: Otieno & Mary are
 * not KAMAU & MARY.
 */
function* namesToCompare(file: NameReading, service: NameReading): Generator<[Name, Name]> {
  const bothFirms = file.firm && service.firm;
  const bothJoint = file.joint && service.joint;
  const whole = bothJoint
    ? bothFirms || ![...file.holders, ...service.holders].every(hasTwoNames)
    : // Firms that differ in the sign only; a name picked from two would be longer than the other.
      bothFirms && countedNames(file.whole) === countedNames(service.whole);
  if (whole) yield [file.whole, service.whole];
  if (bothJoint && bothFirms) return;
  const isCompared = (holder: Name) => !bothJoint || hasTwoNames(holder);
  for (const fileHolder of file.holders.filter(isCompared)) {
    for (const serviceHolder of service.holders.filter(isCompared)) yield [fileHolder, serviceHolder];
  }
}

type Name = readonly NameToken[];

function hasTwoNames(holder: Name): boolean {
  return countedNames(holder) > 1;
}

function countedNames(name: Name): number {
  return name.filter((token) => token.counts).length;
}

const noHolder = 'no holder of the joint account agrees';

function reasonOfHolder({ verdict, reason }: NameVerdict, holder: Name): string {
  if (verdict === 'mismatch') return noHolder;
  const shown = readableText(holder.map((token) => token.shown).join(' '));
  return `joint account, holder ${shown}: ${reason}`;
}

import type { ProblemGroup } from '../journal/draft/draft-queries.ts';

/**
 * The flags that would settle blocking problems of a file, in the order in which they are offered. None where a column
 * is missing that no flag of ours can name: the rest of them would only lead to the same refusal.
 */
export function validationRemedy(groups: readonly ProblemGroup[]): string[] {
  if (groups.some(({ code, first }) => code === 'column-missing' && !first[0]?.remedy)) return [];
  const flags = groups.flatMap(({ blocking, first }) => (blocking ? (first[0]?.remedy ?? []) : []));
  // Two readings of amounts cannot both be the file's; columns and defaults may be several.
  const sameFlag = (one: string, other: string) =>
    repeatable.test(one) ? one === other : one.split(' ')[0] === other.split(' ')[0];
  return flags.filter((flag, index) => flags.findIndex((each) => sameFlag(flag, each)) === index);
}

const repeatable = /^--(?:map|default) /;

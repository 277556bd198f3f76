import type { ProblemGroup } from '../journal/draft-questions.ts';

/**
 * The flags that would settle blocking problems of a file, as their messages offer them. Only flags of our own making:
 * what a file says never becomes part of a command.
 */
export function remedyFlags(groups: readonly ProblemGroup[]): string[] {
  const flags = groups.flatMap(({ code, blocking, first }) => {
    const offer = blocking ? offers[code] : undefined;
    const flag = offer?.exec(first[0]?.message ?? '')?.[1];
    return flag === undefined ? [] : [flag];
  });
  // Two readings of amounts cannot both be the file's; columns and defaults may be several.
  const sameFlag = (one: string, other: string) =>
    repeatable.test(one) ? one === other : one.split(' ')[0] === other.split(' ')[0];
  return flags.filter((flag, index) => flags.findIndex((each) => sameFlag(flag, each)) === index);
}

const repeatable = /^--(?:map|default) /;
const map = '--map "[^"$`\\\\!]+=[A-Za-z]+"';

const offers: Readonly<Record<string, RegExp>> = {
  'column-missing': new RegExp(`(--default (?:country=[A-Z]{2}|currency=[A-Z]{3}|bankCode=\\w+)|${map})`),
  'header-ambiguous': new RegExp(`Say which one it is: (${map})`),
  'header-missing': /Run again with (--delimiter [a-z]+)\./,
  'amount-ambiguous': /run again with (--decimal (?:point|comma))/,
};

import type { Conceal } from './conceal-secrets.ts';
import { concealedMark } from './contract/concealed-mark.ts';

/** A shorter one is a word of its own, or it would be found inside every other number. */
const shortestInside = 8;

/**
 * Takes out of a reply what a person gave for one call and nobody may see again, such as the number of a card: a service may
 * repeat it in words, as a number, in groups of digits, or as the name of a field.
 */
export function concealGiven(secrets: readonly string[]): Conceal {
  const given = secrets.filter((secret) => secret.trim() !== '');
  if (given.length === 0) return (reply) => reply;
  // The longest first: one may hold another.
  const longestFirst = [...given].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(patternOf).join('|'), 'giu');
  const inText = (text: string) => text.replace(pattern, concealedMark);

  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (typeof value === 'number') return inText(String(value)) === String(value) ? value : concealedMark;
    if (Array.isArray(value)) return value.map(inValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [inText(name), inValue(each)]));
  };
  return inValue;
}

function patternOf(secret: string): string {
  const signs = [...secret].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  if (signs.length < shortestInside) return `(?<![\\w-])${signs.join('')}(?![\\w-])`;
  // Only between digits: where the signs could be separators themselves, there would be many ways to read one text.
  return signs.join(/^\d+$/.test(secret) ? '[\\s.\\u200b-]{0,2}' : '');
}

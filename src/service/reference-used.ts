import { errorCode } from './contract/error-codes.ts';

/**
 * Whether a refused payout was refused because its reference was used. The error code decides. Words count only where
 * the service gives no code, and only a phrase about the external reference: "no funds were used. Reference: 8f3a" is
 * about money, and a payout that was refused for want of money must be called refused.
 */
export function saysReferenceUsed(code: string | undefined, message = ''): boolean {
  if (code !== undefined) return folded(code) === folded(errorCode.referenceUsed);
  return message
    .slice(0, mostRead)
    .toLowerCase()
    .replaceAll('_', ' ')
    .split(/[.;!?](?:\s|$)/)
    .some((sentence) => speaksOfUsedReference(sentence.match(/[a-z0-9-]+/g) ?? []));
}

/** No service says more than this of one payout; each mention of a reference is looked at with all that follows it. */
const mostRead = 2000;

/** Upper and lower case and signs in between are no difference between codes. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function speaksOfUsedReference(words: readonly string[]): boolean {
  for (const [index, word] of words.entries()) {
    const end = word === 'externalreference' ? index + 1 : index + 2;
    if (end === index + 2 && !(word === 'external' && words[index + 1] === 'reference')) continue;
    if (isUsedAfter(words.slice(end)) || isUsedBefore(words.slice(0, index))) return true;
  }
  return false;
}

/** "… 8f3a has already been used". The first word that says something decides: "… does not exist" is no used one. */
function isUsedAfter(words: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = words.filter(
    (word, place) => !(fillers.has(word) || (place < 2 && /\d/.test(word))),
  );
  if (first === 'not') return second === 'unique';
  if (first === 'must') return (second === 'be' ? third : second) === 'unique';
  if (first === 'in') return second === 'use';
  return ['used', 'exist', 'exists', 'existing', 'taken', 'duplicate', 'duplicated'].includes(first);
}

/** "Duplicate …", "already used …", "a payout already exists for …". */
function isUsedBefore(words: readonly string[]): boolean {
  const [last = '', before = ''] = words.filter((word) => !links.has(word)).reverse();
  if (last === 'duplicate' || last === 'duplicated') return true;
  return before === 'already' && (last === 'used' || last === 'exists');
}

const fillers: ReadonlySet<string> = new Set([
  ...['id', 'number', 'value', 'the', 'this', 'that', 'given', 'provided', 'supplied'],
  ...['has', 'have', 'is', 'was', 'been', 'already', 'a'],
]);

const links: ReadonlySet<string> = new Set(['for', 'with', 'the', 'this', 'that', 'same', 'your', 'an', 'a']);

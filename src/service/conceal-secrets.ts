import { Buffer } from 'node:buffer';
import { concealedMark } from './contract/concealed-mark.ts';

/** Shorter ones would blank out ordinary words; no real key or token is this short. */
const shortestSecret = 8;

/**
 * Takes our secrets out of a reply as soon as it was read, out of every text and every name of a field in it: a service
 * may echo them wherever it likes, and what it says goes to terminals, logs, results and the journal. Changes the value
 * in place, because a list of accounts may be large.
 */
export function concealSecrets(secrets: readonly string[]): (reply: unknown) => unknown {
  const long = secrets.filter((secret) => secret.length >= shortestSecret);
  if (long.length === 0) return (reply) => reply;
  // No form of a secret is shorter than the secret.
  const shortest = Math.min(...long.map((secret) => secret.length));
  // The longest first: a form may begin like another one, and its end must not stay.
  const longestFirst = [...new Set(long.flatMap(wholeForms))].sort((one, other) => other.length - one.length);
  const pattern = new RegExp([...long.map(anyWriting), ...longestFirst.map(escaped)].join('|'), 'gi');

  const inText = (text: string): string => {
    if (text.length < shortest) return text;
    const concealed = text.replace(pattern, concealedMark);
    // Texts are cleaned later on, and the pieces of a secret would join up again.
    const joined = concealed.replace(invisible, '').normalize('NFC');
    const again = joined === concealed ? joined : joined.replace(pattern, concealedMark);
    return again === joined ? concealed : again;
  };

  const inValue = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) value[index] = inValue(item);
    } else if (typeof value === 'object' && value !== null) {
      inFields(value as Record<string, unknown>);
    }
    return value;
  };

  const inFields = (fields: Record<string, unknown>): void => {
    for (const name of Object.keys(fields)) {
      const concealed = inValue(fields[name]);
      const shown = inText(name);
      if (shown !== name) delete fields[name];
      // Never plain assignment: a field may be called __proto__.
      if (shown !== name || concealed !== fields[name])
        Object.defineProperty(fields, shown, {
          value: concealed,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  };
  return inValue;
}

const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** As it looks when it is encoded as a whole: hexadecimal and base64. */
function wholeForms(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex');
  return [hex, ...[0, 1, 2].flatMap((before) => base64Forms(secret, before))];
}

/** Letter by letter as it is, or as a URL (encoded twice, too), a web page or JSON inside a text writes it. */
function anyWriting(secret: string): string {
  return Array.from(secret, writingsOf).join('');
}

function writingsOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(letter)].map((byte) => byte.toString(16).padStart(2, '0'));
  const named = htmlNames.get(letter);
  const writings = [
    `\\\\?${escaped(letter)}`,
    bytes.map((byte) => `%(?:25)?${byte}`).join(''),
    `&#0{0,4}${code};`,
    `&#x0{0,4}${code.toString(16)};`,
    `\\\\u${code.toString(16).padStart(4, '0')}`,
    ...(named === undefined ? [] : [`&${named};`]),
  ];
  return `(?:${writings.join('|')})`;
}

const htmlNames = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/** What base64 makes of it behind so many other bytes; the letters that hold bits of its neighbours are left out. */
function base64Forms(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const end = Math.floor((bytes.length * 8) / 6);
  const own = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), end);
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

import { Buffer } from 'node:buffer';
import { concealedMark } from './contract/concealed-mark.ts';

/** Shorter ones would blank out ordinary words; no real key or token is this short. */
const shortestSecret = 8;

/**
 * Takes our secrets out of a reply as soon as it was read, out of every text and every name of a field in it: a service
 * may echo them wherever it likes, and what it says goes to terminals, logs, results and the journal. Changes the value
 * in place, because a list of accounts may be large.
 */
export function concealSecrets(secrets: readonly string[]): Conceal {
  const long = secrets.filter((secret) => secret.length >= shortestSecret);
  if (long.length === 0) return (reply) => reply;
  // No form of a secret is shorter than the secret.
  const shortest = Math.min(...long.map((secret) => secret.length));
  // The longest first: a form may begin like another one, and its end must not stay.
  const longestFirst = [...new Set(long.flatMap(formsOf))].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'gi');

  const inText = (text: string): string => {
    if (text.length < shortest) return text;
    const concealed = text.replace(pattern, concealedMark);
    // As it would be read by whoever decodes it, and as it will be once it is cleaned: pieces of a secret join up again.
    for (const read of [decoded(concealed), cleaned(concealed)]) {
      const again = read === concealed ? read : read.replace(pattern, concealedMark);
      if (again !== read) return again;
    }
    return concealed;
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
  /** What reads as it is written, and does not hold a secret as a whole, holds none in any of its texts. */
  const isClean = (text: string) => plainText.test(text) && text.search(pattern) < 0;
  return (reply, text) => (text !== undefined && isClean(text) ? reply : inValue(reply));
}

/** Takes the text as well that the reply was read from, where there is one. */
export type Conceal = (reply: unknown, text?: string) => unknown;

/** Nothing that is invisible, and nothing that `decoded` would read otherwise. */
const plainText = /^[\t\n\r !-$'-[\]-~]*$/;

function cleaned(text: string): string {
  return text.replace(invisible, '').normalize('NFC');
}

const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** As it is, and as it looks in hexadecimal and base64. */
function formsOf(secret: string): string[] {
  return [
    secret,
    Buffer.from(secret).toString('hex'),
    ...[0, 1, 2].flatMap((before) => base64Forms(secret, before)),
  ];
}

/** What a URL, a web page and JSON inside a text write otherwise, each of them perhaps inside another. */
function decoded(text: string): string {
  let read = text;
  for (let depth = 0; depth < mostDepth && encodedSign.test(read); depth += 1) {
    read = read
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/&#(\d{1,7});/g, (whole, code: string) => letterOf(Number(code)) ?? whole)
      .replace(/&#x([0-9a-f]{1,6});/gi, (whole, code: string) => letterOf(Number.parseInt(code, 16)) ?? whole)
      .replace(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => namedSigns[name.toLowerCase()] ?? '')
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\(["/\\])/g, '$1');
  }
  return read;
}

const mostDepth = 3;
const encodedSign = /[%&\\]/;
const namedSigns: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function letterOf(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

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

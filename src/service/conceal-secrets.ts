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
  const forms = secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf);
  if (forms.length === 0) return (reply) => reply;
  // The longest first: a form may begin like another one, and its end must not stay.
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'gi');

  const inText = (text: string): string => {
    if (text.length < shortestSecret) return text;
    const concealed = text.replace(pattern, concealedMark);
    // Invisible signs are taken out of texts later on, and the pieces of a secret would join up again.
    const joined = concealed.replace(invisible, '');
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

const invisible = /\p{C}/gu;

/** As it is, and as it looks inside a URL, a web page, JSON in a text, hexadecimal, or base64. */
function formsOf(secret: string): string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    secret,
    encodeURIComponent(secret),
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    ...[0, 1, 2].flatMap((before) => base64Forms(secret, before)),
  ];
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

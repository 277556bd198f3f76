import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concealSecrets } from '../../src/service/conceal-secrets.ts';

const key = `sk_live/"a&b+c'~1`;
const token = 'eyJhbGciOiJIUzI1NiJ9.payload.signature';
const conceal = concealSecrets([key, token, 'short']);

const unicodeEscape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('a reply of the service', () => {
  test('keeps all that holds no secret, and is not copied', () => {
    const reply = JSON.parse('{"a":[1,null,true,"short","x"],"b":{"__proto__":{"c":"d"}},"e":0.1}') as object;
    const before = JSON.stringify(reply);
    expect(conceal(reply)).toBe(reply);
    expect(JSON.stringify(reply)).toBe(before);
    for (const plain of [null, 7, 'hello', true]) expect(conceal(plain)).toBe(plain);
  });

  test('has its secrets taken out of texts, lists, fields and the names of fields', () => {
    const reply = { name: `Amina ${token}`, [key]: [`${key}${key}`, { id: token }] };
    expect(conceal(reply)).toEqual({
      name: 'Amina [concealed]',
      '[concealed]': ['[concealed][concealed]', { id: '[concealed]' }],
    });
  });

  test.each([
    ['upper case', key.toUpperCase()],
    ['a URL', encodeURIComponent(key)],
    ['a URL in lower case', encodeURIComponent(key).toLowerCase()],
    ['a web page', key.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')],
    ['JSON in a text', JSON.stringify({ key })],
    ['hexadecimal', Buffer.from(key).toString('hex')],
    ['invisible signs', [...key].join('\u200b')],
    ['JSON that escapes the slash', key.replaceAll('/', '\\/').replaceAll('"', '\\"')],
    ['JSON that escapes every sign', [...key].map(unicodeEscape).join('')],
    ['a URL in a URL', encodeURIComponent(encodeURIComponent(key))],
    ['a URL of nothing but codes', [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['a web page of codes', [...key].map((sign) => `&#${sign.charCodeAt(0)};`).join('')],
    [
      'a web page of hexadecimal codes',
      [...key].map((sign) => `&#x${sign.charCodeAt(0).toString(16)};`).join(''),
    ],
    ['signs that cleaning takes out', [...key].join('\u034f')],
    ['signs that become others', key.replace('k', '\u212a')],
  ])('has its secrets taken out as they look in %s', (_, text) => {
    const shown = `before ${text} after`;
    expect(conceal(shown)).toMatch(/^before .*\[concealed\].* after$/);
    // As a reply is read, with the text that it was read from: written as it is, or with every sign escaped.
    for (const read of [JSON.stringify([shown]), `["${[...shown].map(unicodeEscape).join('')}"]`])
      expect(conceal(JSON.parse(read), read)).toEqual([conceal(shown)]);
  });

  test('has its secrets taken out of base64, whatever stands around them', () => {
    const around = fc.string({ maxLength: 9 });
    fc.assert(
      fc.property(around, around, fc.constantFrom('base64', 'base64url'), (before, after, encoding) => {
        const text = Buffer.from(before + key + after).toString(encoding as BufferEncoding);
        expect(conceal(text)).toContain('[concealed]');
      }),
    );
  });

  test('of one megabyte is read in no time that depends on what is in it', () => {
    const half = `${token.slice(0, -1)} ${key.slice(0, -1)} `;
    const text = half.repeat(Math.ceil(1_000_000 / half.length));
    const started = performance.now();
    expect(conceal([text, 'e'.repeat(1_000_000), '\u200b'.repeat(1_000_000)])).toHaveLength(3);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('a reply whose field is called __proto__ gains no fields', () => {
  const reply = conceal(JSON.parse(`{"__proto__":{"success":true,"id":"${token}"}}`)) as {
    success?: unknown;
  };
  expect(reply.success).toBeUndefined();
});

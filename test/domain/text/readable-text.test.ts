import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableText } from '../../../src/domain/text/readable-text.ts';

test('what cannot be seen is written out', () => {
  expect(readableText('a\u001b[31mb\u202e\n')).toBe('a<U+001B>[31mb<U+202E><U+000A>');
});

test('long text is cut to eighty characters', () => {
  expect(readableText('x'.repeat(80))).toBe('x'.repeat(80));
  expect(readableText('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
});

test('nothing that acts on a terminal comes through, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const shown = readableText(text);
      expect(Array.from(shown).length).toBeLessThanOrEqual(80);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
  );
});

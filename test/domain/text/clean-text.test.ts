import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from '../../../src/domain/text/clean-text.ts';

test('all kinds of blanks become one blank between words and none around them', () => {
  expect(cleanText('\u00a0 Mary\u202f\u2009Wanjiku\t\r\n Kamau\u3000').text).toBe('Mary Wanjiku Kamau');
  expect(cleanText('Mary\u0085Kamau\u2800').text).toBe('Mary Kamau');
});

test('zero-width and direction marks are taken out and said', () => {
  expect(cleanText('\u202a+254\u200b712\u202c\ufeff')).toEqual({
    text: '+254712',
    hidden: true,
    control: false,
  });
  expect(cleanText('plain')).toEqual({ text: 'plain', hidden: false, control: false });
});

test('letters and their marks are composed, also when something invisible stood between them', () => {
  expect(cleanText('Cafe\u0301').text).toBe('Café');
  expect(cleanText('Cafe\u200d\u0301').text).toBe('Café');
});

test('control characters and half characters are said', () => {
  expect(cleanText('a\u0000b').control).toBe(true);
  expect(cleanText('a\u001bb').control).toBe(true);
  expect(cleanText('a\u0090b').control).toBe(true);
  expect(cleanText('a\ud800b').control).toBe(true);
  expect(cleanText('😀 é').control).toBe(false);
});

test('cleaning what is clean changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = cleanText(text).text;
      expect(cleanText(once).text).toBe(once);
    }),
  );
});

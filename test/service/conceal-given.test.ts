import { describe, expect, test } from 'vitest';
import { concealGiven } from '../../src/service/conceal-given.ts';

const number = '4242424242424242';
const conceal = concealGiven([number, '123', 'two words']);

describe('what a person gave for one call', () => {
  test.each([
    number,
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    'card 4242 4242 42424242.',
    `x${number}x`,
    'CVV 123 is wrong',
    'cvv:"123"',
    'Two Words',
  ])('is taken out of the words of a reply: %s', (text) => {
    const shown = JSON.stringify(conceal({ message: text, [text]: [text] }));
    expect(shown).toContain('[concealed]');
    expect(shown.replace(/\D/g, '')).not.toContain(number);
    expect(shown).not.toMatch(/\b123\b|two words/i);
  });

  test('is taken out where it stands as a number', () => {
    expect(conceal({ number: 4242424242424242, cvv: 123, amount: 1230 })).toEqual({
      number: '[concealed]',
      cvv: '[concealed]',
      amount: 1230,
    });
  });

  test('a short one is not found inside ids and other numbers', () => {
    const reply = { transactionId: '7c9e6679-7425-40de-123-e07fc1f90ae7', other: '51234', none: null };
    expect(conceal(reply)).toEqual(reply);
  });

  test('nothing given, nothing changed', () => {
    const reply = { message: 'done' };
    expect(concealGiven(['', ' '])(reply)).toBe(reply);
  });
});

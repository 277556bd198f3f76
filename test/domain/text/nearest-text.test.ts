import { expect, test } from 'vitest';
import { nearestText } from '../../../src/domain/text/nearest-text.ts';

const names = ['kenya', 'uganda', 'ghana', 'equity', 'accountNumber'];

test.each([
  ['kenia', 'kenya'],
  ['KENYA', 'kenya'],
  ['gana', 'ghana'],
  ['equitty', 'equity'],
  ['acountnumber', 'accountNumber'],
  ['peru', undefined],
  ['x', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('%s is nearest to %s', (word, nearest) => {
  expect(nearestText(word, names)).toBe(nearest);
});

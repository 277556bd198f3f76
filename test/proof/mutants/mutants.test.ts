import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutants } from './mutants.ts';

test('every deliberate fault still has its place in the source, and its test', () => {
  const lost = mutants.filter(({ file, from, test: tested }) => {
    const places = readFileSync(file, 'utf8').split(from).length - 1;
    return places !== 1 || !existsSync(tested);
  });
  expect(lost.map(({ name }) => name)).toEqual([]);
});

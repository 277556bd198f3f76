import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  drawnLong,
  drawnOnPostgres,
  drawnWithDedupe,
  isWholeWanted,
  longFiles,
  nameOfFile,
  scenarioFiles,
} from '../support/drawn-tests.ts';

describe.each([
  ['the scenarios that are held against Postgres', drawnOnPostgres, scenarioFiles(), 14],
  [
    'the scenarios that are held against a service that refuses used references',
    drawnWithDedupe,
    scenarioFiles(),
    6,
  ],
  ['the long tests over Postgres', drawnLong, longFiles, 4],
])('the part of %s', (_, draw, all, oneIn) => {
  test(`is one in ${oneIn}, the same for the same seed`, () => {
    const drawn = draw(1);
    expect(drawn).toEqual(draw(1));
    expect(drawn).not.toEqual(draw(2));
    expect(drawn).toHaveLength(Math.ceil(all.length / oneIn));
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  test('is each of them sooner or later', () => {
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    expect([...new Set(seeds.flatMap((seed) => draw(seed)))].sort()).toEqual([...all].sort());
  });
});

test('every long test is there, under the name that a file of tests is known by', () => {
  expect(longFiles.filter((file) => !existsSync(file))).toEqual([]);
  expect(nameOfFile(import.meta.url)).toBe('test/proof/drawn-tests.test.ts');
});

test.each([
  [['run', 'test/scenarios/results'], true],
  [['run', 'limits.test.ts'], true],
  [['run'], false],
  [['run', '--reporter=./test/support/closing-line-reporter.ts'], false],
])('what was named is taken whole: %j', (words, isWhole) => {
  const before = process.env['PAYRUN_TEST_WHOLE'];
  delete process.env['PAYRUN_TEST_WHOLE'];
  try {
    expect(isWholeWanted(words)).toBe(isWhole);
  } finally {
    if (before === undefined) delete process.env['PAYRUN_TEST_WHOLE'];
    else process.env['PAYRUN_TEST_WHOLE'] = before;
  }
});

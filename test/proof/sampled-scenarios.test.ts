import { describe, expect, test } from 'vitest';
import { isWholeWanted, sampledScenarios, scenarioFiles } from '../support/sampled-scenarios.ts';

describe('the part of the scenarios that is held against Postgres', () => {
  test('is a sixth of them, the same for the same seed', () => {
    const drawn = sampledScenarios(1);
    expect(drawn).toEqual(sampledScenarios(1));
    expect(drawn).not.toEqual(sampledScenarios(2));
    expect(drawn).toHaveLength(Math.ceil(scenarioFiles().length / 6));
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  test('is each of them sooner or later', () => {
    const seeds = Array.from({ length: 120 }, (_, seed) => seed);
    expect([...new Set(seeds.flatMap((seed) => sampledScenarios(seed)))].sort()).toEqual(scenarioFiles());
  });

  test.each([[['run', 'test/scenarios/results']], [['run', 'limits.test.ts']]])(
    'is what was named: %j',
    (words) => {
      expect(isWholeWanted(words)).toBe(true);
    },
  );
});

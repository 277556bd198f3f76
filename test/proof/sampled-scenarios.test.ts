import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dedupeModes } from '../support/payroll-service.ts';
import {
  campaigns,
  campaignsLeftOut,
  isWholeWanted,
  sampledScenarios,
  scenarioFiles,
} from '../support/sampled-scenarios.ts';

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

test('half of the campaigns against workers come each time, and each of them sooner or later', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  for (const seed of seeds) expect(campaignsLeftOut(seed)).toHaveLength(campaigns.length / 2);
  const drawn = seeds.flatMap((seed) => campaigns.filter((each) => !campaignsLeftOut(seed).includes(each)));
  expect([...new Set(drawn)].sort()).toEqual([...campaigns].sort());
});

test('a service that lets a reference be used again is there each time, one that does not now and then', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PAYRUN_TEST_BOTH', '0');
  vi.stubEnv('PAYRUN_TEST_STORE', '');
  const drawn = Array.from({ length: 60 }, (_, seed) => {
    vi.stubEnv('PAYRUN_TEST_SEED', String(seed));
    return dedupeModes('/somewhere/limits.test.ts');
  });
  expect(drawn.every((modes) => modes.includes('off'))).toBe(true);
  const both = drawn.filter((modes) => modes.includes('on'));
  expect(both.length).toBeGreaterThan(10);
  expect(both.length).toBeLessThan(30);
});

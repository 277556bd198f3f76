import { describe, expect, test } from 'vitest';
import { simulate } from './simulate.ts';
import { simulator } from './simulator-campaign.ts';

const share = 0.015;
const oddities = [
  'mixed keys',
  'rebinds',
  'forgeries',
  'contradictions',
  'echoes',
  'siblings',
  'cuts',
  'rewordings',
  'lacking lists',
];

describe('the simulator', () => {
  test('finds no promise broken in a sample of seeds', async () => {
    const { counts, violations } = await simulator.run({ seed: 0, share, say: () => {} });
    // Each names its seed: npx tsx test/proof/simulator/replay.ts SEED tells the whole story.
    expect(violations).toEqual([]);
    expect(counts['crashes']).toBeGreaterThan(75);
    expect(counts['resends']).toBeGreaterThan(7);
    for (const odd of oddities) expect(counts[odd], odd).toBeGreaterThan(0);
    // One that waits for a connection leaves after a stop, within the pause of a 429, or with half of its time gone.
    expect(counts['sends that waited']).toBe(0);
  });

  test.each([3, 11, 29])('tells the same story twice: seed %i', async (seed) => {
    const one = await simulate(seed);
    const other = await simulate(seed);
    expect(one.trace.length).toBeGreaterThan(50);
    expect(other.trace).toEqual(one.trace);
  });
});

import { describe, expect, test } from 'vitest';
import { hostileCallers } from './hostile-callers.ts';
import { hostileFiles } from './hostile-files.ts';
import { hostileService } from './hostile-service.ts';

const seed = 1;
const samples = [
  { campaign: hostileFiles, share: 0.012 },
  { campaign: hostileService, share: 0.05 },
  { campaign: hostileCallers, share: 0.03 },
];

describe('hostile input does no harm', () => {
  for (const { campaign, share } of samples) {
    test(`${campaign.title} (a sample)`, async () => {
      const { counts, violations } = await campaign.run({ seed, share, say: () => undefined });
      expect(violations).toEqual([]);
      for (const [what, least] of Object.entries(campaign.atLeast))
        expect(counts[what], what).toBeGreaterThan((least * share) / 2);
    });
  }
});

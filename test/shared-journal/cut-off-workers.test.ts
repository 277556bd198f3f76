import { expect, test } from 'vitest';
import { whyNoNetworks } from '../proof/shared/cut-network.ts';
import { cutOffWorkers } from '../proof/shared/cut-off-workers.ts';

const missing = whyNoNetworks();

test.skipIf(missing !== undefined)(
  'workers are cut off from Postgres, from the service and from both: others take over, and nobody is paid twice',
  async () => {
    const { counts, violations } = await cutOffWorkers.run({ seed: 20261116, share: 0.01, say: () => {} });
    expect(violations).toEqual([]);
    for (const what of ['from Postgres alone', 'from the service alone', 'from both'])
      expect(counts[what], what).toBeGreaterThan(0);
    // For so long cut off that it is ended, by the others or by Postgres in its turn.
    expect(counts['workers that ended']).toBeGreaterThan(0);
  },
);

import { expect, test } from 'vitest';
import { promotedStandby } from '../proof/shared/promoted-standby.ts';

test('a standby that lacks the last commits takes over: what the service had already is found, and nobody is paid twice', async () => {
  const { counts, violations } = await promotedStandby.run({ seed: 20261116, share: 0.1, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['promotions']).toBeGreaterThan(0);
  expect(counts['payouts that the service had and the standby did not know']).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { mirroredPlans } from '../../proof/shared/mirrored-plans.ts';

test('a file planned on the copy of a shared journal is planned as on the journal itself', async () => {
  const { counts, violations } = await mirroredPlans.run({ seed: 20261116, share: 0.04, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['histories']).toBe(40);
  expect(counts['plans that a guard refuses']).toBeGreaterThan(0);
});

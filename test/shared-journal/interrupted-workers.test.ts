import { expect, test } from 'vitest';
import { interruptedWorkers } from '../proof/shared/interrupted-workers.ts';

test('workers get their chunks back again and again while payouts come late: nobody is paid twice, nobody is forgotten', async () => {
  const { counts, violations } = await interruptedWorkers.run({ seed: 4, share: 0.05, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['interruptions']).toBeGreaterThan(0);
});

import { expect, test } from 'vitest';
import { dyingWorkers } from '../proof/shared/dying-workers.ts';

test('workers die and stand still by chance while they pay: nobody is paid twice, nobody is forgotten', async () => {
  const { counts, violations } = await dyingWorkers.run({ seed: 20261116, share: 0.006, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['workers killed']).toBeGreaterThan(0);
});

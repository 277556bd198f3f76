import { expect, test } from 'vitest';
import { lostPostgres } from '../proof/shared/lost-postgres.ts';

test('Postgres killed and cut off at a few points out of all: the same command again pays every row once', async () => {
  const { counts, violations } = await lostPostgres.run({ seed: 20261116, share: 0.02, say: () => {} });
  expect(violations).toEqual([]);
  expect(counts['servers killed']).toBeGreaterThan(0);
  expect(counts['connections cut']).toBeGreaterThan(0);
});

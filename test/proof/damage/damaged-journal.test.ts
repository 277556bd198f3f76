import { expect, test } from 'vitest';
import { damagedJournal } from './damaged-journal.ts';

test('a journal damaged in any way is noticed or does no harm: nothing is sent blindly', async () => {
  const { counts, violations } = await damagedJournal.run({ seed: 7, share: 0.01, say: () => undefined });
  expect(violations).toEqual([]);
  expect(counts['damages']).toBeGreaterThanOrEqual(18);
});

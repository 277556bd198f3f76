import { expect, type TestContext, test } from 'vitest';
import type { Campaign } from '../campaign.ts';
import { crashPoints } from './crash-points.ts';
import { frozenRun } from './frozen-run.ts';
import { ioErrors } from './io-errors.ts';
import { powerLoss } from './power-loss.ts';

const seed = 20261115;

test('SIGKILL at a few operations out of all: the same command again pays every row once', async (context) => {
  await runSample(context, crashPoints, 0.012, 'crash points');
});

test('Power loss at a few syncs out of all; a journal that does not wait for the disk is found out', async (context) => {
  const counts = await runSample(context, powerLoss, 0.015, 'power losses');
  expect(counts['losses found with synchronous=NORMAL']).toBeGreaterThan(0);
});

test('EIO and ENOSPC at a few writes out of all: nothing leaves whose intent is not on disk', async (context) => {
  await runSample(context, ioErrors, 0.015, 'I/O faults');
});

test('A run frozen past every time-out, and runs that begin together: one works at a time', async (context) => {
  const counts = await runSample(context, frozenRun, 0.02, 'frozen runs');
  expect(counts['groups at once']).toBeGreaterThan(0);
});

/** The same few points every time; `npm run soak` takes them all, and kills a large batch until it is done. */
async function runSample(
  context: TestContext,
  campaign: Campaign,
  share: number,
  counted: string,
): Promise<Readonly<Record<string, number>>> {
  const { counts, violations, skipped } = await campaign.run({ seed, share, say: () => {} });
  if (skipped) context.skip(`${campaign.name}: ${Object.values(skipped).join('; ')}`);
  expect(violations).toEqual([]);
  expect(counts[counted]).toBeGreaterThan(0);
  return counts;
}

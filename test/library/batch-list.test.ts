import { describe, expect, test } from 'vitest';
import { watchBatch } from '../../src/cli/terminal/watch-batch.ts';
import { systemClock } from '../../src/clock.ts';
import { allBatches } from '../../src/journal/batch-record.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { listBatches } from '../../src/library/batch-status.ts';
import { batchCheckReport, type ListedBatch } from '../../src/report/batch-list.ts';
import { type SeededPayout, seedBatch } from '../support/seed-journal.ts';

const hour = 3_600_000;
const nowMs = systemClock.nowMs() + hour;
const sent = (hoursAgo: number, key = 'E1'): SeededPayout => ({
  key,
  state: 'submitted',
  changes: { transactionId: `T-${key}`, submittedMs: nowMs - hoursAgo * hour },
});

async function listed(payouts: readonly SeededPayout[], pendingForMs?: number): Promise<ListedBatch> {
  const db = openEmptyJournal();
  await seedBatch(db, payouts);
  const [batch] = listBatches(db, allBatches(db), nowMs, pendingForMs);
  if (!batch) throw new Error('there is no batch');
  return batch;
}

describe('what a batch amounts to, for a monitor', () => {
  const failed = { key: 'E9', state: 'failed', changes: { transactionId: 'T9' } } as const;
  test.each<[string, readonly SeededPayout[], number | undefined, number]>([
    ['pending', [sent(1)], undefined, 4],
    ['pending for longer than was asked', [sent(25)], 24, 4],
    ['pending for less', [sent(23)], 24, 0],
    ['pending for less, and one failed', [sent(23), failed], 24, 3],
    ['one of two pending for longer', [sent(23), sent(25, 'E2')], 24, 4],
    ['unclear for less', [{ key: 'E1', state: 'unclear' }], 24, 0],
    ['held', [{ key: 'E1', state: 'held' }], 24, 3],
    [
      'paid, and another transaction open',
      [{ key: 'E1', state: 'paid', changes: { watched: 'T2' } }],
      undefined,
      4,
    ],
    ['paid', [{ key: 'E1', state: 'paid' }], undefined, 0],
    [
      'paid, and not shown by the service any more',
      [{ key: 'E1', state: 'paid', changes: { code: 'paid-yet-gone' } }],
      undefined,
      3,
    ],
    ['refused once and paid', [{ key: 'E1', state: 'paid', changes: { code: 'refused' } }], undefined, 0],
    [
      'paid twice, and one pending',
      [sent(25), { key: 'E2', state: 'paid', changes: { paidTwice: 'T1 T2' } }],
      24,
      3,
    ],
  ])('%s', async (_, payouts, hours, exit) => {
    const batch = await listed(payouts, hours === undefined ? undefined : hours * hour);
    expect(batch.exit).toBe(exit);
    const text = batchCheckReport([batch], nowMs);
    const isOpen = payouts.some(({ state }) => state !== 'paid');
    const open = isOpen ? '; 1 payout has not ended and is not overdue yet' : '';
    if (exit === 0) expect(text).toBe(`OK: the one batch is in order${open}.`);
    else expect(text.startsWith(`${exit}  batch payroll`), text).toBe(true);
  });

  test('the oldest that was sent and has not ended is told', async () => {
    const batch = await listed([sent(3), sent(50, 'E2'), { key: 'E3' }]);
    expect(batch.oldestPendingMs).toBe(nowMs - 50 * hour);
    expect(batchCheckReport([batch], nowMs)).toContain('3 not ended, the oldest sent 2 days ago');
    expect((await listed([{ key: 'E3' }])).oldestPendingMs).toBeNull();
  });
});

describe('a batch that is watched', () => {
  test('is drawn over itself until it has ended, and gives its exit code', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [sent(1)]);
    const journal = createJournal(db, systemClock, { run: 'r', operator: 'o' });
    const written: string[] = [];
    const read = async () => listBatches(db, allBatches(db), nowMs, undefined)[0];
    const exit = await watchBatch({
      read,
      show: ({ payouts }) => payouts.map(({ state }) => `line\n${state}\u001b[31m`).join(),
      stdout: { isTTY: true, write: (text) => written.push(text) },
      clock: {
        monotonicMs: () => 0,
        sleep: async () => {
          if (payout('E1').state === 'submitted' && written.length > 0)
            await journal.move({ payout: payout('E1'), to: 'paid', why: '' });
        },
      },
      signal: new AbortController().signal,
    });
    expect(exit).toBe(0);
    const act = '\u001b';
    expect(written.map((text) => text.split(act))).toEqual([
      [expect.stringContaining('line\nsubmitted')],
      ['\r', '[2A', expect.stringContaining('[0Jline\npaid')],
    ]);
  });

  test('is left at once where nobody watches any more', async () => {
    const leave = new AbortController();
    leave.abort();
    const batch = await listed([sent(1)]);
    const clock = { monotonicMs: () => 0, sleep: () => Promise.reject(new Error('nobody waits')) };
    const watching = { read: async () => batch, show: () => '', stdout: { write: () => true }, clock };
    expect(await watchBatch({ ...watching, signal: leave.signal })).toBe(4);
  });
});

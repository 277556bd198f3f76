import { describe, expect, test } from 'vitest';
import { stillPaid } from '../../src/decisions/still-paid.ts';
import { isSameDoubt } from '../../src/domain/payout/doubted.ts';
import { reason } from '../../src/domain/payout/reasons.ts';
import { openResultRows } from '../../src/journal/payouts/result-rows.ts';
import { decidingRun, named, openDesk } from './decide-about.ts';

const doubted = {
  key: 'doubted',
  state: 'paid' as const,
  changes: { transactionId: 'T1', settledMs: 1, ...reason('paid-yet-pending', { transaction: 'T1' }) },
};
const saying = { rule: (payout: Parameters<typeof stillPaid>[0]) => stillPaid(payout, 'the bank shows it') };
const about = (key: string) => ({ ...saying, choice: named(key), repeats: undefined });

describe('a person who says that one is paid', () => {
  test('moves nothing, and the log keeps who and why', async () => {
    const desk = await openDesk([doubted]);
    const before = desk.payout('doubted');
    expect(await desk.decide(about('doubted'))).toMatchObject({ moved: 1, left: [] });
    expect(desk.payout('doubted')).toEqual({ ...before, released: 'doubt' });
    expect(desk.log('doubted')).toEqual([
      {
        operator: 'amina',
        run: decidingRun,
        from: 'paid',
        to: 'paid',
        why: 'decided: it is paid: the bank shows it',
      },
    ]);
  });

  test('counts as paid when it was paid, and not now', async () => {
    const desk = await openDesk([doubted]);
    const { id, reference } = desk.payout('doubted');
    desk.db
      .prepare(`INSERT INTO sends (payout, reference, run, begun_ms, outcome) VALUES (?, ?, 'run', 1, 'ok')`)
      .run(id, reference);
    const paidNow = (run: string) =>
      [...openResultRows(desk.db, desk.batch.id, run).pages()].flat().map(({ payout }) => payout?.paidNow);
    await desk.decide(about('doubted'));
    expect(paidNow('seeding')).toEqual([true]);
    expect(paidNow(decidingRun)).toEqual([false]);
  });

  test.each([
    ['failed', { state: 'failed' as const }, 'it is failed; only one that is paid'],
    ['paid', { state: 'paid' as const }, 'the service has said nothing else of it'],
    ['seen', { ...doubted, changes: { ...doubted.changes, released: 'doubt' } }, 'it was decided already'],
    ['pending', { ...doubted, state: 'submitted' as const }, 'it is submitted; only one that is paid'],
  ])('has nothing to say of one that is %s', async (key, payout, why) => {
    const desk = await openDesk([{ ...payout, key }]);
    const { moved, left } = await desk.decide(about(key));
    expect(moved).toBe(0);
    expect(left[0]?.why).toContain(why);
    expect(desk.log(key)).toEqual([]);
  });
});

test('that another transaction is gone is another doubt; in which words one is gone is none', () => {
  const gone = (transaction: string, why: string) => reason('paid-yet-gone', { transaction, why });
  expect(isSameDoubt(gone('T1', 'not found'), gone('T1', 'no such thing'))).toBe(true);
  expect(isSameDoubt(gone('T1', 'not found'), gone('T2', 'not found'))).toBe(false);
  expect(isSameDoubt(gone('T1', 'x'), reason('paid-yet-pending', { transaction: 'T1' }))).toBe(false);
});

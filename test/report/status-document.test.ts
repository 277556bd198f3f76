import { describe, expect, test } from 'vitest';
import type { RowStatus } from '../../src/domain/payout/payout-state.ts';
import { exitOfBatch } from '../../src/pipeline/exit-of-batch.ts';
import { batchListDocument, batchListReport } from '../../src/report/batch-list.ts';

const none = {
  paid: 0,
  failed: 0,
  refused: 0,
  held: 0,
  cancelled: 0,
  returned: 0,
  pending: 0,
  unknown: 0,
  not_sent: 0,
  invalid: 0,
};
const exit = (statuses: Partial<Record<RowStatus, number>>, invalidGone = 0, rowsNotTaken = 0) =>
  exitOfBatch({ statuses: { ...none, ...statuses }, invalidGone, rowsNotTaken, watched: 0, doubted: 0 }, []);

describe('the exit code that a batch amounts to', () => {
  test('all paid or cancelled is 0, also with an invalid row that left the file; a changed row that was not taken is 3', () => {
    expect(exit({ paid: 5, cancelled: 1 })).toBe(0);
    expect(exit({ paid: 5, invalid: 2 }, 2)).toBe(0);
    expect(exit({ paid: 5 }, 0, 1)).toBe(3);
  });

  test.each(['failed', 'refused', 'held', 'returned', 'invalid'] as const)(
    '%s needs a person: 3',
    (status) => {
      expect(exit({ paid: 5, [status]: 1 })).toBe(3);
    },
  );

  test.each(['pending', 'unknown', 'not_sent'] as const)(
    '%s may still change: 4, before all else',
    (status) => {
      expect(exit({ held: 1, [status]: 1 })).toBe(4);
    },
  );
});

test('what was paid twice is 3 however all else stands', () => {
  const sums = { statuses: { ...none, paid: 2 }, invalidGone: 0, rowsNotTaken: 0, watched: 0, doubted: 0 };
  expect(exitOfBatch(sums, [])).toBe(0);
  expect(
    exitOfBatch(sums, [
      { key: 'P001', accountName: 'Mary', currency: 'KES', amountMinor: 1n, transactions: ['T1', 'T2'] },
    ]),
  ).toBe(3);
});

test('a paid one of which another transaction is still open is 4', () => {
  const sums = {
    statuses: { ...none, paid: 2, failed: 1 },
    invalidGone: 0,
    rowsNotTaken: 0,
    watched: 1,
    doubted: 0,
  };
  expect(exitOfBatch(sums, [])).toBe(4);
});

test('a paid one of which the service has said something else since is 3', () => {
  const sums = { statuses: { ...none, paid: 2 }, invalidGone: 0, rowsNotTaken: 0, watched: 0, doubted: 1 };
  expect(exitOfBatch(sums, [])).toBe(3);
});

describe('the list of batches', () => {
  const share = {
    currency: 'KES',
    count: 2,
    amountMinor: 100n,
    wholeMinor: 100n,
    everSent: true,
    doubted: 0,
  };
  const listed = {
    name: 'payroll',
    environment: 'here',
    createdMs: 0,
    lastSendMs: 60_000,
    oldestPendingMs: null,
    overdue: 4,
    exit: 4 as const,
    invalidRows: 1,
    invalidGone: 0,
    watched: 0,
    doubted: 0,
    paidTwice: [],
    payouts: [
      { ...share, state: 'planned' as const },
      { ...share, state: 'ready' as const, everSent: false },
      { ...share, state: 'paid' as const },
    ],
  };

  test('several states are one status, with count and money', () => {
    expect(batchListDocument([listed], 3_600_000)).toEqual({
      kind: 'batches',
      at: '1970-01-01T01:00:00.000Z',
      batches: [
        {
          batch: 'payroll',
          environment: 'here',
          exit: 4,
          begunAt: '1970-01-01T00:00:00.000Z',
          lastSendAt: '1970-01-01T00:01:00.000Z',
          oldestPendingAt: null,
          statuses: { not_sent: 4, paid: 2, invalid: 1 },
          amounts: { KES: { not_sent: '2.00', paid: '1.00' } },
          money: { KES: { paid: '1.00', of: '3.00' } },
        },
      ],
    });
    const facts = { nowMs: 3_600_000, width: 80 };
    const text = batchListReport([listed, { ...listed, oldestPendingMs: 0 }], facts);
    expect(text).toContain('payroll  60 minutes ago               KES 1.00  KES 3.00');
    expect(text).toContain('payroll  60 minutes ago  60 minutes   KES 1.00  KES 3.00');
    expect(text).toContain('  4 not sent, 2 paid, 1 invalid');
    expect(batchListReport([], facts)).toBe('The journal holds no batch yet.');
  });
});

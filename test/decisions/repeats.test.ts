import { describe, expect, test } from 'vitest';
import { release } from '../../src/decisions/release.ts';
import type { Payout } from '../../src/domain/payout/payout.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { type SeededPayout, type SeedOptions, seedBatch } from '../support/seed-journal.ts';
import { decidingRun, openDesk } from './decide-about.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 15);
const mine: SeededPayout = {
  key: 'E1',
  number: '+254700000001',
  state: 'held',
  changes: { hold: 'name', verdict: 'close', resolvedName: 'M' },
};

/** Releases everything while other batches hold those payouts; true when a guard refused. */
async function isRefused(
  others: readonly SeededPayout[],
  options: SeedOptions = {},
  allowed = 0,
  beside: readonly SeededPayout[] = [],
  keyKind: NonNullable<SeedOptions['keyKind']> = 'paymentId',
): Promise<boolean> {
  const db = openEmptyJournal();
  if (others.length > 0) await seedBatch(db, others, { name: 'bonus', acceptedMs: now - dayMs, ...options });
  const desk = await openDesk([mine, ...beside], { keyKind }, db);
  const decision = {
    choice: { kind: 'states', states: ['held'] } as const,
    rule: (payout: Payout) => release(payout, 'all', decidingRun, 'seen'),
    repeats: { sinceMs: now - 5 * dayMs, allowed, timeZone: 'UTC' },
  };
  try {
    await desk.decide(decision);
    expect(desk.payout('E1').state).toBe('planned');
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'repeats', exit: 6 });
    expect((error as Error).message).toContain('payment E1: Mary Wanjiku …0001 KES 1,500.00');
    expect(desk.payout('E1').state).toBe('held');
    expect(desk.db.prepare('SELECT count(*) FROM released_names').pluck().get()).toBe(0);
    return true;
  }
}

const other = (more: Partial<SeededPayout> = {}): SeededPayout => ({
  key: 'B1',
  number: '+254700000001',
  ...more,
});

describe('a released payout is asked again for repeats', () => {
  test.each(['planned', 'ready', 'submitting', 'submitted', 'unclear', 'paid', 'held'] as const)(
    'the same payee, amount and currency in another batch, %s: nothing is released',
    async (state) => {
      const changes = { transactionId: 'T', submittedMs: now - dayMs };
      expect(await isRefused([other({ state, changes })])).toBe(true);
    },
  );

  test.each(['failed', 'refused', 'cancelled', 'returned'] as const)(
    'one that is %s is no repeat',
    async (state) => {
      expect(await isRefused([other({ state, changes: { transactionId: 'T' } })])).toBe(false);
    },
  );

  test('another amount, another payee, and none at all are no repeats', async () => {
    expect(await isRefused([other({ amountMinor: 1n }), other({ key: 'B2', number: '+254700000009' })])).toBe(
      false,
    );
    expect(await isRefused([])).toBe(false);
  });

  test('the window counts from the sending; what is still to be sent is never too long ago', async () => {
    const long = { acceptedMs: now - 9 * dayMs };
    const changes = { transactionId: 'T', submittedMs: now - 6 * dayMs };
    expect(await isRefused([other({ state: 'paid', changes })], long)).toBe(false);
    expect(
      await isRefused(
        [other({ state: 'paid', changes: { ...changes, submittedMs: now - 4 * dayMs } })],
        long,
      ),
    ).toBe(true);
    expect(await isRefused([other()], long)).toBe(true);
  });

  test.each(['planned', 'ready', 'submitting', 'unclear'] as const)(
    'one that is %s counts however long ago it was accepted: it may still pay',
    async (state) => {
      expect(await isRefused([other({ state })], { acceptedMs: now - 6 * dayMs })).toBe(true);
    },
  );

  test('--allow-repeats lets so many through', async () => {
    expect(await isRefused([other()], {}, 1)).toBe(false);
  });

  test('in the same batch only a payout whose row is gone from the file counts', async () => {
    const paid = {
      key: 'E2',
      number: '+254700000001',
      state: 'paid',
      changes: { transactionId: 'T', submittedMs: now },
    } as const;
    expect(await isRefused([], {}, 0, [paid])).toBe(false);
    expect(await isRefused([], {}, 0, [{ ...paid, absent: true }])).toBe(true);
  });

  test('where the key is the payee, a gone payout of the same name counts, whatever its number', async () => {
    const gone = {
      key: 'E2',
      number: '+254700000077',
      state: 'paid',
      absent: true,
      changes: { transactionId: 'T', submittedMs: now },
    } as const;
    expect(await isRefused([], {}, 0, [gone])).toBe(false);
    expect(await isRefused([], {}, 0, [gone], 'payee')).toBe(true);
  });
});

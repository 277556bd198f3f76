import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type PayoutState, payoutStates } from '../../src/domain/payout/payout-state.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { seedBatch } from '../support/seed-journal.ts';

/** Copied by hand from the design's table of states, so that the program's table cannot prove itself; planned stays planned where its row was changed, paid stays paid where a person says so. */
const allowed: Record<PayoutState, readonly PayoutState[]> = {
  planned: ['planned', 'ready', 'held', 'cancelled', 'refused'],
  ready: ['submitting', 'planned', 'held', 'cancelled', 'refused'],
  submitting: ['submitted', 'refused', 'unclear', 'ready'],
  submitted: ['paid', 'failed'],
  unclear: ['submitted', 'paid', 'failed', 'submitting', 'refused'],
  paid: ['returned', 'paid'],
  failed: ['paid', 'planned'],
  refused: ['planned', 'refused'],
  held: ['planned', 'ready', 'cancelled', 'refused'],
  cancelled: ['planned', 'refused'],
  returned: ['planned'],
};

const pairs = payoutStates.flatMap((from) => payoutStates.map((to) => ({ from, to })));

async function payoutIn(state: PayoutState) {
  const db = openEmptyJournal();
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'o' });
  const { payout } = await seedBatch(db, [{ key: 'E1', state }]);
  const events = () => db.prepare('SELECT count(*) FROM events').pluck().get() as number;
  return { journal, payout: payout('E1'), events };
}

describe('moves of a payout', () => {
  test('every pair of states is in the table, allowed or not', () => {
    expect(pairs).toHaveLength(121);
    expect(Object.keys(allowed).sort()).toEqual([...payoutStates].sort());
  });

  test.each(pairs.filter(({ from, to }) => allowed[from].includes(to)))(
    '$from may become $to, with one event',
    async ({ from, to }) => {
      const { journal, payout, events } = await payoutIn(from);
      const before = events();
      const moved = await journal.move({ payout, to, why: 'a test' });
      expect(moved.state).toBe(to);
      expect(events()).toBe(before + 1);
    },
  );

  test.each(pairs.filter(({ from, to }) => !allowed[from].includes(to)))(
    '$from never becomes $to, and nothing is logged',
    async ({ from, to }) => {
      const { journal, payout, events } = await payoutIn(from);
      const before = events();
      await expect(journal.move({ payout, to, why: 'a test' })).rejects.toThrow(`from ${from} to ${to}`);
      expect(journal.read(payout.id)).toEqual(payout);
      expect(events()).toBe(before);
    },
  );
});

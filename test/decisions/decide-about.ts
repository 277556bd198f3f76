import { systemClock } from '../../src/clock.ts';
import { type CarriedOut, carryOut, type Decision } from '../../src/decisions/carry-out.ts';
import type { Payout } from '../../src/domain/payout/payout.ts';
import type { BatchRecord } from '../../src/journal/batch-record.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { type SeededPayout, type SeedOptions, seedBatch } from '../support/seed-journal.ts';

export const decidingRun = 'decision 1';

export interface Desk {
  readonly db: JournalDatabase;
  readonly batch: BatchRecord;
  readonly payout: (key: string) => Payout;
  readonly decide: (decision: Decision) => Promise<CarriedOut>;
  /** The events of one payout since it was seeded, the newest last. */
  readonly log: (key: string) => { operator: string; run: string; from: string; to: string; why: string }[];
}

/** A journal with one batch, and a person who decides about it. */
export async function openDesk(
  payouts: readonly SeededPayout[],
  options: SeedOptions = {},
  db: JournalDatabase = openEmptyJournal(),
): Promise<Desk> {
  const { batch, payout } = await seedBatch(db, payouts, options);
  const journal = createJournal(db, systemClock, { run: decidingRun, operator: 'amina' });
  const events = db.prepare<[number], ReturnType<Desk['log']>[number]>(
    `SELECT operator, run, from_state AS "from", to_state AS "to", why FROM events
     WHERE payout = ? AND run <> 'seeding' ORDER BY seq`,
  );
  return {
    db,
    batch,
    payout,
    decide: (decision) => carryOut(db, journal, batch, decision),
    log: (key) => events.all(payout(key).id),
  };
}

export const named = (...ids: string[]) => ({ kind: 'named', ids }) as const;

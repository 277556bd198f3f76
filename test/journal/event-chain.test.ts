import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { chainTrouble, eventChain } from '../../src/journal/event-chain.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';

function chainOf(count: number, whyOf = (seq: number) => `because ${seq}`) {
  const db = openEmptyJournal();
  const chain = eventChain(db);
  for (let index = 1; index <= count; index += 1) {
    chain.append({
      atMs: index,
      batch: 1,
      payout: index,
      run: 'r',
      operator: 'amina',
      from: 'planned',
      to: 'ready',
      why: whyOf(index),
    });
  }
  return { db, chain };
}

describe('the chain of events', () => {
  test('holds as it was written, and its end is its last event', () => {
    const { db, chain } = chainOf(20);
    expect(chainTrouble(db)).toBeUndefined();
    expect(chain.end()).toMatchObject({ seq: 20, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(chainTrouble(openEmptyJournal())).toBeUndefined();
  });

  test('holds where one of several writes of a commit was undone after it had logged something', async () => {
    const db = openEmptyJournal();
    const journal = createJournal(db, systemClock, { run: 'r', operator: 'amina' });
    const event = { atMs: 1, batch: 1, run: 'r', operator: 'amina', from: '', to: '', why: 'undone' };
    const written = await Promise.allSettled([
      journal.logBatch(1, '', 'first', 'because'),
      journal.write(() => {
        eventChain(db).append(event);
        throw new Error('not to be');
      }),
      journal.logBatch(1, '', 'second', 'because'),
    ]);
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(chainTrouble(db)).toBeUndefined();
    expect(journal.chainEnd().seq).toBe(2);
  });

  test.each([
    'at_ms = 99',
    "why = 'another'",
    "operator = 'somebody'",
    "to_state = 'held'",
    'payout = 3',
    "run = 'x'",
    'batch = 2',
  ])('breaks where an event was edited: %s', (edit) => {
    const { db } = chainOf(20);
    db.exec(`UPDATE events SET ${edit} WHERE seq = 7`);
    expect(chainTrouble(db)).toBe('event 7 was changed after it was written');
  });

  test('breaks where an event was deleted, in the middle and at the beginning', () => {
    for (const seq of [1, 7]) {
      const { db } = chainOf(20);
      db.exec(`DELETE FROM events WHERE seq = ${seq}`);
      expect(chainTrouble(db)).toBe(`event ${seq} is missing from the log`);
    }
  });

  test('breaks where the gap of a deleted event was closed', () => {
    const { db } = chainOf(20);
    db.exec('DELETE FROM events WHERE seq = 7');
    db.exec('UPDATE events SET seq = seq - 1 WHERE seq > 7');
    expect(chainTrouble(db)).toBe('event 7 was changed after it was written');
  });

  test('breaks where an event was slipped in', () => {
    const { db } = chainOf(20);
    db.exec('UPDATE events SET seq = -seq WHERE seq > 7');
    db.exec(
      `INSERT INTO events SELECT 8, at_ms, batch, payout, run, operator, from_state, to_state, why, hash FROM events WHERE seq = 7`,
    );
    db.exec('UPDATE events SET seq = 1 - seq WHERE seq < 0');
    expect(chainTrouble(db)).toBe('event 8 was changed after it was written');
  });

  test('breaks where two events changed places', () => {
    const { db } = chainOf(20);
    db.exec('UPDATE events SET seq = 100 WHERE seq = 7');
    db.exec('UPDATE events SET seq = 7 WHERE seq = 8');
    db.exec('UPDATE events SET seq = 8 WHERE seq = 100');
    expect(chainTrouble(db)).toBe('event 7 was changed after it was written');
  });

  test('a fitting hash for an edited event does not save the one after it', () => {
    const { db } = chainOf(20);
    const forged = chainOf(7, (seq) => (seq === 7 ? 'another' : `because ${seq}`));
    db.prepare(`UPDATE events SET why = 'another', hash = ? WHERE seq = 7`).run(forged.chain.end().hash);
    expect(chainTrouble(db)).toBe('event 8 was changed after it was written');
  });
});

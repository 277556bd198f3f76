import { describe, expect, test } from 'vitest';
import { selectPayouts } from '../../src/decisions/select-payouts.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { decisionQueries } from '../../src/journal/payouts/decision-queries.ts';
import { seedBatch } from '../support/seed-journal.ts';

async function openQuestions() {
  const db = openEmptyJournal();
  await seedBatch(db, [{ key: 'E1' }], { name: 'another' });
  const { batch, payout } = await seedBatch(db, [
    { key: 'E1' },
    { key: 'E 2' },
    { key: 'line:2' },
    { key: '007' },
  ]);
  const questions = decisionQueries(db, batch);
  const keys = (...ids: string[]) => selectPayouts(questions, ids).map(({ key }) => key);
  return { db, batch, payout, keys };
}

describe('naming payouts', () => {
  test('by paymentId, by reference and by line, each once', async () => {
    const { keys, payout } = await openQuestions();
    expect(keys('E1')).toEqual(['E1']);
    expect(keys('  E   2 ')).toEqual(['E 2']);
    expect(keys(payout('E 2').reference.toUpperCase())).toEqual(['E 2']);
    expect(keys('line:3')).toEqual(['E 2']);
    expect(keys('007')).toEqual(['007']);
    expect(keys('E1', 'line:3', payout('E1').reference)).toEqual(['E1', 'E 2']);
  });

  test('an ID that fits nothing stops everything, whatever the others are', async () => {
    const { keys } = await openQuestions();
    for (const id of ['E9', 'line:99', 'line:0', '', '7']) {
      expect(() => keys('E1', id), id).toThrow(
        expect.objectContaining({ code: 'payment-not-found', exit: 2 }),
      );
    }
  });

  test('the reference of another batch fits nothing', async () => {
    const { db, keys } = await openQuestions();
    const other = db
      .prepare<[], string>(
        `SELECT reference FROM payouts JOIN batches ON batches.id = batch WHERE name = 'another'`,
      )
      .pluck()
      .get();
    expect(() => keys(other ?? '')).toThrow('fits no payout');
  });

  test('an ID that fits two payouts is told with both', async () => {
    const { keys, payout } = await openQuestions();
    expect(() => keys('line:2')).toThrow(payout('E1').reference);
    expect(() => keys('line:2')).toThrow(payout('line:2').reference);
    expect(keys(payout('line:2').reference)).toEqual(['line:2']);
  });

  test('a line that cannot be paid is called that', async () => {
    const { db, batch, keys } = await openQuestions();
    db.prepare(`INSERT INTO batch_rows (batch, position, line, cells) VALUES (?, 9, 17, '[]')`).run(batch.id);
    expect(() => keys('line:17')).toThrow('cannot be paid');
  });

  describe('by lines of files that differ', () => {
    test('a line that a row which cannot be paid had in another file is nobody', async () => {
      const { db, batch, keys } = await openQuestions();
      db.prepare(
        `INSERT INTO batch_rows (batch, position, line, cells, present) VALUES (?, 9, 3, '[]', 0)`,
      ).run(batch.id);
      for (const named of ['E 2:', 'a row that cannot be paid', 'by its paymentId'])
        expect(() => keys('line:3')).toThrow(named);
      expect(keys('E 2')).toEqual(['E 2']);
    });

    test('no line names anybody any more, also where only one row had it', async () => {
      const { db, batch, keys } = await openQuestions();
      db.prepare(
        `INSERT INTO batch_rows (batch, position, line, cells, present) VALUES (?, 9, 3, '[]', 0)`,
      ).run(batch.id);
      expect(() => keys('line:5')).toThrow('different rows on the same lines');
      expect(() => keys('line:99')).toThrow('different rows on the same lines');
    });

    test('a payment that is called so is still named by that', async () => {
      const { db, batch, keys, payout } = await openQuestions();
      db.prepare('UPDATE batch_rows SET line = 5 WHERE batch = ? AND payout = ?').run(
        batch.id,
        payout('E1').id,
      );
      expect(keys('line:2')).toEqual(['line:2']);
    });
  });
});

import { expect, test } from 'vitest';
import { chunksToDo, handToWorkers } from '../../src/journal/chunks.ts';
import { openDraftJournal } from '../support/draft-journal.ts';
import { workTerms } from '../support/work-terms.ts';

const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
const mary = 'E1,Mary Wanjiku,KE,KES,1000.00,+254712000001';
const peter = 'E2,Peter Mutua,KE,KES,2000.00,+254712000002';
const maryAtPeters = 'E1,Mary Wanjiku,KE,KES,1000.00,+254712000002';

test('a row that pays somebody else by now leaves the chunk of who it paid, until it is handed over anew', async () => {
  const { db, journal, accept, payout } = openDraftJournal();
  await accept([head, mary, peter].join('\n'));
  const { batch } = payout('E1');
  await journal.write(() => handToWorkers(db, batch, workTerms, 1));
  const chunkOf = (key: string) =>
    db.prepare<[string], number | null>('SELECT chunk FROM payouts WHERE key = ?').pluck().get(key);
  expect([chunkOf('E1'), chunkOf('E2')]).toEqual([0, 1]);
  await accept([head, maryAtPeters, peter].join('\n'));
  expect([chunkOf('E1'), chunkOf('E2')]).toEqual([null, 1]);
  expect([...chunksToDo(db)]).toEqual([{ batch, number: 1, step: 'send' }]);
  await journal.write(() => handToWorkers(db, batch, workTerms, 1));
  expect(chunkOf('E1')).toBe(chunkOf('E2'));
});

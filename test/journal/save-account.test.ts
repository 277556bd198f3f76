import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openKnownPayees } from '../../src/journal/known-payees.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { knownEnvironment } from '../support/known-environment.ts';
import { seedBatch } from '../support/seed-journal.ts';

const made = { isMade: true, operator: 'mpesa', branchCode: '' };

async function openBook() {
  const db = openEmptyJournal();
  const { payout } = await seedBatch(db, [{ key: 'E1' }]);
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'amina' });
  const environment = knownEnvironment('https://pay.example me@example.com');
  return { book: openKnownPayees(db, journal, environment), one: payout('E1') };
}

test('an account that was made is saved for its payee', async () => {
  const { book, one } = await openBook();
  expect(await book.saveAccount(one, { ...made, id: 'X1' })).toBe('saved');
  expect(book.accountOf(one)).toEqual({ ...made, id: 'X1', wanted: undefined });
  expect(book.ownerOf('X1')).toEqual({ route: one.payee, currency: one.currency });
});

test('an account that stands for somebody stays his, whoever is said to have it as well', async () => {
  const { book, one } = await openBook();
  const other = { ...one, payee: 'KE:momo:+254700000099' };
  await book.saveAccount(other, { ...made, id: 'X1' });

  expect(await book.saveAccount(one, { ...made, id: 'X1' })).toBe('of-another');
  expect(book.accountOf(one)).toBeUndefined();
  expect(book.ownerOf('X1')).toEqual({ route: other.payee, currency: other.currency });
});

test('a payee whose account is known otherwise keeps what is known of it', async () => {
  const { book, one } = await openBook();
  await book.saveAccount(one, { ...made, id: 'X1' });

  expect(await book.saveAccount(one, { ...made, id: 'X1', operator: 'airtel' })).toBe('changed');
  expect(book.accountOf(one)).toMatchObject({ id: 'X1', operator: 'mpesa' });
  expect(await book.saveAccount(one, { ...made, id: 'X1', operator: '' })).toBe('saved');
  expect(book.accountOf(one)).toMatchObject({ id: 'X1', operator: 'mpesa' });
  expect(await book.saveAccount(one, { ...made, id: 'X2' })).toBe('saved');
  expect(book.accountOf(one)).toMatchObject({ id: 'X2' });
});

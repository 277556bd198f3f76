import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { chainTrouble, eventChain } from '../../src/journal/event-chain.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { putValue, readValue } from '../../src/journal/key-values.ts';
import { tellAll, writeRows } from '../../src/journal/shared/hand-on-function.ts';
import { mirroredTables } from '../../src/journal/shared/mirrored-tables.ts';
import { changesLiteral } from '../../src/journal/shared/shared-connection.ts';
import { closeJournal, sharedOf } from '../../src/journal/shared/shared-of.ts';
import { seedBatch } from '../support/seed-journal.ts';
import { newSharedSchema } from '../support/shared-schema.ts';

async function twoJournals() {
  const schema = newSharedSchema();
  const [one, other] = [await schema.open(), await schema.open()];
  for (const db of [one, other]) onTestFinished(() => closeJournal(db));
  const writing = (db: JournalDatabase, run: string) =>
    createJournal(db, systemClock, { run, operator: 'x' });
  return { schema, one, other, first: writing(one, 'first'), second: writing(other, 'second') };
}

test('what one decides, it decides on what the other has written: a counter that both raise misses none', async () => {
  const { one, other, first, second } = await twoJournals();
  const raise = (db: JournalDatabase) => () =>
    putValue(db, 'counter', String(Number(readValue(db, 'counter') ?? 0) + 1));
  const writes = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0 ? first.write(raise(one)) : second.write(raise(other)),
  );
  await Promise.all(writes);
  await sharedOf(one)?.catchUp();
  await sharedOf(other)?.catchUp();
  expect([readValue(one, 'counter'), readValue(other, 'counter')]).toEqual(['60', '60']);
});

test('both append to one chain, and it holds wherever it is read', async () => {
  const { schema, one, other, first, second } = await twoJournals();
  for (let round = 0; round < 20; round += 1)
    await Promise.all([
      first.logBatch(1, 'a', 'b', `it's "${round}" \\ and back`),
      second.logBatch(1, 'a', 'b', String(round)),
      second.logBatch(1, 'a', 'b', 'and once more'),
    ]);
  const fresh = await schema.open();
  onTestFinished(() => closeJournal(fresh));
  for (const db of [one, other]) await sharedOf(db)?.catchUp();
  for (const db of [one, other, fresh]) {
    expect(chainTrouble(db)).toBeUndefined();
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(60);
  }
});

test('who copies only what paying takes writes the same journal: its log goes on from the end, and nothing is missing', async () => {
  const schema = newSharedSchema();
  const whole = await schema.open();
  onTestFinished(() => closeJournal(whole));
  const states = Array.from({ length: 6 }, (_, index) => ({ key: `P${index}`, state: 'ready' as const }));
  const { payout } = await seedBatch(whole, states);
  const early = await schema.open('to-pay');
  const writing = [whole, early].map((db) => createJournal(db, systemClock, { run: 'r', operator: 'x' }));
  for (const [index, journal] of [...writing, ...writing, ...writing].entries())
    await journal.move({ payout: payout(`P${index}`), to: 'planned', why: 'to see' });
  const late = await schema.open('to-pay');
  await sharedOf(whole)?.catchUp();
  for (const db of [early, late]) {
    onTestFinished(() => closeJournal(db));
    await sharedOf(db)?.catchUp();
    expect(db.prepare('SELECT count(*) FROM batch_rows').pluck().get()).toBe(0);
    expect(db.prepare('SELECT count(*) FROM payouts').pluck().get()).toBe(6);
    expect(eventChain(db).end()).toEqual(eventChain(whole).end());
  }
  const logged = (db: JournalDatabase) =>
    Number(db.prepare('SELECT count(*) FROM events WHERE payout IS NOT NULL').pluck().get());
  expect(logged(late)).toBe(1);
  expect(logged(early)).toBeLessThan(logged(whole));
  await createJournal(late, systemClock, { run: 'r', operator: 'x' }).logBatch(1, 'a', 'b', 'at last');
  for (const db of [whole, early]) await sharedOf(db)?.catchUp();
  expect(chainTrouble(whole)).toBeUndefined();
  expect(eventChain(early).end()).toEqual(eventChain(whole).end());
  const [, rows] = await schema.ask('SELECT count(*) AS n FROM batch_rows');
  expect(rows?.[0]?.['n']).toBe(6);
});

test('a write that throws leaves nothing, here and there; those that came with it stand', async () => {
  const { one, other, first } = await twoJournals();
  const writes = await Promise.allSettled([
    first.write(() => putValue(one, 'a', '1')),
    first.write(() => {
      putValue(one, 'b', '1');
      throw new Error('not this one');
    }),
    first.write(() => putValue(one, 'c', '1')),
  ]);
  expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await sharedOf(other)?.catchUp();
  for (const db of [one, other])
    expect(['a', 'b', 'c'].map((key) => readValue(db, key))).toEqual(['1', undefined, '1']);
});

test('what one takes away is gone for the other', async () => {
  const { one, other, first, second } = await twoJournals();
  await first.write(() => void one.prepare(`INSERT INTO hints VALUES ('r1', 1), ('r2', 2)`).run());
  await second.write(() => void other.prepare(`DELETE FROM hints WHERE reference = 'r1'`).run());
  await sharedOf(one)?.catchUp();
  expect(one.prepare('SELECT reference FROM hints').pluck().all()).toEqual(['r2']);
});

test.each([
  ['that is told in pieces', 5_000],
  ['that is more than the feed tells: the copy is filled anew', 103_000],
])('a large write is one commit, %s', async (_, rows) => {
  const { one, other, first, second } = await twoJournals();
  const put = one.prepare<[string, number]>('INSERT INTO hints VALUES (?, ?)');
  await first.write(() => {
    for (let index = 0; index < rows; index += 1) put.run(`r${index}`, index);
  });
  expect(await second.write(() => other.prepare('SELECT count(*) FROM hints').pluck().get())).toBe(rows);
  await second.write(() => void other.prepare('DELETE FROM hints WHERE at_ms >= 10').run());
  await sharedOf(one)?.catchUp();
  expect(one.prepare('SELECT count(*) FROM hints').pluck().get()).toBe(10);
});

test('who has a journal open when a newer payrun changes it goes no further', async () => {
  const { schema, one, first } = await twoJournals();
  await schema.ask('DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)');
  await closeJournal(await schema.open());
  await expect(first.write(() => putValue(one, 'a', '1'))).rejects.toMatchObject({
    exit: 74,
    message: expect.stringContaining('a newer payrun changed it'),
  });
});

test('rows that move are found by their keys, and no others are read', async () => {
  const { schema, one } = await twoJournals();
  await seedBatch(
    one,
    Array.from({ length: 40 }, (_, index) => ({ key: `P${index}`, state: 'ready' as const })),
  );
  const { moving = [] } = mirroredTables.find(({ name }) => name === 'payouts') ?? {};
  const step = one.prepare(`SELECT ${moving.join()}, id FROM payouts WHERE id = 7`).raw().get();
  const told = JSON.stringify({ payouts: { put: [], move: [step], drop: [] } });
  const answers = await schema.ask(`BEGIN; SELECT ${writeRows}(${changesLiteral(told)});
    SELECT seq_scan, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relid = 'payouts'::regclass; COMMIT`);
  expect(answers.at(-2)).toEqual([{ seq_scan: 0, idx_tup_fetch: 1 }]);
});

test.each([
  ['a little', 450],
  ['more than the feed tells', 21_000],
])('a copy that has fallen behind by %s comes back to where the journal is', async (_, commits) => {
  const { schema, one, other, first, second } = await twoJournals();
  await second.write(() => putValue(other, 'a', '1'));
  const told = `jsonb_build_object('hints', jsonb_build_object('put', jsonb_build_array(
    jsonb_build_array('r' || n, n)), 'drop', '[]'::jsonb))::text`;
  // What one commit leaves of the row that counts them is read by each that follows within it: many in one take minutes.
  const atOnce = 50;
  const tell = (first: number) =>
    `BEGIN; SELECT count(${tellAll}(${told})) FROM generate_series(${first}, ${first + atOnce - 1}) AS n; COMMIT;`;
  await schema.ask(Array.from({ length: commits / atOnce }, (_, at) => tell(at * atOnce + 1)).join(''));
  expect(await first.write(() => one.prepare('SELECT count(*) FROM hints').pluck().get())).toBe(commits);
  expect(readValue(one, 'a')).toBe('1');
  await sharedOf(other)?.catchUp();
  expect(other.prepare('SELECT count(*) FROM hints').pluck().get()).toBe(commits);
});

test('an older payrun that was just opening it when a newer one came can write nothing', async () => {
  const { schema, one, first } = await twoJournals();
  await schema.ask(`ALTER FUNCTION ${writeRows} RENAME TO write_rows; ALTER FUNCTION ${tellAll} RENAME TO tell_all;
    DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)`);
  await closeJournal(await schema.open());
  await expect(schema.ask(`SELECT tell_all('{}')`)).rejects.toThrow('does not exist');
  await expect(schema.ask(`SELECT write_rows('{}')`)).rejects.toThrow('does not exist');
  await expect(first.write(() => putValue(one, 'a', '1'))).rejects.toMatchObject({ exit: 74 });
});

test('what was written by nobody whose turn it was is not forgotten over what others wrote', async () => {
  const { one, other, second } = await twoJournals();
  one.prepare(`INSERT INTO sends (payout, reference, run, begun_ms) VALUES (1, 'r', 'run', 1)`).run();
  await second.write(() => putValue(other, 'a', '1'));
  await expect(sharedOf(one)?.catchUp()).rejects.toMatchObject({ exit: 74 });
});

test('two payees who exchange their accounts in one commit do so for everybody', async () => {
  const { one, other, first } = await twoJournals();
  const put = one.prepare(
    `INSERT OR REPLACE INTO payees (environment, payee, currency, external_account_id, made, operator, branch_code)
     VALUES ('e', ?, 'KES', ?, 1, '', '')`,
  );
  await first.write(() => [put.run('p1', 'a1'), put.run('p2', 'a2')]);
  await first.write(() => [put.run('p1', 'between'), put.run('p2', 'a1'), put.run('p1', 'a2')]);
  await sharedOf(other)?.catchUp();
  const accounts = 'SELECT external_account_id FROM payees ORDER BY payee';
  expect(other.prepare(accounts).pluck().all()).toEqual(['a2', 'a1']);
});

test('a newer payrun that finds another in its turn waits for it', async () => {
  const { schema } = await twoJournals();
  await schema.ask('DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)');
  const writing = schema.ask(
    `BEGIN; SELECT moved FROM journal FOR UPDATE; SELECT pg_sleep(2); SELECT ${tellAll}('{}'); COMMIT`,
  );
  await expect
    .poll(async () => JSON.stringify(await schema.ask(`SELECT query FROM pg_stat_activity`)))
    .toContain('pg_sleep(2)');
  const opened = await schema.open();
  onTestFinished(() => closeJournal(opened));
  await writing;
});

test('of two runs one has the batch; a process that is gone holds nothing', async () => {
  const { one, other } = await twoJournals();
  const lock = await sharedOf(one)?.lockBatch('november', systemClock, 0);
  await expect(sharedOf(other)?.lockBatch('november', systemClock, 0)).rejects.toMatchObject({
    code: 'batch-locked',
    exit: 75,
    message: expect.stringContaining(`process ${process.pid} on`),
  });
  await expect(sharedOf(one)?.lockBatch('november', systemClock, 0)).rejects.toMatchObject({ exit: 75 });
  const another = await sharedOf(other)?.lockBatch('december', systemClock, 0);
  another?.release();
  await sharedOf(one)?.close();
  const taken = await sharedOf(other)?.lockBatch('november', systemClock, 30_000);
  taken?.release();
  lock?.release();
});

test('a journal that went back, or that another took the place of, is not written to', async () => {
  const { schema, one, other, first, second } = await twoJournals();
  await first.write(() => putValue(one, 'a', '1'));
  await second.write(() => putValue(other, 'b', '1'));
  await schema.ask(
    'UPDATE journal SET moved = moved - 1; DELETE FROM feed WHERE moved > (SELECT moved FROM journal)',
  );
  await expect(second.write(() => putValue(other, 'c', '1'))).rejects.toMatchObject({
    exit: 74,
    message: expect.stringContaining('it is not the journal that it was'),
  });
  await schema.ask(`UPDATE journal SET id = 'another', moved = moved + 9`);
  await expect(sharedOf(one)?.catchUp()).rejects.toMatchObject({ exit: 74 });
});

test('a journal that went back is not followed when others have gone on from there, however far', async () => {
  const schema = newSharedSchema();
  const [db, other] = [await schema.open(), await schema.open()];
  onTestFinished(() => closeJournal(db));
  const writer = (of: typeof db) => createJournal(of, systemClock, { run: 'r', operator: 'x' });
  for (const key of ['a', 'b', 'c']) await writer(db).write(() => putValue(db, key, '1'));
  await closeJournal(other);
  // As a dump of after the first commit, brought back in place under a run.
  await schema.ask(`DELETE FROM facts WHERE key IN ('b', 'c'); DELETE FROM feed WHERE moved > 1;
    UPDATE journal SET moved = 1, mark = (SELECT mark FROM feed WHERE moved = 1)`);
  const later = await schema.open();
  onTestFinished(() => closeJournal(later));
  for (const key of ['d', 'e', 'f', 'g', 'h']) await writer(later).write(() => putValue(later, key, '1'));
  await expect(sharedOf(db)?.catchUp()).rejects.toMatchObject({ exit: 74 });
  await expect(writer(db).write(() => putValue(db, 'i', '1'))).rejects.toMatchObject({ exit: 74 });
  await sharedOf(later)?.catchUp();
  expect(readValue(later, 'i')).toBeUndefined();
});

test('nobody writes to a journal that another is being moved to, whoever had it open before', async () => {
  const schema = newSharedSchema();
  const db = await schema.open();
  onTestFinished(() => closeJournal(db));
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'x' });
  await schema.ask(`UPDATE journal SET arriving = 'token'`);
  await expect(journal.write(() => putValue(db, 'a', '1'))).rejects.toMatchObject({
    code: 'journal-not-moved',
    exit: 78,
  });
  const [, rows] = await schema.ask("SELECT * FROM facts WHERE key = 'a'");
  expect(rows).toEqual([]);
  await schema.ask('UPDATE journal SET arriving = NULL');
  await journal.write(() => putValue(db, 'a', '2'));
  expect(readValue(db, 'a')).toBe('2');
});

test('who asks all the time is answered from a copy that is some milliseconds old, and never from an older one', async () => {
  const { one, other, first, second } = await twoJournals();
  const shared = sharedOf(one);
  if (!shared) throw new Error('it is shared');
  await shared.catchUp();
  const askedMs = performance.now();
  await second.write(() => putValue(other, 'said', '1'));
  await shared.comeNear();
  // Where this machine stood still meanwhile, it has caught up.
  if (performance.now() - askedMs < 40) expect(readValue(one, 'said')).toBeUndefined();
  await shared.catchUp();
  expect(readValue(one, 'said')).toBe('1');
  await second.write(() => putValue(other, 'said', '2'));
  await new Promise((resolve) => setTimeout(resolve, 60));
  await shared.comeNear();
  expect(readValue(one, 'said')).toBe('2');
  // A write is decided on what there is, however fresh the copy was.
  await second.write(() => putValue(other, 'said', '3'));
  expect(await first.write(() => readValue(one, 'said'))).toBe('3');
});

import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { PayrunError } from '../../src/errors.ts';
import {
  chunkCounts,
  chunksToDo,
  closeForWorkers,
  handToWorkers,
  noteForgotten,
  numberAhead,
  readTerms,
  sendsMark,
  takeFromWorkers,
} from '../../src/journal/chunks.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { closeInterruptedSends } from '../../src/journal/payouts/close-interrupted-sends.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import { closeJournal, sharedOf } from '../../src/journal/shared/shared-of.ts';
import { readSharedUrl } from '../../src/journal/shared/shared-url.ts';
import { openWorkerDesk } from '../../src/journal/shared/worker-desk.ts';
import { workForAll } from '../../src/library/work-for-all.ts';
import type { Service } from '../../src/service/client.ts';
import { knownEnvironment } from '../support/known-environment.ts';
import { fastSettings } from '../support/pay-run.ts';
import { seedBatch } from '../support/seed-journal.ts';
import { newSharedSchema } from '../support/shared-schema.ts';
import { workTerms } from '../support/work-terms.ts';

async function handedBatch(states: readonly ('ready' | 'submitting' | 'paid')[], payees = states.length) {
  const schema = newSharedSchema();
  const db = await schema.open();
  onTestFinished(() => closeJournal(db));
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'x' });
  await seedBatch(
    db,
    states.map((state, index) => ({
      key: `P${index}`,
      state,
      number: `+2547120000${String(index % payees).padStart(2, '0')}`,
    })),
  );
  const { id } = db.prepare<[], { id: number }>('SELECT id FROM batches').get() ?? { id: 0 };
  return { schema, db, journal, batch: id };
}

test('chunks are made of payees in the order of the file: nobody is in two, and who is added comes to his own', async () => {
  const { db, journal, batch } = await handedBatch(Array(12).fill('ready'), 7);
  await journal.write(() => handToWorkers(db, batch, workTerms, 3));
  const chunks = () =>
    db.prepare<[], { payee: string; chunk: number }>('SELECT payee, chunk FROM payouts ORDER BY id').all();
  const of = new Map(chunks().map(({ payee, chunk }) => [payee, chunk]));
  for (const { payee, chunk } of chunks()) expect(chunk).toBe(of.get(payee));
  expect([...of.values()]).toEqual([0, 0, 0, 1, 1, 1, 2]);
  expect(chunkCounts(db, batch)).toEqual({ all: 3, toDo: 3 });
  const before = chunks();
  await journal.write(() => handToWorkers(db, batch, workTerms, 3));
  expect(chunks()).toEqual(before);
  await journal.write(() => takeFromWorkers(db, batch));
  expect([...chunksToDo(db)]).toEqual([]);
});

test('a batch that is numbered when it is accepted is handed over, and taken back, without a word about its payouts', async () => {
  const { schema, db, journal, batch } = await handedBatch(Array(4).fill('ready'));
  const tables = async () => {
    const answers = await schema.ask('SELECT changes FROM feed ORDER BY moved DESC LIMIT 1');
    return Object.keys(JSON.parse(String(answers.at(-1)?.[0]?.['changes'])));
  };
  await journal.write(() => numberAhead(db, batch, 2));
  expect(await tables()).toEqual(['payouts']);
  expect([...chunksToDo(db)]).toEqual([]);
  await journal.write(() => handToWorkers(db, batch, workTerms, 2));
  expect(await tables()).toEqual(['facts']);
  expect(chunkCounts(db, batch)).toEqual({ all: 2, toDo: 2 });
  await journal.write(() => takeFromWorkers(db, batch));
  expect(await tables()).toEqual(['facts']);
  expect(chunkCounts(db, batch)).toEqual({ all: 0, toDo: 0 });
});

test('what is added to a batch that workers are at is not theirs before it is handed over', async () => {
  const { db, journal, batch } = await handedBatch(['ready']);
  await journal.write(() => handToWorkers(db, batch, workTerms));
  await journal.write(() => {
    db.exec(`UPDATE payouts SET chunk = NULL`);
    numberAhead(db, batch);
  });
  expect([...chunksToDo(db)]).toEqual([]);
  await journal.write(() => handToWorkers(db, batch, workTerms));
  expect([...chunksToDo(db)]).toMatchObject([{ batch, number: 0 }]);
});

test('one worker has a chunk, another the next; meanwhile nobody has the whole batch, and who has it keeps both away', async () => {
  const { schema, db } = await handedBatch(['ready', 'ready']);
  const other = await schema.open();
  onTestFinished(() => closeJournal(other));
  const [one, two] = [sharedOf(db), sharedOf(other)];
  const first = await one?.lockChunk('payroll', 0, systemClock);
  await expect(two?.lockChunk('payroll', 0, systemClock)).rejects.toMatchObject({ code: 'batch-locked' });
  await expect(one?.lockChunk('payroll', 0, systemClock)).rejects.toMatchObject({ code: 'batch-locked' });
  const second = await two?.lockChunk('payroll', 1, systemClock);
  await expect(two?.lockBatch('payroll', systemClock, 0)).rejects.toMatchObject({ exit: 75 });
  first?.release();
  await expect(one?.lockBatch('payroll', systemClock, 0)).rejects.toMatchObject({ exit: 75 });
  second?.release();
  const whole = await one?.lockBatch('payroll', systemClock, 10_000);
  await expect(two?.lockChunk('payroll', 1, systemClock)).rejects.toMatchObject({ code: 'batch-locked' });
  whole?.release();
});

test('who takes a chunk closes what was cut off in it, and nothing else', async () => {
  const { db, journal, batch } = await handedBatch(['submitting', 'submitting']);
  await journal.write(() => {
    handToWorkers(db, batch, workTerms, 1);
    db.exec(`DELETE FROM sends; UPDATE payouts SET ever_sent = 1;
      INSERT INTO sends (payout, reference, run, begun_ms) SELECT id, reference, 'gone', 1 FROM payouts`);
  });
  await closeInterruptedSends(db, journal, systemClock, batch, [1]);
  expect(db.prepare('SELECT outcome FROM sends ORDER BY payout').pluck().all()).toEqual(['', 'unknown']);
});

test('who is not seen any more is ended: its session is gone, and with it its locks and whatever it would write', async () => {
  const { schema, db, journal } = await handedBatch(['ready']);
  const other = await schema.open();
  onTestFinished(() => closeJournal(other));
  const access = readSharedUrl(schema.url);
  const [frozen, alive] = [
    await openWorkerDesk(access, schema.schema),
    await openWorkerDesk(access, schema.schema),
  ];
  onTestFinished(async () => {
    await frozen.leave();
    await alive.leave();
  });
  const [held, others] = [sharedOf(db), sharedOf(other)];
  if (!held || !others) throw new Error('they are shared');
  await frozen.enter('frozen', held.session);
  await alive.enter('alive', others.session);
  await held.lockChunk('payroll', 0, systemClock);
  expect(await alive.beat('looks')).toBe(0);
  await schema.ask(`UPDATE workers SET seen = now() - interval '1 minute' WHERE name = 'frozen'`);
  expect(await alive.beat('looks')).toBe(1);
  await expect(journal.write(() => undefined)).rejects.toMatchObject({ exit: 74 });
  await expect
    .poll(
      async () => (await others.lockChunk('payroll', 0, systemClock).catch(() => undefined)) !== undefined,
    )
    .toBe(true);
  await expect.poll(() => alive.beat('looks')).toBe(0);
  expect((await others.work()).workers.map(({ name, doing }) => [name, doing])).toEqual([['alive', 'looks']]);
});

test('what is put off is put off for all, by the clock of the server, and longer each time', async () => {
  const { schema, batch } = await handedBatch(['ready', 'ready']);
  const access = readSharedUrl(schema.url);
  const desk = await openWorkerDesk(access, schema.schema);
  onTestFinished(() => desk.leave());
  const chunk = { batch, number: 1 };
  for (let time = 0; time < 12; time += 1) await desk.putOff(chunk);
  const isWaiting = await desk.waiting();
  expect([isWaiting(chunk), isWaiting({ batch, number: 0 })]).toEqual([true, false]);
  const [, rows] = await schema.ask('SELECT extract(epoch FROM due - now())::float8 AS s FROM dues');
  expect(Number(rows?.[0]?.['s'])).toBeGreaterThan(20);
  expect(Number(rows?.[0]?.['s'])).toBeLessThanOrEqual(30);
  await desk.forget(chunk);
  expect((await desk.waiting())(chunk)).toBe(false);
});

test('who gives a batch back says why; what was once forgotten stays so when it is handed over again', async () => {
  const { db, journal, batch } = await handedBatch(['ready']);
  await journal.write(() => handToWorkers(db, batch, workTerms));
  await journal.write(() => noteForgotten(db, batch));
  const stopped = { code: 'limit', message: 'too much', exit: 6 } as const;
  await journal.write(() => closeForWorkers(db, batch, stopped));
  expect([...chunksToDo(db)]).toEqual([]);
  expect(readTerms(db, batch)).toMatchObject({ lookUpEvery: true, stopped });
  await journal.write(() => handToWorkers(db, batch, workTerms));
  expect(readTerms(db, batch)).toEqual({ ...workTerms, lookUpEvery: true });
});

test('a payout that is paid and watched is still work', async () => {
  const { db, journal, batch } = await handedBatch(['paid']);
  await journal.write(() => {
    handToWorkers(db, batch, workTerms);
    db.exec(`UPDATE payouts SET watched = 'TX9'`);
  });
  expect([...chunksToDo(db)]).toMatchObject([{ batch, number: 0 }]);
});

test('whether anybody has begun to send something of a chunk is known, whoever did', async () => {
  const { db, journal, batch } = await handedBatch(['ready', 'ready', 'ready']);
  await journal.write(() => handToWorkers(db, batch, workTerms, 2));
  const marks = () => [0, 1].map((number) => sendsMark(db, { batch, number }));
  const before = marks();
  await journal.write(() => takeFromWorkers(db, batch));
  expect(marks()).toEqual(before);
  const [first] = payoutQueries(db, batch).page(['ready'], 0, 1);
  if (first) await journal.beginSend(first, 'by somebody who has all of it');
  const [one, other] = marks();
  expect(one).not.toBe(before[0]);
  expect(other).toBe(before[1]);
});

test('a journal that others hold for too long ends no worker, and gives no batch back: it comes back to it', async () => {
  const { schema, db, journal, batch } = await handedBatch(['ready']);
  await journal.write(() => handToWorkers(db, batch, workTerms));
  const desk = await openWorkerDesk(readSharedUrl(schema.url), schema.schema);
  onTestFinished(() => desk.leave());
  // As any stage meets it, whatever it was about to write down.
  const busy = () => Promise.reject(new PayrunError('journal-busy', 'held by another'));
  const service = new Proxy({} as Service, { get: () => busy });
  const ended = new AbortController();
  const told: string[] = [];
  await workForAll({
    ...{ db, desk, service, clock: systemClock, settings: fastSettings, ratePerSecond: undefined },
    keepRate: () => undefined,
    environment: knownEnvironment('sandbox payroll@example.com'),
    operator: 'x',
    signal: ended.signal,
    onEvent: (event) => {
      if (event.kind === 'notice') told.push(event.message);
      if (told.length === 2) ended.abort();
    },
    onWork: () => undefined,
  });
  expect(told.join()).toContain('tried again');
  expect([...chunksToDo(db)]).toMatchObject([{ batch, number: 0 }]);
  expect(readTerms(db, batch)).not.toHaveProperty('stopped');
});

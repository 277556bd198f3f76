import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { PayoutState } from '../../src/domain/payout/payout-state.ts';
import { type Chunk, handToWorkers, hasOtherChunks, isEnded } from '../../src/journal/chunks.ts';
import type { HeldBatch } from '../../src/journal/held-batch.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import { closeJournal, type SharedJournal, sharedOf } from '../../src/journal/shared/shared-of.ts';
import { takeChunks } from '../../src/library/take-chunks.ts';
import { knownEnvironment } from '../support/known-environment.ts';
import { seedBatch } from '../support/seed-journal.ts';
import { newSharedSchema } from '../support/shared-schema.ts';
import { workTerms } from '../support/work-terms.ts';

const owner = 'sandbox payroll@example.com';

function journalOf(db: JournalDatabase): SharedJournal {
  const shared = sharedOf(db);
  if (!shared) throw new Error('it is shared');
  return shared;
}

/** Postgres is told of it without anybody waiting: what is asked afterwards is answered after it. */
async function letGo(db: JournalDatabase, taken: { readonly lock: HeldBatch } | undefined): Promise<void> {
  taken?.lock.release();
  await journalOf(db).work();
}

/** Two workers over one journal; each payout of a batch is a chunk of its own. */
async function twoWorkers(batches: Readonly<Record<string, readonly PayoutState[]>>) {
  const schema = newSharedSchema();
  const one = await schema.open();
  onTestFinished(() => closeJournal(one));
  const journal = createJournal(one, systemClock, { run: 'r', operator: 'x' });
  const ids = new Map<string, number>();
  for (const [name, states] of Object.entries(batches)) {
    const seeded = states.map((state, index) => ({
      ...{ key: `${name}${index}`, state },
      number: `+25471${ids.size}0000${String(index).padStart(2, '0')}`,
    }));
    const { batch } = await seedBatch(one, seeded, { name });
    ids.set(name, batch.id);
    await journal.write(() => handToWorkers(one, batch.id, workTerms, 1));
  }
  const other = await schema.open();
  onTestFinished(() => closeJournal(other));
  const waiting: Chunk[] = [];
  const wanted = new Set<string>();
  const take = async (db: JournalDatabase, mayBeOf: (batch: number) => boolean = () => true) => {
    const taken = await takeChunks(
      {
        ...{ db, clock: systemClock, environment: knownEnvironment(owner), shared: journalOf(db) },
        desk: {
          waiting: async () => (chunk) =>
            waiting.some(({ batch, number }) => batch === chunk.batch && number === chunk.number),
        },
        presence: { look: async () => undefined, isWanted: (batch) => wanted.has(batch) },
      },
      mayBeOf,
    );
    return (
      taken && { name: taken.batch.name, chunks: taken.chunks, mayWait: taken.mayWait, lock: taken.lock }
    );
  };
  return { one, other, take, waiting, wanted, idOf: (name: string) => ids.get(name) ?? 0 };
}

test('what is to be sent is taken one by one, by whoever comes first; no chunk is taken twice, not even by the same', async () => {
  const { one, other, take } = await twoWorkers({ november: ['ready', 'planned', 'submitting', 'unclear'] });
  const taken = [await take(one), await take(one), await take(other), await take(other)];
  expect(taken.map((each) => [each?.chunks, each?.mayWait])).toEqual([
    [[0], true],
    [[1], true],
    [[2], true],
    [[3], false],
  ]);
  expect(await take(one)).toBeUndefined();
  expect(await take(other)).toBeUndefined();
  await letGo(other, taken[2]);
  expect((await take(one))?.chunks).toEqual([2]);
});

test('what was sent is settled together, once nobody sends of the batch any more', async () => {
  const { one, other, take } = await twoWorkers({
    november: ['submitted', 'ready', 'submitted', 'paid', 'submitted'],
  });
  const sending = await take(one);
  expect(sending?.chunks).toEqual([1]);
  expect(await take(other)).toBeUndefined();
  const journal = createJournal(one, systemClock, { run: 'r', operator: 'x' });
  const [ready] = payoutQueries(one, 1).page(['ready'], 0, 1);
  if (ready) await journal.move({ payout: ready, to: 'held', why: 'by a test' });
  await letGo(one, sending);
  expect(await take(other)).toMatchObject({ chunks: [0, 2, 4], mayWait: false });
  expect(await take(one)).toBeUndefined();
});

test('what waits for a person comes last, and keeps nobody from sending or settling; what is to wait is not taken', async () => {
  const { one, other, take, waiting, idOf } = await twoWorkers({
    november: ['unclear', 'submitted', 'ready', 'submitted', 'submitted', 'unclear'],
  });
  const batch = idOf('november');
  waiting.push({ batch, number: 2 }, { batch, number: 4 });
  const looking = await take(other, () => true);
  expect(looking).toMatchObject({ chunks: [1, 3], mayWait: false });
  expect(await take(one)).toMatchObject({ chunks: [0], mayWait: false });
  await letGo(other, looking);
  expect((await take(one))?.chunks).toEqual([1, 3]);
  expect(await take(one)).toMatchObject({ chunks: [5] });
  waiting.length = 0;
  expect(await take(one)).toMatchObject({ chunks: [2], mayWait: true });
  // Somebody sends: the rest is settled together with that.
  expect(await take(one)).toBeUndefined();
});

test('of many that are to be settled some are left to others', async () => {
  const { one, other, take } = await twoWorkers({ november: Array(20).fill('submitted') });
  expect((await take(one))?.chunks).toHaveLength(16);
  expect((await take(other))?.chunks).toHaveLength(4);
});

test('a batch that is wanted whole is left alone, and one that does not go with what is in hand; else they come in order', async () => {
  const { one, take, wanted, idOf } = await twoWorkers({
    october: ['submitted'],
    november: ['ready'],
    december: ['ready', 'ready'],
  });
  wanted.add('october');
  expect(await take(one)).toMatchObject({ name: 'november', chunks: [0] });
  wanted.clear();
  expect(await take(one, (batch) => batch === idOf('december'))).toMatchObject({ name: 'december' });
  expect(await take(one)).toMatchObject({ name: 'october', chunks: [0] });
});

test('a chunk that is all of its batch has no others; one of which nothing is left has ended', async () => {
  const { one, idOf } = await twoWorkers({ november: ['paid'], december: ['ready', 'paid', 'submitted'] });
  const [single, several] = [idOf('november'), idOf('december')];
  expect(hasOtherChunks(one, single, [0])).toBe(false);
  const others = [[0], [0, 2], [0, 1, 2]].map((chunks) => hasOtherChunks(one, several, chunks));
  expect(others).toEqual([true, true, false]);
  expect([0, 1, 2].map((number) => isEnded(one, { batch: several, number }))).toEqual([false, true, false]);
});

test('payouts of chunks that were sent at the same time come in the order of their sends', async () => {
  const { one, idOf } = await twoWorkers({ november: Array(6).fill('ready') });
  const journal = createJournal(one, systemClock, { run: 'r', operator: 'x' });
  const batch = idOf('november');
  const ready = payoutQueries(one, batch).page(['ready'], 0, 10);
  const order = [4, 0, 5, 2, 1].flatMap((place) => ready[place] ?? []);
  for (const each of order) {
    const begun = await journal.beginSend(each, 'by a test');
    await journal.acceptSend(begun.payout, begun.send, `TX${each.id}`);
  }
  const chunks = payoutQueries(one, batch, [0, 2, 4, 5]);
  const asSent = chunks.submittedAsSent();
  expect(asSent).toEqual([4, 0, 5, 2].map((place) => ready[place]?.id));
  const [first] = chunks.submittedOf(asSent);
  if (first) await journal.move({ payout: first, to: 'paid', why: 'by a test' });
  expect(chunks.submittedOf(asSent).map(({ id }) => id)).toEqual(asSent.slice(1));
  expect(chunks.page(['submitted', 'ready'], 0, 10).map(({ id }) => id)).toEqual(
    [0, 2, 5].map((place) => ready[place]?.id),
  );
});

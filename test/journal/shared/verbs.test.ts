import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { systemClock } from '../../../src/clock.ts';
import { environmentFromKey } from '../../../src/domain/environment/environment.ts';
import { payoutStates } from '../../../src/domain/payout/payout-state.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { openKnownPayees } from '../../../src/journal/known-payees.ts';
import { openLookUpProof } from '../../../src/journal/look-up-proof.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { writeRows } from '../../../src/journal/shared/hand-on-function.ts';
import { mirroredTables } from '../../../src/journal/shared/mirrored-tables.ts';
import { openSharedJournal } from '../../../src/journal/shared/open-shared-journal.ts';
import type { SharedConnection } from '../../../src/journal/shared/shared-connection.ts';
import { sharedMigrations } from '../../../src/journal/shared/shared-migrations.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { typesOf } from '../../../src/journal/shared/table-rows.ts';
import { openWebhookHints, takeWebhookHints } from '../../../src/journal/webhook-hints.ts';
import { dumpOf } from '../../support/journal-dump.ts';
import { storedEnvironment } from '../../support/known-environment.ts';
import { startPglite } from '../../support/pglite-connection.ts';
import { seedBatch } from '../../support/seed-journal.ts';

const environment = 'sandbox payroll@example.com';
let connection: SharedConnection;
let schemas = 0;

beforeAll(async () => {
  connection = await startPglite();
});

async function openShared(schema: string): Promise<JournalDatabase> {
  const db = await openSharedJournal({ connection, schema, mayMake: true });
  if (!db) throw new Error('there is no journal');
  return db;
}

/** Time that passes the same way for whoever does the same. */
function countingClock(): Clock {
  let nowMs = 1_800_000_000_000;
  return {
    ...systemClock,
    nowMs: () => {
      nowMs += 7;
      return nowMs;
    },
    sleep: async () => undefined,
  };
}

const step = fc.record({
  kind: fc.constantFrom(
    'send',
    'accept',
    'refuse',
    'lose',
    'note',
    'log',
    'account',
    'claim',
    'end',
    'forget',
    'name',
    'proof',
    'hint',
    'take',
    'unseen',
  ),
  whom: fc.nat(5),
  text: fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
});

const history = fc.record({
  states: fc.array(fc.constantFrom(...payoutStates), { minLength: 6, maxLength: 6 }),
  steps: fc.array(step, { maxLength: 25 }),
});

type Story = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** One story, told to a journal by its verbs alone; what they answered. */
async function tell(db: JournalDatabase, { states, steps }: Story): Promise<unknown[]> {
  const clock = countingClock();
  const seeded = states.map((state, index) => ({ key: `P${index}`, state, number: `+25471200000${index}` }));
  const { batch, payout } = await seedBatch(db, seeded, { clock, environment });
  const journal = createJournal(db, clock, { run: 'told', operator: 'amina' });
  const whole = environmentFromKey(storedEnvironment(environment));
  const payees = openKnownPayees(db, journal, whole);
  const proofs = openLookUpProof(db, journal, whole);
  const hints = openWebhookHints(db, journal, clock);
  const takeHints = takeWebhookHints(db, journal, batch.id);
  const sends: number[] = [];
  const answers: unknown[] = [];
  for (const { kind, whom, text } of steps) {
    const who = payout(`P${whom}`);
    const send = sends.at(-1) ?? 0;
    const saved = { id: `acc-${text.length % 3}`, isMade: true, operator: text.slice(0, 2), branchCode: '' };
    const verbs: Record<typeof kind, () => unknown> = {
      send: async () => {
        if (who.state !== 'ready' && who.state !== 'submitting') return undefined;
        const begun = await journal.beginSend(who, text);
        sends.push(begun.send);
        return begun.send;
      },
      accept: () =>
        who.state === 'submitting' ? journal.acceptSend(who, send, `tx-${text.length}`) : undefined,
      refuse: () =>
        journal.endSend(who, send, { outcome: 'refused', code: 'refused', errorCode: 'E', words: text }),
      lose: () => journal.endSend(who, send, { outcome: 'unknown', code: 'cut-off' }),
      note: () => journal.note(who, { resolvedName: text, watched: text.slice(0, 3) }),
      log: () => journal.logBatch(batch.id, 'a', 'b', text),
      account: () => payees.saveAccount(who, saved),
      claim: () =>
        payees.claimAccount(who, {
          id: saved.id,
          batch: batch.id,
          is: { operator: '', branchCode: '' },
          wanted: saved,
          believed: payees.accountOf(who),
        }),
      end: () => payees.endClaim(who, saved.id, saved),
      forget: () => payees.forgetAccount(who, batch.id),
      name: () =>
        payees.saveName(who, 'rail', {
          answer: { kind: 'name', name: text },
          before: undefined,
          repeats: 'nothing',
          beyond: text.slice(1),
          operator: '',
          atMs: clock.nowMs(),
        }),
      proof: () => proofs.save({ delayMs: text.length }),
      hint: () => hints.leave({ reference: who.reference, transactionId: '' }),
      take: () => takeHints(),
      unseen: () => journal.noteUnseen(who, text.length),
    };
    answers.push(await verbs[kind]());
  }
  return answers;
}

describe('the verbs over Postgres', () => {
  test('answer as those of a file do, and leave the same journal, in the copy and in Postgres', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (story) => {
        const embedded = openEmptyJournal();
        schemas += 1;
        const schema = `verbs_${schemas}`;
        const shared = await openShared(schema);
        const answers = [await tell(embedded, story), await tell(shared, story)];
        expect(answers[1]).toEqual(answers[0]);
        const told = withoutBankList(dumpOf(embedded));
        expect(withoutBankList(dumpOf(shared))).toEqual(told);
        await closeJournal(shared);
        const again = await openShared(schema);
        expect(withoutBankList(dumpOf(again))).toEqual(told);
        await closeJournal(again);
        embedded.close();
      }),
      { numRuns: 12 },
    );
  });

  test('are told where a row that is to move is not there', async () => {
    await closeJournal(await openShared('moves'));
    const { moving = [] } = mirroredTables.find(({ name }) => name === 'payouts') ?? {};
    const step = JSON.stringify([...moving.map(() => null), 9]);
    const told = `{"payouts":{"put":[],"move":[${step}],"drop":[]}}`;
    await expect(connection.ask(`SELECT ${writeRows}('${told}')`)).rejects.toThrow(
      'a row of payouts that is to move is not there',
    );
  });

  test('whoever changes what is told of a row makes a migration, so that nobody older takes part', () => {
    const embedded = openEmptyJournal();
    onTestFinished(() => void embedded.close());
    const told = mirroredTables.map(({ name, key, moving }) => [
      name,
      key,
      moving,
      [...typesOf(embedded, name)],
    ]);
    const digest = createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 12);
    expect({ migrations: sharedMigrations.length, digest }).toEqual({
      migrations: 7,
      digest: 'cdb08ebeb49e',
    });
  });

  test('know every table and column of the journal', async () => {
    const embedded = openEmptyJournal();
    onTestFinished(() => void embedded.close());
    const tables = embedded
      .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all();
    expect(mirroredTables.map(({ name }) => name).sort()).toEqual(tables);
    await closeJournal(await openShared('columns'));
    for (const { name, key } of mirroredTables) {
      const columns = embedded
        .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)')
        .all(name);
      const [there = []] = await connection.ask(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'columns' AND table_name = '${name}'`,
      );
      expect(there.map((row) => row['name']).sort()).toEqual(columns.map((column) => column.name).sort());
      const keyColumns = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
      expect(key).toEqual(keyColumns.map((column) => column.name));
    }
  });
});

/** The embedded one was opened in memory, where nobody brings payees up to the list of banks. */
function withoutBankList(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const facts = (dump['facts'] ?? []) as { key: string }[];
  return { ...dump, facts: facts.filter(({ key }) => key !== 'bank-list') };
}

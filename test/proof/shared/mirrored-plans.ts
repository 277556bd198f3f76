import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type PayoutState, payoutStates } from '../../../src/domain/payout/payout-state.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { moveJournal } from '../../../src/journal/shared/move-journal.ts';
import { openSharedJournal } from '../../../src/journal/shared/open-shared-journal.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { planFile } from '../../../src/pipeline/plan-file.ts';
import { seededChance } from '../../support/chance.ts';
import { draftDefaults } from '../../support/draft-options.ts';
import { dumpOf } from '../../support/journal-dump.ts';
import { startPglite } from '../../support/pglite-connection.ts';
import { holdingPolicy, plainRun } from '../../support/plain-run.ts';
import { type SeededPayout, seedBatch } from '../../support/seed-journal.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';

const dayMs = 24 * 3_600_000;
const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
const people = [
  'Amina Otieno',
  'Brian Wanjiku',
  'Cynthia Mwangi',
  'Daudi Chebet',
  'Esther Kamau',
  'Faith Njeri',
];

/** A file planned on the copy of a shared journal, and on the journal itself. */
export const mirroredPlans: Campaign = {
  name: 'mirrored-plans',
  title: 'Histories of some batches, moved to Postgres: a file planned on the copy and on the journal itself',
  atLeast: { histories: 1_000 },
  async run({ seed, share, say }) {
    const counts = { histories: 0, payouts: 0, 'plans that a guard refuses': 0 };
    const violations: Violation[] = [];
    const connection = await startPglite();
    const wanted = Math.max(1, Math.round(1_000 * share));
    for (let index = 0; index < wanted; index += 1) {
      const chance = seededChance(seed + index);
      const replay = `mirrored-plans seed ${seed + index}`;
      const whole = openEmptyJournal();
      counts.payouts += await makeHistory(whole, chance);
      const file = makeFile(chance);
      whole.exec('BEGIN');
      await moveJournal({
        file: whole,
        connection,
        schema: 'plans',
        token: 'plans',
        place: 'here',
        compare: async () => {},
      });
      whole.exec(`DELETE FROM facts WHERE key = 'moved-to'`);
      const copy = await openSharedJournal({ connection, schema: 'plans', mayMake: false });
      if (!copy) throw new Error('what was moved is not there');
      const [there, here] = [await planOf(copy, file), await planOf(whole, file)];
      if (!isDeepStrictEqual(there, here))
        violations.push({
          kind: 'lie',
          replay,
          text: `planned ${text(there)} on the copy, and ${text(here)}`,
        });
      if (!isDeepStrictEqual(withoutList(dumpOf(copy)), withoutList(dumpOf(whole))))
        violations.push({ kind: 'lost', replay, text: 'the copy is not the journal' });
      if (here.plan.guards.length > 0) counts['plans that a guard refuses'] += 1;
      counts.histories += 1;
      await closeJournal(copy);
      whole.close();
      // Empty for the next, which arrives as the first did.
      await connection.ask(`UPDATE journal SET arriving = 'plans'`);
      if (index % 100 === 99) say(`mirrored-plans: ${index + 1}, ${violations.length} violations`);
    }
    return { counts, violations };
  },
};

async function makeHistory(db: JournalDatabase, chance: () => number): Promise<number> {
  let payouts = 0;
  const batches = 1 + Math.floor(chance() * 4);
  for (let index = 0; index < batches; index += 1) {
    const rows = somePeople(chance).map(
      (person): SeededPayout => ({
        key: `P${person}`,
        accountName: people[person] ?? '',
        number: `+25471200010${chance() < 0.9 ? person : 9}`,
        amountMinor: BigInt(100_000 + person * 100 + (chance() < 0.3 ? 500 : 0)),
        state: payoutStates[Math.floor(chance() * payoutStates.length)] as PayoutState,
        absent: chance() < 0.1,
      }),
    );
    const acceptedMs = draftDefaults.nowMs - Math.floor(chance() * 60) * dayMs;
    const name = chance() < 0.2 ? 'november' : `batch-${index}`;
    if (db.prepare('SELECT 1 FROM batches WHERE name = ?').get(name)) continue;
    await seedBatch(db, rows, { name, acceptedMs, environment: 'here payroll@example.com' });
    payouts += rows.length;
  }
  return payouts;
}

function makeFile(chance: () => number): string {
  const rows = somePeople(chance).map(
    (person) => `P${person},${people[person]},KE,KES,${1000 + person}.00,+25471200010${person}`,
  );
  return [header, ...rows, ''].join('\n');
}

function somePeople(chance: () => number): number[] {
  const some = people.map((_, index) => index).filter(() => chance() < 0.7);
  return some.length > 0 ? some : [0];
}

async function planOf(db: JournalDatabase, file: string) {
  const { drafted, plan, policy, accepted, exit } = await planFile(
    db,
    Readable.from([Buffer.from(file)]),
    undefined,
    {
      ...plainRun,
      ...draftDefaults,
      batch: 'november',
      concurrency: 1,
      checkNames: false,
      policy: holdingPolicy,
    },
  );
  return { plan, policy, accepted, exit, problems: [...drafted.questions.problems()] };
}

/** Whether payees follow the present list of banks is noted where a journal is opened, and this one was not. */
function withoutList(dump: Record<string, unknown[]>): Record<string, unknown[]> {
  const facts = (dump['facts'] ?? []) as { key: string }[];
  return { ...dump, facts: facts.filter(({ key }) => key !== 'bank-list') };
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

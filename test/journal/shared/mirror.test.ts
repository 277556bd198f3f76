import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { payoutQueries } from '../../../src/journal/payouts/payout-queries.ts';
import { type Mirror, openMirror } from '../../../src/journal/shared/mirror.ts';
import { mirroredTables } from '../../../src/journal/shared/mirrored-tables.ts';
import { growsTooFast } from '../../support/growth.ts';
import { cellsOfDump, dumpOf } from '../../support/journal-dump.ts';
import { seedBatch } from '../../support/seed-journal.ts';

/** Of which what came is known by its number. */
const numbered: ReadonlySet<string> = new Set(['batches', 'column_lists', 'payouts', 'sends', 'events']);

/** A copy with five payouts, their payees and some hints, which notes what is touched. */
async function seededMirror(): Promise<Mirror> {
  const mirror = openMirror();
  onTestFinished(() => void mirror.db.close());
  const keys = [0, 1, 2, 3, 4];
  await seedBatch(
    mirror.db,
    keys.map((key) => ({ key: `P${key}`, number: `+25471200000${key}` })),
  );
  const payee = mirror.db.prepare(
    `INSERT INTO payees (environment, payee, currency, external_account_id, made, operator, branch_code) VALUES ('e', ?, 'KES', ?, 1, '', '')`,
  );
  for (const key of keys) payee.run(`p${key}`, `account-${key}`);
  // To be taken away from copies that know them.
  for (const hint of ['h4', 'h5']) mirror.db.prepare('INSERT INTO hints VALUES (?, 0)').run(hint);
  mirror.watch();
  return mirror;
}

/** Another copy of the same journal, as it is now, after something was done to it. */
async function copyOf({ db }: Mirror, done = 'SELECT 1'): Promise<Mirror> {
  const copy = openMirror();
  onTestFinished(() => void copy.db.close());
  for (const [name, rows] of Object.entries(cellsOfDump(db))) copy.fill(name, JSON.stringify(rows));
  copy.db.exec(done);
  copy.watch();
  return copy;
}

const changes: Readonly<Record<string, (db: Mirror['db'], whom: number, time: number) => unknown>> = {
  step: (db, whom, time) =>
    db.prepare(`UPDATE payouts SET state = 'paid', settled_ms = ? WHERE id = ?`).run(time, whom),
  rewrite: (db, whom, time) =>
    db.prepare('UPDATE payouts SET narration = ? WHERE id = ?').run(`${time}`, whom),
  both: (db, whom, time) =>
    db
      .prepare(`UPDATE payouts SET reference = ?, state = 'planned' WHERE id = ?`)
      .run(`r-${whom}-${time}`, whom),
  send: (db, whom, time) =>
    db
      .prepare(`INSERT INTO sends (payout, reference, run, begun_ms) VALUES (?, 'r', 'run', ?)`)
      .run(whom, time),
  ended: (db, whom, time) =>
    db.prepare(`UPDATE sends SET ended_ms = ?, outcome = 'accepted' WHERE payout = ?`).run(time, whom),
  known: (db, whom, time) =>
    db.prepare(`INSERT OR IGNORE INTO known_transactions VALUES (?, 'r', ?)`).run(whom, `t${time % 3}`),
  hint: (db, whom, time) => db.prepare('INSERT OR REPLACE INTO hints VALUES (?, ?)').run(`h${whom}`, time),
  taken: (db, whom) => db.prepare('DELETE FROM hints WHERE reference = ?').run(`h${whom}`),
  back: (db, whom, time) => {
    db.prepare('DELETE FROM hints WHERE reference = ?').run(`h${whom}`);
    db.prepare('INSERT INTO hints VALUES (?, ?)').run(`h${whom}`, time);
  },
  /** As of a write that throws: what others write with it in the same commit stays. */
  undone: (db, whom, time) => {
    db.exec('SAVEPOINT job');
    for (const what of ['step', 'rewrite', 'send', 'ended', 'known', 'back']) changes[what]?.(db, whom, time);
    db.exec('ROLLBACK TO job; RELEASE job');
  },
  exchange: (db, whom) => {
    const [one, other] = [`p${whom - 1}`, `p${whom % 5}`];
    const put = db.prepare('UPDATE payees SET external_account_id = ? WHERE payee = ?');
    const of = db.prepare<[string], string>('SELECT external_account_id FROM payees WHERE payee = ?').pluck();
    const [first, second] = [of.get(one), of.get(other)];
    put.run('between', one);
    put.run(first, other);
    put.run(second, one);
  },
};

const commits = fc.array(
  fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.integer({ min: 1, max: 5 })), {
    maxLength: 5,
  }),
  { minLength: 1, maxLength: 6 },
);

test('a copy that follows, and one that is filled anew, become what the journal is, and hand nothing of it on', async () => {
  await fc.assert(
    fc.asyncProperty(commits, async (history) => {
      let writer = await seededMirror();
      let follower = await copyOf(writer);
      const [behind, late] = [await copyOf(writer), await copyOf(writer)];
      const told: string[] = [];
      let time = 0;
      for (const commit of history) {
        writer.db.transaction(() => {
          for (const [what, whom] of commit) {
            time += 1;
            changes[what]?.(writer.db, whom, time);
          }
        })();
        for (const piece of writer.touched()) {
          follower.follow([piece]);
          told.push(piece);
        }
        // The other's turn.
        [writer, follower] = [follower, writer];
      }
      behind.follow(told);
      await late.replace(async (fill) => {
        for (const [name, rows] of Object.entries(cellsOfDump(writer.db))) fill(name, JSON.stringify(rows));
      });
      const sendsTold = told.flatMap((piece) => JSON.parse(piece).sends?.put ?? []);
      expect(sendsTold).toHaveLength(dumpOf(writer.db)['sends']?.length ?? 0);
      expect(dumpOf(follower.db)).toEqual(dumpOf(writer.db));
      expect(dumpOf(behind.db)).toEqual(dumpOf(writer.db));
      expect(dumpOf(late.db)).toEqual(dumpOf(writer.db));
      expect([...follower.touched(), ...late.touched(), ...writer.touched()]).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('while a copy is filled anew what it knew stays as it was; new rows are there before the end, which takes no time for them', async () => {
  const writer = await seededMirror();
  const copy = await copyOf(writer);
  const before = dumpOf(copy.db);
  for (const what of ['step', 'exchange', 'hint', 'send']) changes[what]?.(writer.db, 1, 1);
  await copy.replace(async (fill) => {
    for (const [name, rows] of Object.entries(cellsOfDump(writer.db))) fill(name, JSON.stringify(rows));
    const { hints, sends, ...known } = dumpOf(copy.db);
    expect(known).toEqual({ ...before, hints: undefined, sends: undefined });
    expect([hints?.length, sends?.length]).toEqual([3, 1]);
  });
  expect(dumpOf(copy.db)).toEqual(dumpOf(writer.db));
});

test('of a step only what moved is told; a row that changed otherwise is told whole', async () => {
  const { db, touched } = await seededMirror();
  const told = () => JSON.parse([...touched()].join()).payouts;
  changes['step']?.(db, 1, 7);
  const { moving = [] } = mirroredTables.find(({ name }) => name === 'payouts') ?? {};
  const { put, move } = told();
  expect(put).toEqual([]);
  const step = db.prepare(`SELECT ${moving.join()}, id FROM payouts WHERE id = 1`).raw().get();
  expect(step).toEqual(expect.arrayContaining(['paid', 7, 1]));
  expect(move).toEqual([step]);
  for (const [first, then] of [
    ['step', 'rewrite'],
    ['rewrite', 'step'],
  ] as const) {
    changes[first]?.(db, 2, 8);
    changes[then]?.(db, 2, 9);
    const whole = db.prepare('SELECT * FROM payouts WHERE id = 2').raw().get();
    expect(told()).toEqual({ put: [whole], move: [], drop: [] });
  }
});

test('a copy that lacks what is to move is none any more', async () => {
  const writer = await seededMirror();
  const copy = await copyOf(writer, 'DELETE FROM payouts WHERE id = 3');
  changes['step']?.(writer.db, 3, 1);
  expect(() => copy.follow([...writer.touched()])).toThrow('the copy lacks a row of payouts');
});

const manyWrites: Readonly<Record<string, readonly [insert: string, change: string]>> = {
  facts: [`INSERT INTO facts VALUES ('fact ' || ?, '1')`, `UPDATE facts SET value = '2'`],
  sends: [
    `INSERT INTO sends (payout, reference, run, begun_ms) VALUES (?, 'r', 'run', 1)`,
    `UPDATE sends SET ended_ms = 1; UPDATE sends SET run = 'other' WHERE id % 2 = 0`,
  ],
};

test.each(Object.entries(manyWrites))(
  'what is touched of %s in one commit is handed on once, in a time that grows with it and not with its square',
  (table, [insert, change]) => {
    const write = (rows: number) => () => {
      const mirror = openMirror();
      mirror.watch();
      const each = mirror.db.prepare(insert);
      const told = () =>
        [...mirror.touched()].reduce((sum, piece) => {
          const { put, move = [] } = JSON.parse(piece)[table];
          return sum + put.length + move.length;
        }, 0);
      mirror.db.transaction(() => {
        for (let row = 0; row < rows; row += 1) each.run(row);
      })();
      expect(told()).toBe(rows);
      mirror.db.exec(change);
      expect(told()).toBe(rows);
      mirror.db.close();
    };
    expect(growsTooFast(write, { largest: 64_000, noiseMs: 200 })).toBe(false);
  },
);

const noted = mirroredTables.filter(({ name }) => !numbered.has(name));
test.each(noted)('whether a row of $name is noted already is found by its key', ({ name, key }) => {
  const { db } = openMirror();
  const isSame = key.map((column) => `touched.${column} = own.${column}`).join(' AND ');
  const plan = db
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT 1 FROM main.${name} AS own CROSS JOIN touched_${name} AS touched WHERE ${isSame}`,
    )
    .all();
  expect(plan.at(-1)?.detail).toMatch(/^SEARCH touched USING/);
  db.close();
});

test.each([...numbered])('of %s nothing is ever taken away', async (table) => {
  const { db, touched } = await seededMirror();
  changes['send']?.(db, 1, 1);
  db.exec(`INSERT INTO column_lists (batch, columns) VALUES (1, '[]')`);
  expect([...touched()]).toHaveLength(1);
  db.exec(`DELETE FROM ${table}`);
  expect(() => [...touched()]).toThrow(`nothing is ever taken from ${table}`);
});

test('what a large batch adds up to is read out of an index alone, and what one of its chunks does out of its own', async () => {
  const { db } = await seededMirror();
  const plansOf = (chunk?: number) => {
    const plans: string[] = [];
    const prepare = (sql: string) => {
      const explained = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      if (sql.includes('sum(amount'))
        plans.push(
          explained
            .all(sql.includes('@batch') ? { batch: 1 } : 1)
            .map(({ detail }) => detail)
            .join('; '),
        );
      return db.prepare(sql);
    };
    const queries = payoutQueries(
      new Proxy(db, { get: (own, name) => (name === 'prepare' ? prepare : Reflect.get(own, name)) }),
      1,
      chunk === undefined ? undefined : [chunk],
    );
    queries.exposedTotals();
    queries.totals(['planned']);
    return plans;
  };
  const whole = /^SEARCH payouts USING COVERING INDEX payouts_to_add_up \(batch=\?[^;]*$/;
  const [states, waiting, sent, ofChunk] = plansOf(3);
  for (const plan of [states, waiting, sent]) expect(plan).toMatch(whole);
  expect(ofChunk).toContain('payouts_by_chunk (batch=? AND chunk=?');
});

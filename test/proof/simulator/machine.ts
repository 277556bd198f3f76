import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Clock } from '../../../src/clock.ts';
import { PayrunError } from '../../../src/errors.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { proofKey } from '../../../src/journal/look-up-proof.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { connectService, type Service } from '../../../src/service/client.ts';
import { type AccountName, begunElsewhere, environmentOf, place } from './accounts.ts';
import { createWire } from './wire.ts';
import type { World } from './world.ts';

/** One process of payrun, as the wire and the clock know it. */
export interface SimulatedProcess {
  readonly name: string;
  readonly bornMs: number;
  /** Whose keys it was started with. */
  readonly account: AccountName;
  /** Batches of its journal that were begun as another account. */
  readonly elsewhere: ReadonlySet<string>;
  alive(): boolean;
  /** A moment at which the machine may die. Whoever called looks at `alive` before going on. */
  moment(what: string): void;
  hasIntent(reference: string): boolean;
  /** Whether a look-up has ever shown its journal an accepted payout of this account. */
  hasProof(): boolean;
  /** Lands so long after the send ends, or after the process died if that comes first. */
  landAfterEnd(endsInMs: number, lateMs: number, land: () => void): void;
}

export interface ProcessParts {
  readonly db: JournalDatabase;
  readonly clock: Clock;
  readonly service: Service;
  readonly workspace: string;
  readonly configured: { readonly place: string; readonly publicKey: string };
  readonly elsewhere: ReadonlySet<string>;
}

export interface Wishes {
  /** A, unless somebody took the keys of the other account. */
  readonly account?: AccountName | undefined;
  /** Another folder than the machine's usual one. */
  readonly workspace?: string | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly ratePerSecond: number | undefined;
}

export type Ended<Value> =
  | { readonly kind: 'ended'; readonly value: Value }
  | { readonly kind: 'refused'; readonly error: PayrunError }
  | { readonly kind: 'died' };

type Files = ReadonlyMap<string, Buffer>;

/** A machine with one folder that survives its death; everything else of it does not. */
export function createMachine(world: World, folder: string) {
  const { time } = world;
  const usual = join(folder, 'workspace');
  const journal = join(usual, 'journal.db');
  let processes = 0;
  let momentsLeft = Number.POSITIVE_INFINITY;
  let generation = 0;
  let saved: Files | undefined;
  let sayDead: () => void = () => {};
  let death = new Promise<void>((resolve) => {
    sayDead = resolve;
  });
  const open = new Set<JournalDatabase>();
  const atDeath = new Set<() => void>();

  const die = (what: string) => {
    world.tell(undefined, `the machine dies: ${what}`);
    world.counts.crashes += 1;
    saved = readFolder(folder);
    generation += 1;
    momentsLeft = Number.POSITIVE_INFINITY;
    for (const happens of atDeath) happens();
    atDeath.clear();
    sayDead();
  };

  const begin = (name: string, account: AccountName): StartedProcess => {
    const born = generation;
    const alive = () => generation === born;
    processes += 1;
    return {
      name: `${name}${processes}`,
      bornMs: Math.floor(world.chance() * 1e9),
      account,
      elsewhere: new Set(),
      db: undefined,
      alive,
      moment(what) {
        if (!alive()) return;
        momentsLeft -= 1;
        if (momentsLeft < 0) die(`${name} ${what}`);
      },
      hasIntent(reference) {
        if (!this.db || this.db.inTransaction) return false;
        const intent = this.db.prepare<[string], number>(
          `SELECT count(*) FROM payouts JOIN sends ON sends.payout = payouts.id AND sends.reference = payouts.reference
           WHERE payouts.reference = ? AND state = 'submitting' AND sends.outcome = ''`,
        );
        return (intent.pluck().get(reference) ?? 0) > 0;
      },
      hasProof() {
        if (!this.db || this.db.inTransaction) return false;
        const key = proofKey(environmentOf(world.service.identityOf(account)));
        return this.db.prepare('SELECT 1 FROM facts WHERE key = ?').get(key) !== undefined;
      },
      landAfterEnd(endsInMs, lateMs, land) {
        const callOff = time.after(endsInMs + lateMs, () => {
          atDeath.delete(soon);
          land();
        });
        const soon = () => {
          callOff();
          time.after(lateMs, land);
        };
        atDeath.add(soon);
        time.after(endsInMs, () => atDeath.delete(soon));
      },
    };
  };

  const work = async <Value>(
    process: StartedProcess,
    { account = 'A', workspace = usual, ...wishes }: Wishes,
    task: (parts: ProcessParts) => Promise<Value>,
  ): Promise<Ended<Value>> => {
    const clock = time.clockOf(process);
    try {
      const db = openJournal(join(workspace, 'journal.db'));
      process.db = db;
      open.add(db);
      watchCommits(db, process);
      const { apiKey, publicKey } = world.service.keysOf(account);
      const elsewhere = begunElsewhere(db, world.service.identityOf(account));
      process.elsewhere = elsewhere;
      const configured = { place, publicKey };
      const service = connectService(
        {
          baseUrl: 'https://model.test',
          apiKey,
          publicKey,
          version: '0',
          clock,
          random: world.chance,
          ...wishes,
        },
        {
          transport: createWire(world, process, {
            connections: wishes.concurrency,
            timeoutMs: wishes.timeoutMs,
          }),
        },
      );
      try {
        return { kind: 'ended', value: await task({ db, clock, service, workspace, configured, elsewhere }) };
      } finally {
        await service.close();
        open.delete(db);
        db.close();
      }
    } catch (error) {
      if (!process.alive()) return { kind: 'died' };
      if (error instanceof PayrunError) return { kind: 'refused', error };
      throw error;
    }
  };

  return {
    folder,
    journal,

    /** The machine dies at the so-manieth moment from now. */
    dieAfter(moments: number): void {
      momentsLeft = moments;
    },

    /** Runs one process to its end, or to the machine's. Never rejects: a bug of payrun is a violation. */
    launch<Value>(
      name: string,
      wishes: Wishes,
      task: (parts: ProcessParts) => Promise<Value>,
    ): Promise<Ended<Value>> {
      const process = begin(name, wishes.account ?? 'A');
      const ended = work(process, wishes, task).catch((error: unknown): Ended<Value> => {
        if (process.alive()) world.violate('crash', `${process.name}: ${(error as Error).stack ?? error}`);
        return { kind: 'died' };
      });
      return Promise.race([ended, death.then((): Ended<Value> => ({ kind: 'died' }))]);
    },

    /** What is left of a dead machine's disk is there again, and nothing else. */
    async rise(): Promise<void> {
      if (!saved) return;
      await time.idle();
      for (const db of open) closeQuietly(db);
      open.clear();
      writeFolder(folder, saved);
      saved = undefined;
      death = new Promise<void>((resolve) => {
        sayDead = resolve;
      });
    },
    isDead: () => saved !== undefined,

    save: (): Files => readFolder(folder),
    restore: (files: Files): void => writeFolder(folder, files),
  };
}

export type Machine = ReturnType<typeof createMachine>;

type StartedProcess = SimulatedProcess & {
  db: JournalDatabase | undefined;
  elsewhere: ReadonlySet<string>;
};

/** Dies just before a commit, when nothing of it is on disk, or just after, before anybody is told. */
function watchCommits(db: JournalDatabase, process: SimulatedProcess): void {
  const prepare = db.prepare.bind(db) as (sql: string) => { run: (...values: unknown[]) => unknown };
  const kept = new Map<string, ReturnType<typeof prepare>>();
  const watched = (sql: string) => {
    const statement = kept.get(sql) ?? prepare(sql);
    // Asked at every turn of every wait: to prepare these anew took a quarter of the time of a seed.
    if (pagesOfPayouts.test(sql)) kept.set(sql, statement);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      process.moment('before a commit');
      if (!process.alive()) throw new Error('dead');
      const result = run(...values);
      process.moment('after a commit');
      if (!process.alive()) throw new Error('dead');
      return result;
    };
    return statement;
  };
  Object.assign(db, { prepare: watched });
}

const pagesOfPayouts = /@afterId|^SELECT count\(\*\) FROM payouts WHERE batch = \? AND state IN/;

/** Shared memory of SQLite is not on disk, and what held a lock is dead. */
function readFolder(folder: string): Files {
  const files = new Map<string, Buffer>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (name.endsWith('-shm') || name.includes('locks') || !statSync(path).isFile()) continue;
    files.set(relative(folder, path), readFileSync(path));
  }
  return files;
}

function writeFolder(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'workspace', 'locks'), { recursive: true, mode: 0o700 });
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
  }
}

function closeQuietly(db: JournalDatabase): void {
  try {
    db.close();
  } catch {
    return;
  }
}

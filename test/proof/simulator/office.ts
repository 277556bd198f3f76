import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AuditFindings } from '../../../src/domain/audit-findings.ts';
import { auditJournal } from '../../../src/journal/audit-journal.ts';
import { readBatch } from '../../../src/journal/batch-record.ts';
import { batchNames } from '../../../src/journal/status-questions.ts';
import type { RunSettings } from '../../../src/pipeline/run-context.ts';
import type { RunEvent } from '../../../src/pipeline/run-events.ts';
import type { MeantRow } from '../oracle.ts';
import { decide, resume, run, type Say } from './commands.ts';
import type { Ended, Machine, ProcessParts, Wishes } from './machine.ts';
import { keyOf, type Payroll } from './payroll.ts';
import { readResults } from './results.ts';
import { judgeBatch, judgeExit, judgeMoney } from './verdict.ts';
import type { World } from './world.ts';

/** What the people of one seed know of a batch. */
interface KnownBatch {
  readonly name: string;
  readonly payroll: Payroll;
  taken: Set<string>;
  outdated: Set<string>;
  forgotten: boolean;
}

export interface OfficeOptions {
  readonly world: World;
  readonly machine: Machine;
  readonly settings: RunSettings;
  readonly ratePerSecond: number | undefined;
}

interface RunOptions {
  readonly settings?: Partial<RunSettings>;
  readonly sameBatch?: boolean;
  readonly signal?: AbortSignal;
  /** Another file than the payroll's own: its results, say. */
  readonly file?: string;
}

const longestCommandMs = 12 * 3_600_000;

/** The people who use payrun: they start commands, and everything a command leaves behind is judged. */
export function openOffice({ world, machine, settings, ratePerSecond }: OfficeOptions) {
  const batches = new Map<string, KnownBatch>();
  const payrolls: Payroll[] = [];
  /** By path, the rows of the file as it is now: of commands begun together each reads what the last of them saved. */
  const standing = new Map<string, readonly string[]>();
  const files = join(machine.folder, 'files');
  const never = new AbortController().signal;

  const wishesOf = (chosen: RunSettings): Wishes => ({
    concurrency: chosen.concurrency,
    timeoutMs: chosen.timeoutMs,
    ratePerSecond,
  });
  const resultsPath = (batch: string) => join(files, `${batch}.results.csv`);
  const resultsOf = (batch: string) => readResults(resultsPath(batch));
  const allVersions = (): MeantRow[] => payrolls.flatMap(({ versions }) => [...versions]);

  const know = (payroll: Payroll, name: string): KnownBatch => {
    const known = batches.get(name) ?? {
      name,
      payroll,
      taken: new Set(),
      outdated: new Set(),
      forgotten: false,
    };
    batches.set(name, known);
    for (const { key } of payroll.versions) world.learn(name, payroll.keyKind, key);
    return known;
  };

  const listener = (name: string) => (event: RunEvent) => {
    if (event.kind === 'moved')
      world.tell(undefined, `  ${name}/${event.key}: ${event.from} ⇒ ${event.to} ${event.reason}`);
    else if (event.kind === 'waiting') return;
    else if (event.kind !== 'stage') world.tell(undefined, `  ${name}: ${event.message}`);
  };

  const launch = async <Value>(
    name: string,
    chosen: RunSettings,
    task: (parts: ProcessParts) => Promise<Value>,
  ): Promise<Ended<Value>> => {
    const ended = await machine.launch(name, wishesOf(chosen), task);
    if (ended.kind === 'refused')
      world.tell(
        undefined,
        `${name} stopped with ${ended.error.exit}: ${ended.error.message.split('\n')[0]}`,
      );
    return ended;
  };

  const judgeNow = (name: string, finished: boolean, returnsNoticed: boolean) => {
    const known = batches.get(name);
    if (!known) return;
    const { taken, outdated, forgotten, payroll } = known;
    const results = resultsOf(name);
    const { versions } = payroll;
    judgeBatch(world, {
      batch: name,
      versions,
      taken,
      outdated,
      forgotten,
      results,
      finished,
      returnsNoticed,
    });
  };

  return {
    batches,
    payrolls,
    resultsOf,
    resultsPath,

    add(payroll: Payroll): void {
      payrolls.push(payroll);
    },

    /** `payrun run FILE`. Gives whether the file was taken. */
    async run(payroll: Payroll, options: RunOptions = {}): Promise<boolean> {
      const chosen = { ...settings, ...options.settings };
      const name = nameNow(payroll, world.time.wallMs());
      const known = know(payroll, name);
      mkdirSync(files, { recursive: true });
      const own = join(files, payroll.fileName);
      writeFileSync(own, payroll.text());
      standing.set(
        own,
        payroll.rows.map((row) => keyOf(row, payroll.keyKind)),
      );
      const file = options.file ?? own;
      world.tell(
        undefined,
        `run ${file.slice(files.length + 1)} as ${name}, concurrency ${chosen.concurrency}`,
      );
      const ended = await launch(`run ${name} `, chosen, (parts) =>
        run(parts, file, {
          settings: chosen,
          batch: payroll.pattern,
          sameBatch: options.sameBatch ?? false,
          signal: options.signal ?? never,
          onEvent: listener(name),
        }),
      );
      if (ended.kind !== 'ended') return false;
      const { value } = ended;
      if (value.kind === 'refused') {
        const why = value.planned.plan.guards.map((guard) => guard.message.split('\n')[0]).join('; ');
        world.tell(undefined, `run ${name} refused with ${value.planned.exit}: ${why}`);
        return false;
      }
      const { summary } = value;
      world.tell(undefined, `run ${summary.batch} ended with ${summary.exit} ${statuses(summary.statuses)}`);
      const real = know(payroll, summary.batch);
      if (options.file === undefined) for (const key of standing.get(own) ?? []) real.taken.add(key);
      if (real !== known && known.taken.size === 0 && !existsSync(resultsPath(name))) batches.delete(name);
      judgeMoney(world, allVersions());
      judgeNow(summary.batch, false, false);
      judgeExit(world, summary.batch, summary.exit, resultsOf(summary.batch));
      return true;
    },

    /** `payrun resume [BATCH]`. */
    async resume(batch: string | undefined, options: RunOptions = {}): Promise<void> {
      const chosen = { ...settings, ...options.settings };
      world.tell(undefined, `resume ${batch ?? 'all'}`);
      const ended = await launch('resume ', chosen, (parts) =>
        resume(parts, batch, {
          settings: chosen,
          signal: options.signal ?? never,
          onEvent: listener(batch ?? 'resumed'),
        }),
      );
      if (ended.kind !== 'ended') return;
      judgeMoney(world, allVersions());
      for (const summary of ended.value) {
        world.tell(
          undefined,
          `resume ${summary.batch} ended with ${summary.exit} ${statuses(summary.statuses)}`,
        );
        judgeNow(summary.batch, false, false);
        judgeExit(world, summary.batch, summary.exit, resultsOf(summary.batch));
      }
    },

    async decide(batch: string, say: Say): Promise<void> {
      world.tell(undefined, `${say.verb} ${batch}/${say.key}`);
      const ended = await launch(`${say.verb} `, settings, (parts) => decide(parts, batch, say));
      if (ended.kind !== 'ended') return;
      world.tell(undefined, `${say.verb} ${batch}/${say.key}: ${ended.value} moved`);
      judgeNow(batch, false, false);
    },

    /** Waits for commands, and brings the machine back if it died. False: something did not come to an end. */
    async go(...commands: Promise<unknown>[]): Promise<boolean> {
      const ended = await world.time.until(Promise.all(commands), longestCommandMs);
      if (!ended) world.violate('stuck', 'a command did not end within half a day');
      if (machine.isDead()) await machine.rise();
      return ended;
    },

    /** An old copy of the journal took the place of the present one, or none did. */
    async forgot(): Promise<void> {
      const ended = machine.launch('look ', wishesOf(settings), async ({ db }) => {
        for (const known of batches.values()) {
          known.taken = new Set();
          known.outdated = new Set();
          known.forgotten = true;
          const batch = readBatch(db, known.name);
          if (!batch) continue;
          const settled = `SELECT key FROM payouts WHERE batch = ?
            AND state IN ('refused', 'failed', 'held', 'cancelled', 'returned')`;
          known.outdated = new Set(db.prepare<[number], string>(settled).pluck().all(batch.id));
        }
      });
      await this.go(ended);
    },

    /** After the last run: the whole of it, and the journal against itself. */
    async judgeAll(returnsNoticed: boolean): Promise<void> {
      judgeMoney(world, allVersions());
      for (const name of batches.keys()) {
        if (resultsOf(name) === undefined && batches.get(name)?.taken.size === 0) continue;
        judgeNow(name, true, returnsNoticed);
      }
      await this.go(
        machine.launch('audit ', wishesOf(settings), async ({ db }) => {
          const found = new AuditFindings();
          const records = batchNames(db).flatMap((name) => readBatch(db, name) ?? []);
          auditJournal(db, records, found);
          for (const { message } of found.worstFirst()) world.violate('chain', message);
        }),
      );
    },
  };
}

export type Office = ReturnType<typeof openOffice>;

/** The batch that the same command means today, where the people of payrun are. */
function nameNow({ batch, pattern }: Payroll, wallMs: number): string {
  if (pattern === undefined) return batch;
  const nairobi = new Date(wallMs + 3 * 3_600_000).toISOString();
  return pattern
    .replace('{yyyy}', nairobi.slice(0, 4))
    .replace('{MM}', nairobi.slice(5, 7))
    .replace('{dd}', nairobi.slice(8, 10));
}

function statuses(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');
}

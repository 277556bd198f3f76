import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AuditFindings } from '../../../src/domain/payout/audit-findings.ts';
import type { ExitCode } from '../../../src/errors.ts';
import { readBatch } from '../../../src/journal/batch-record.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { auditJournal } from '../../../src/journal/payouts/audit-journal.ts';
import { batchNames } from '../../../src/journal/payouts/status-queries.ts';
import type { RunSummary } from '../../../src/pipeline/finish-run.ts';
import type { RunSettings } from '../../../src/pipeline/run/run-context.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';
import type { MeantRow } from '../oracle.ts';
import type { AccountName } from './accounts.ts';
import { decide, rebind, resume, run, type Say } from './commands.ts';
import type { Ended, Machine, ProcessParts, Wishes } from './machine.ts';
import { keyOf, type Payroll, payeeOf } from './payroll.ts';
import { readResults } from './results.ts';
import { judgeBatch, judgeExit, judgeMoney, judgeSiblings } from './verdict.ts';
import type { World } from './world.ts';

/** What the people of one seed know of a batch. */
interface KnownBatch {
  readonly name: string;
  readonly payroll: Payroll;
  taken: Set<string>;
  outdated: Set<string>;
  forgotten: boolean;
  lastExit: ExitCode | undefined;
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
  /** Whose keys are taken: those of the other account only where the journal knows the batch. */
  readonly account?: AccountName;
  /** Where the journal knows nothing of the batch: what stands in the file instead. */
  readonly forged?: string;
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
  /** How many commands were started, and how many of them are at work. */
  const begun = { all: 0, atWork: 0 };

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
      lastExit: undefined,
    };
    batches.set(name, known);
    for (const { key } of payroll.versions) world.learn(name, payroll.keyKind, key);
    return known;
  };

  const listener = (name: string) => (event: RunEvent) => {
    if (event.kind === 'moved')
      world.tell(undefined, `  ${name}/${event.key}: ${event.from} ⇒ ${event.to} ${event.reason}`);
    else if (event.kind === 'waiting') return;
    else if (event.kind === 'notice' || event.kind === 'alarm')
      world.tell(undefined, `  ${name}: ${event.message}`);
  };

  const launch = async <Value>(
    name: string,
    chosen: RunSettings,
    task: (parts: ProcessParts) => Promise<Value>,
    more: Partial<Wishes> = {},
  ): Promise<Ended<Value>> => {
    begun.all += 1;
    begun.atWork += 1;
    const ended = await machine.launch(name, { ...wishesOf(chosen), ...more }, task);
    begun.atWork -= 1;
    if (!world.service.isUntouched('B'))
      world.violate('blind', `${name}has left something in the other account`);
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

  /** Whether nothing else was at work since; asked before and after. */
  const beAlone = () => {
    const before = { ...begun };
    return () => before.atWork === 0 && begun.all === before.all + 1;
  };

  /** Rows of which nothing is under way: as a run takes them, so they count. */
  const freeRows = (payroll: Payroll, batch: string): ReadonlySet<string> => {
    // Where rows name nothing but a number, there is nothing to correct under the same key.
    if (!payroll.rows.some(({ operator, branchCode }) => operator !== '' || branchCode !== ''))
      return new Set();
    const results = resultsOf(batch);
    const isFree = (key: string) => {
      const row = results?.find((each) => each['payrun_key'] === key);
      const status = row?.['payrun_status'] ?? '';
      const lastSent = world.lastSent(batch, key);
      if (lastSent === undefined) return status !== 'cancelled';
      return lastSent === row?.['payrun_reference'] && (status === 'failed' || status === 'returned');
    };
    return new Set(payroll.rows.map((row) => keyOf(row, payroll.keyKind)).filter(isFree));
  };

  const worked = (summary: RunSummary, elsewhere: ReadonlySet<string>, begunMs: number, alone: boolean) => {
    const { batch, exit, totals } = summary;
    if (elsewhere.has(batch))
      world.violate('blind', `${batch} was worked on as another account than it was begun with`);
    const known = batches.get(batch);
    if (known) known.lastExit = exit;
    judgeMoney(world, allVersions());
    judgeNow(batch, false, false);
    const { paidNowMinor = 0n, paidBeforeMinor = 0n } = totals['KES'] ?? {};
    const paidMinor = alone ? paidNowMinor + paidBeforeMinor : undefined;
    judgeExit(world, { batch, exit, begunMs, paidMinor, results: resultsOf(batch) });
  };

  return {
    batches,
    payrolls,
    resultsOf,

    /** Whether the machine died before the last send under a reference was known to have ended: nobody can tell whether it left. */
    wasCutOff(reference: string): boolean {
      if (!existsSync(machine.journal)) return false;
      const db = new Database(machine.journal);
      try {
        const last = db.prepare<[string], string>(
          'SELECT code FROM sends WHERE reference = ? ORDER BY id DESC LIMIT 1',
        );
        return last.pluck().get(reference) === 'cut-off';
      } finally {
        db.close();
      }
    },
    resultsPath,

    add(payroll: Payroll): void {
      payrolls.push(payroll);
    },

    /** `payrun run FILE`. Gives whether the file was taken. */
    async run(payroll: Payroll, options: RunOptions = {}): Promise<boolean> {
      const chosen = { ...settings, ...options.settings };
      const name = nameNow(payroll, world.time.wallMs());
      const known = know(payroll, name);
      const { account = 'A', forged } = options;
      const alone = beAlone();
      const begunMs = world.time.worldMs();
      mkdirSync(files, { recursive: true });
      const own = join(files, payroll.fileName);
      writeFileSync(own, payroll.text());
      standing.set(
        own,
        payroll.rows.map((row) => keyOf(row, payroll.keyKind)),
      );
      for (const row of payroll.rows) world.payees.mayTake(name, payeeOf(row, payroll.keyKind));
      const free = freeRows(payroll, name);
      const file = options.file ?? (forged === undefined ? own : own.replace('.csv', '-forged.csv'));
      if (forged !== undefined) writeFileSync(file, forged);
      if (file !== own) world.payees.forget();
      world.tell(
        undefined,
        `run ${file.slice(files.length + 1)} as ${name}, concurrency ${chosen.concurrency}${account === 'A' ? '' : ', with the keys of B'}`,
      );
      const ended = await launch(
        `run ${name} `,
        chosen,
        async (parts) => {
          const isKnown = readBatch(parts.db, name) !== undefined;
          if (isKnown ? forged !== undefined : account !== 'A') return undefined;
          const result = await run(parts, file, {
            settings: chosen,
            batch: payroll.pattern,
            sameBatch: options.sameBatch ?? false,
            signal: options.signal ?? never,
            onEvent: listener(name),
          });
          return { result, elsewhere: parts.elsewhere };
        },
        { account },
      );
      if (ended.kind !== 'ended' || !ended.value) return false;
      const { result: value, elsewhere } = ended.value;
      if (value.kind === 'refused') {
        const why = value.planned.plan.guards.map((guard) => guard.message.split('\n')[0]).join('; ');
        world.tell(undefined, `run ${name} refused with ${value.planned.exit}: ${why}`);
        const { guards } = value.planned.plan;
        if (value.planned.exit === 6 && elsewhere.has(name) && !guards.some(isAboutAccount))
          world.violate('lie', `${name}: refused without a word about the account`);
        return false;
      }
      const { summary } = value;
      world.tell(undefined, `run ${summary.batch} ended with ${summary.exit} ${statuses(summary.statuses)}`);
      const real = know(payroll, summary.batch);
      if (file === own) for (const key of standing.get(own) ?? []) real.taken.add(key);
      if (file === own && alone() && !chosen.policy.skipInvalid && real === known)
        for (const row of payroll.rows) {
          const payee = payeeOf(row, payroll.keyKind);
          if (free.has(payee.key)) world.payees.taken(name, payee);
        }
      if (real !== known && known.taken.size === 0 && !existsSync(resultsPath(name))) batches.delete(name);
      worked(summary, elsewhere, begunMs, alone());
      return true;
    },

    /** The same file on a machine that shares nothing with this one but the service. */
    async runElsewhere(payroll: Payroll, text: string): Promise<void> {
      const workspace = join(machine.folder, 'elsewhere');
      mkdirSync(join(workspace, 'locks'), { recursive: true, mode: 0o700 });
      const file = join(workspace, payroll.fileName);
      writeFileSync(file, text);
      world.tell(undefined, `run ${payroll.fileName} in an empty workspace`);
      const wishes = {
        settings,
        batch: undefined,
        sameBatch: false,
        signal: never,
        onEvent: listener('there'),
      };
      const ended = await launch('run elsewhere ', settings, (parts) => run(parts, file, wishes), {
        workspace,
      });
      if (ended.kind === 'ended' && ended.value.kind === 'ran')
        world.tell(undefined, `it ended with ${statuses(ended.value.summary.statuses)}`);
      judgeMoney(world, allVersions());
    },

    /** `payrun resume [BATCH]`. */
    async resume(batch: string | undefined, options: RunOptions = {}): Promise<void> {
      const chosen = { ...settings, ...options.settings };
      const { account = 'A' } = options;
      const alone = beAlone();
      const begunMs = world.time.worldMs();
      world.tell(undefined, `resume ${batch ?? 'all'}${account === 'A' ? '' : ' with the keys of B'}`);
      const ended = await launch(
        'resume ',
        chosen,
        async (parts) => {
          const wishes = {
            settings: chosen,
            signal: options.signal ?? never,
            onEvent: listener(batch ?? 'resumed'),
          };
          return { summaries: await resume(parts, batch, wishes), elsewhere: parts.elsewhere };
        },
        { account },
      );
      if (ended.kind !== 'ended') return;
      judgeMoney(world, allVersions());
      for (const summary of ended.value.summaries) {
        world.tell(
          undefined,
          `resume ${summary.batch} ended with ${summary.exit} ${statuses(summary.statuses)}`,
        );
        worked(summary, ended.value.elsewhere, begunMs, alone());
      }
    },

    /**
     * `payrun rebind BATCH`: the people say that it is the same account, and payrun must find that out. Gives the payments
     * that stand in the way: begun, and not at the service. Undefined where nothing does.
     */
    async rebind(batch: string, account: AccountName = 'A'): Promise<readonly string[] | undefined> {
      const begunMs = world.time.worldMs();
      world.tell(undefined, `rebind ${batch}${account === 'A' ? '' : ' with the keys of B'}`);
      const ended = await launch(
        'rebind ',
        settings,
        async (parts) => {
          const sent = sentReferences(parts.db, batch);
          // Where nothing was sent, another account is as good as the first.
          if (account !== 'A' && sent.length === 0) return undefined;
          return { kind: await rebind(parts, batch), sent };
        },
        { account },
      );
      if (ended.kind !== 'ended' || !ended.value) return undefined;
      const { kind, sent } = ended.value;
      world.tell(undefined, `rebind ${batch}: ${kind}, ${sent.length} were sent`);
      if (kind === 'rebound') world.counts.rebinds += 1;
      if (kind === 'rebound' && account !== 'A')
        world.violate('blind', `${batch} was rebound to an account that has nothing of it`);
      if (kind !== 'unproven') return undefined;
      // Of earlier attempts, too: what failed under them must be shown.
      const entries = world.service
        .ledger()
        .filter(({ reference }) => world.meaningOf(reference)?.batch === batch);
      const there = new Set(entries.map(({ reference }) => reference));
      const missing = sent.filter((reference) => !there.has(reference));
      const isShown = missing.length === 0 && entries.every(({ visibleMs }) => visibleMs < begunMs);
      if (world.weather.isClear() && isShown)
        world.violate('stuck', `${batch} was not rebound, though all that was sent of it is there`);
      return missing.flatMap((reference) => world.meaningOf(reference)?.key ?? []);
    },

    async decide(batch: string, say: Say): Promise<void> {
      world.tell(undefined, `${say.verb} ${batch}/${say.key}`);
      let hold: string | undefined;
      const ended = await launch(`${say.verb} `, settings, (parts) => {
        hold = holdOf(parts.db, batch, say.key);
        return decide(parts, batch, say);
      });
      // It may have been written down just before the machine died.
      const isSaid = ended.kind === 'died' || (ended.kind === 'ended' && ended.value > 0);
      if (say.verb === 'release' && isSaid && hold === 'name') world.payees.release(batch, say.key);
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
      world.payees.forget();
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
        judgeSiblings(world, { batch: name, results: resultsOf(name) }, batches.get(name)?.lastExit);
      }
      await this.go(
        machine.launch('audit ', wishesOf(settings), async ({ db }) => {
          const found = new AuditFindings();
          const records = batchNames(db).flatMap((name) => readBatch(db, name) ?? []);
          auditJournal(db, records, found);
          // What the service paid twice on its own was judged above; that the journal says so is right.
          for (const { kind, message } of found.worstFirst())
            if (kind !== 'paid-twice') world.violate('chain', message);
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

function isAboutAccount({ code }: { readonly code: string }): boolean {
  return code === 'environment';
}

/** By the journal's own account, what was sent of a batch and not said to be without effect. */
function sentReferences(db: JournalDatabase, batch: string): string[] {
  const sent = `SELECT payouts.reference FROM payouts JOIN batches ON batches.id = payouts.batch
    WHERE batches.name = ? AND CASE
      WHEN state IN ('submitting', 'submitted', 'unclear', 'paid', 'failed', 'returned')
        THEN ever_sent = 1 OR transaction_id <> ''
      ELSE payouts.code <> 'decided-not-paid' AND EXISTS (SELECT 1 FROM sends
        WHERE sends.payout = payouts.id AND sends.reference = payouts.reference AND outcome <> 'not-sent') END`;
  return db.prepare<[string], string>(sent).pluck().all(batch);
}

function holdOf(db: JournalDatabase, batch: string, key: string): string | undefined {
  const hold = `SELECT hold FROM payouts JOIN batches ON batches.id = payouts.batch
    WHERE batches.name = ? AND key = ?`;
  return db.prepare<[string, string], string>(hold).pluck().get(batch, key);
}

function statuses(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${status} ${count}`)
    .join(', ');
}

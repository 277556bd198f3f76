import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { carryOut, type Decision } from '../../src/decisions/carry-out.ts';
import type { Minor } from '../../src/domain/money/money.ts';
import type { Policy, Tightening } from '../../src/domain/policy.ts';
import type { Problem, Repair } from '../../src/domain/problems/problem.ts';
import { exitCode, PayrunError } from '../../src/errors.ts';
import { readBatch } from '../../src/journal/batch-record.ts';
import type { DraftPayees } from '../../src/journal/draft/draft-payees.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { closeJournal } from '../../src/journal/shared/shared-of.ts';
import { enrolPeople } from '../../src/library/enrol-people.ts';
import type { RunSummary } from '../../src/pipeline/finish-run.ts';
import { readProfile } from '../../src/pipeline/plan/inspect-service.ts';
import type { PlannedFile } from '../../src/pipeline/plan/planned-file.ts';
import { resumeBatch } from '../../src/pipeline/resume-batch.ts';
import type { RunSettings } from '../../src/pipeline/run/run-context.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import type { RunBatchOptions } from '../../src/pipeline/run/run-options.ts';
import { runBatch } from '../../src/pipeline/run-batch.ts';
import { connectService } from '../../src/service/client.ts';
import { journalPath, makeWorkspace } from '../../src/workspace.ts';
import { type JournalStore, journalStore } from './journal-store.ts';
import type { PayrollService } from './payroll-service.ts';
import { holdingPolicy, plainRun } from './plain-run.ts';
import { runHere } from './run-here.ts';
import { type Finished, runPayrun } from './run-payrun.ts';
import { drawnTransport } from './thread-transport.ts';

export type Cells = Readonly<Record<string, string>>;

/** What a run in this process may be told besides its file. */
export interface RunWishes extends Partial<Omit<RunBatchOptions, 'settings' | 'policy'>> {
  readonly settings?: Partial<RunSettings>;
  readonly policy?: Partial<Policy>;
  readonly clock?: Clock;
  /** What a resume is given to be stricter than the batch. */
  readonly maxTotal?: ReadonlyMap<string, Minor>;
  readonly tighten?: Tightening;
  /** As the embedded service does it: the people of the file are the people of the directory. */
  readonly enrolsFile?: boolean;
  /** How patiently reads are asked again. */
  readonly readRetry?: { readonly attempts: number; readonly totalMs: number };
}

/** How a run ended, whichever way it did. */
export interface Ran {
  readonly exit: number;
  /** Of the error or the guard that ended it; empty for a run that worked. */
  readonly code: string;
  /** Everything that was refused, in words. */
  readonly message: string;
  readonly summary: RunSummary | undefined;
  readonly planned: PlannedFile | undefined;
  readonly problems: readonly Problem[];
  readonly repairs: readonly Repair[];
  readonly events: readonly RunEvent[];
}

/** A folder with payroll files and a workspace, and the ways to have them paid. */
export interface Payroll {
  readonly folder: string;
  readonly workspace: string;
  readonly journalFile: string;
  /** Writes a CSV of rows, or any text, and gives its path. */
  write(name: string, content: readonly Cells[] | string): string;
  /** Through the library, in this process. */
  run(source: string | Readable, wishes?: RunWishes): Promise<Ran>;
  resume(batch: string, wishes?: RunWishes): Promise<Ran>;
  /** A person's decision, made through the journal as the commands make it. */
  decide(batch: string, decide: (run: string) => Decision): Promise<{ moved: number; left: number }>;
  /** The results file of a batch beside its first file, row by row. */
  results(batch: string): Record<string, string>[];
  /** Any CSV file, row by row. */
  read(path: string): Record<string, string>[];
  /** Every row's `paymentId status`, in the order of the results. */
  statuses(batch: string): string[];
  /** Where its journal stands. */
  readonly store: JournalStore;
  /** The journal, opened for a question. */
  readonly ask: JournalStore['ask'];
  /** The real command line against the service as a live one, in the folder and with the workspace. */
  payrun(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** The same in this process, which takes a tenth of the time; not where others run at once. */
  command: Payroll['payrun'];
  /** What the command line needs to know of the service. */
  readonly env: Readonly<Record<string, string>>;
}

export const fastSettings: RunSettings = {
  concurrency: 8,
  timeoutMs: 500,
  quietPeriodMs: 1_000,
  resends: 1,
  settleForMs: 5_000,
  lookup: 'auto',
  phonePlus: true,
  namesMaxAgeMs: 24 * 60 * 60 * 1000,
  policy: holdingPolicy,
};

/** For runs in which nothing is late on purpose: what a busy machine takes over it is nothing to them. */
export const patientFlags = ['--timeout', '30s', '--settle-for', '60s'] as const;

/** Flags that make the command line as quick. */
export const fastFlags = ['--timeout', '500ms', '--quiet-period', '1s', '--settle-for', '5s'] as const;

/** Time as it is, or some days on, in which every pause is cut short: more is asked, nothing is waited for. */
export function hastyClock({ shiftMs = 0, longestPauseMs = 40 } = {}): Clock {
  return {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + shiftMs,
    sleep: (durationMs, signal) => systemClock.sleep(Math.min(durationMs, longestPauseMs), signal),
  };
}

/** An interrupt as soon as so many payouts were accepted by the service; none: before anything is sent. */
export function interruptedAfter(sends: number): RunWishes {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    settings: { concurrency: 1 },
    confirm: async () => {
      if (sends === 0) controller.abort();
      return true;
    },
    onEvent: (event) => {
      if (event.kind === 'stage' && event.stage === 'submit' && event.done === sends) controller.abort();
    },
  };
}

/** In a folder of its own, or in that of another payroll: the same files and the same journal with other credentials. */
export function openPayroll(service: PayrollService, folder = newFolder()): Payroll {
  const workspace = join(folder, 'workspace');
  makeWorkspace(workspace);
  const journalFile = journalPath(workspace, 'live');
  const store = journalStore(workspace);
  const env = {
    ...store.env,
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: service.apiKey,
    PAYRUN_PUBLIC_KEY: service.publicKey,
    PAYRUN_WORKSPACE: workspace,
    TZ: 'UTC',
  };
  const configured = { place: `${service.url}/api/b2b`, publicKey: service.publicKey };

  async function withService<Value>(
    { settings, clock = hastyClock(), readRetry = { attempts: 3, totalMs: 3_000 } }: RunWishes,
    work: (parts: Work) => Promise<Value>,
  ): Promise<Value> {
    const db = await store.open();
    const whole = { ...fastSettings, ...settings };
    const events: RunEvent[] = [];
    const { timeoutMs, concurrency } = whole;
    const connection = connectService(
      {
        baseUrl: service.url,
        apiKey: service.apiKey,
        publicKey: service.publicKey,
        version: 'test',
        timeoutMs,
        concurrency,
        readRetry,
      },
      { transport: drawnTransport({ origin: service.url, connections: concurrency, timeoutMs }) },
    );
    try {
      const parts = { db, workspace, clock, service: connection, ...configured };
      return await work({ parts, settings: whole, events });
    } finally {
      await connection.close();
      await closeJournal(db);
    }
  }

  return {
    folder,
    workspace,
    journalFile,
    env,
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' ? content : csvOf(content));
      return path;
    },
    run: (source, wishes = {}) =>
      withService(wishes, async ({ parts, settings, events }) => {
        const policy = { ...fastSettings.policy, ...wishes.policy };
        const { clock: _, maxTotal: _most, tighten: _tighten, enrolsFile = false, ...given } = wishes;
        const prepare = enrolsFile ? (payees: DraftPayees) => enrolPeople(service, payees) : undefined;
        let planned: PlannedFile | undefined;
        const options: RunBatchOptions = {
          ...plainRun,
          nowMs: parts.clock.nowMs(),
          concurrency: settings.concurrency,
          operator: 'tester',
          signal: new AbortController().signal,
          ...given,
          confirm: async (seen) => {
            planned = seen;
            return (await wishes.confirm?.(seen)) ?? true;
          },
          onEvent: (event) => {
            events.push(event);
            wishes.onEvent?.(event);
          },
          policy,
          settings: { ...settings, policy },
        };
        try {
          const result = await runBatch({ ...parts, ...(prepare ? { prepare } : {}) }, source, options);
          return ranOf(result.planned, result.kind === 'ran' ? result.summary : undefined, undefined, events);
        } catch (error) {
          return ranOf(planned, undefined, error, events);
        }
      }),
    resume: (batch, wishes = {}) =>
      withService(wishes, async ({ parts, settings, events }) => {
        const { tighten, maxTotal, resultsPath } = wishes;
        const record = readBatch(parts.db, batch);
        if (!record) throw new Error(`there is no batch ${batch}`);
        try {
          const { environment } = await readProfile(parts.service, configured);
          const onEvent = (event: RunEvent) => void events.push(event);
          const signal = wishes.signal ?? new AbortController().signal;
          const rest = { environment, operator: 'tester', timeZone: 'UTC', onEvent, signal };
          const stricter = { tighten, maxTotal, resultsPath };
          const summary = await resumeBatch({ ...parts, ...rest, ...stricter, settings }, record);
          return ranOf(undefined, summary, undefined, events);
        } catch (error) {
          return ranOf(undefined, undefined, error, events);
        }
      }),
    async decide(batch, decide) {
      const db = await store.open();
      try {
        const record = readBatch(db, batch);
        if (!record) throw new Error(`there is no batch ${batch}`);
        const run = `decision ${randomUUID()}`;
        const journal = createJournal(db, systemClock, { run, operator: 'tester' });
        const { moved, left } = await carryOut(db, journal, record, decide(run));
        return { moved, left: left.length };
      } finally {
        await closeJournal(db);
      }
    },
    results: (batch) => readResults(join(folder, `${batch}.results.csv`)),
    read: readResults,
    statuses: (batch) =>
      readResults(join(folder, `${batch}.results.csv`)).map(
        (row) => `${row['paymentId'] ?? row['payrun_key']} ${row['payrun_status']}`,
      ),
    store,
    ask: store.ask,
    async payrun(args, more = {}) {
      await store.make();
      return runPayrun(args, { cwd: folder, env: { ...env, ...more } });
    },
    async command(args, more = {}) {
      await store.make();
      return runHere(args, { cwd: folder, env: { HOME: folder, ...env, ...more } });
    },
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(fastFolder(), 'payrun-scenario-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** In memory where the system has such a place: a test waits for no disk, and kill -9 cannot tell the difference. */
function fastFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

interface Work {
  readonly parts: {
    readonly db: JournalDatabase;
    readonly workspace: string;
    readonly clock: Clock;
    readonly service: ReturnType<typeof connectService>;
    readonly place: string;
    readonly publicKey: string;
  };
  readonly settings: RunSettings;
  readonly events: RunEvent[];
}

function ranOf(
  planned: PlannedFile | undefined,
  summary: RunSummary | undefined,
  error: unknown,
  events: readonly RunEvent[],
): Ran {
  if (error !== undefined && !(error instanceof PayrunError)) throw error;
  const guards = summary ? [] : (planned?.plan.guards ?? []);
  const invalid = planned?.exit === exitCode.fileInvalid;
  return {
    exit: error?.exit ?? summary?.exit ?? planned?.exit ?? exitCode.unexpected,
    code: error?.code ?? guards[0]?.code ?? (invalid ? 'file-invalid' : ''),
    message: [error?.message, ...guards.map((guard) => guard.message)].filter(Boolean).join('\n'),
    summary,
    planned,
    problems: planned ? [...planned.drafted.questions.problems()] : [],
    repairs: planned ? [...planned.drafted.questions.repairs()] : [],
    events,
  };
}

/** Rows as a CSV file; the columns are those of the first row that has them. */
export function csvOf(rows: readonly Cells[], delimiter = ','): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? '')),
    { header: true, columns, delimiter },
  );
}

export function readResults(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true, relax_column_count: true });
}

const firstNames = [
  'Amina',
  'Brian',
  'Cynthia',
  'Daudi',
  'Esther',
  'Faith',
  'George',
  'Halima',
  'Isaac',
  'Joyce',
];
const lastNames = [
  'Otieno',
  'Wanjiku',
  'Mwangi',
  'Chebet',
  'Kamau',
  'Njeri',
  'Barasa',
  'Mutua',
  'Kiplagat',
  'Odhiambo',
];

/** So many people of a payroll in Kenya: P001 gets 1001.00 at +254712000101, P002 gets 1002.00, and so on. */
export function staff(count: number): Cells[] {
  return Array.from({ length: count }, (_, index) => employee(index + 1));
}

export function employee(number: number, changes: Cells = {}): Cells {
  return {
    paymentId: `P${String(number).padStart(3, '0')}`,
    accountName: `${firstNames[number % 10]} ${lastNames[Math.floor(number / 10) % 10]} ${lastNames[(number + 3) % 10]}`,
    country: 'KE',
    currency: 'KES',
    amount: `${1000 + number}.00`,
    phoneNumber: phoneOf(number),
    ...changes,
  };
}

/** With one of the sandbox's magic endings where one is named, such as 99001. */
export function phoneOf(number: number, ending?: string): string {
  return ending === undefined
    ? `+2547120${String(100 + number).padStart(5, '0')}`
    : `+25471${String(10 + number).slice(-2)}${ending}`;
}

/**
 * Makes the people of some rows known to the service, so that their names match. As registers do, it knows a name more
 * than the file has: a service that said nothing but the names that are stored with accounts would not be believed.
 */
export async function enrolStaff(service: PayrollService, rows: readonly Cells[]): Promise<void> {
  await service.enrol(
    rows.map((row) => {
      const number = row['phoneNumber'] || row['accountNumber'] || '';
      return {
        number,
        name: asRegistered(row['accountName'] ?? '', number),
        ...(row['bankCode'] ? { bankCode: row['bankCode'] } : {}),
      };
    }),
  );
}

/** Names that nobody in the files has. */
const furtherNames = ['Wairimu', 'Auma', 'Jepkosgei', 'Nekesa', 'Muthoni', 'Adhiambo', 'Kwamboka'];

/** Last name first, and with one more, always the same for a number. */
function asRegistered(name: string, number: string): string {
  const words = name.split(' ');
  const further = furtherNames[Number(number.replace(/\D/g, '').slice(-4)) % furtherNames.length] ?? '';
  return [...words.slice(-1), ...words.slice(0, -1), further].join(' ');
}

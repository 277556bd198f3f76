import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { journalPath, makeWorkspace } from '../../../src/workspace.ts';
import { type ClaimedRow, claimsOf, type MeantRow } from '../oracle.ts';
import type { ServicesUnderProof, ServiceUnderProof, ServiceWishes } from '../service-under-proof.ts';
import { type EndedRun, type RunWishes, runUnderShim, type ShimOrder } from './run-under-shim.ts';

/** A disk with one payroll and its workspace, a service of its own, and the one command that pays it. */
export interface Site {
  readonly folder: string;
  /** All that payrun writes is below this. */
  readonly disk: string;
  readonly rows: readonly MeantRow[];
  /** Of whatever speaks to the same service and journal. */
  readonly env: Readonly<Record<string, string>>;
  readonly service: ServiceUnderProof;
  readonly journalFile: string;
  /** Where the shim says whether it struck, while the run is still there. */
  readonly report: string;
  /** The same command every time. */
  run(order?: ShimOrder, started?: RunWishes['started']): Promise<EndedRun>;
  /** What the results file says; undefined where there is none. */
  claims(): ClaimedRow[] | undefined;
  /** The reference of every send whose intent the journal has: a plain question to the database. */
  intents(): Promise<string[]>;
  openJournal(): Promise<JournalDatabase>;
  /** The service's end, and the disk's. */
  close(): Promise<void>;
}

/** Where the journal stands, if not in the workspace. */
export interface SiteJournal {
  readonly env: Readonly<Record<string, string>>;
  readonly open: () => Promise<JournalDatabase>;
  readonly intents: () => Promise<string[]>;
}

export interface SiteWishes extends ServiceWishes {
  /** Where its folder is made. */
  readonly parent: string;
  readonly name: string;
  readonly services: ServicesUnderProof;
  readonly shim: string;
  readonly rows: number;
  readonly concurrency: number;
  readonly flags?: readonly string[];
  readonly program?: string | undefined;
  readonly longestMs?: number;
  readonly journal?: SiteJournal | undefined;
}

/** Short enough not to be waited for; the quiet period is the least that payrun allows for the time-out. */
const hastyFlags = ['--timeout', '1s', '--quiet-period', '2s', '--resends', '10', '--settle-for', '10s'];

export async function openSite(wishes: SiteWishes): Promise<Site> {
  const {
    parent,
    name,
    services,
    shim,
    concurrency,
    flags = hastyFlags,
    program,
    longestMs,
    journal,
  } = wishes;
  const service = await services.open(wishes);
  const folder = join(parent, name);
  const disk = join(folder, 'disk');
  const workspace = join(disk, 'workspace');
  mkdirSync(disk, { recursive: true });
  makeWorkspace(workspace);
  const people = payroll(wishes.rows);
  writeFileSync(join(disk, 'november.csv'), csvOf(people));
  await service.enrol(people.map(({ number, name }) => ({ number, name })));
  const env = { ...service.env, PAYRUN_WORKSPACE: workspace, PAYRUN_OPERATOR: 'amina', ...journal?.env };
  const journalFile = journalPath(workspace, 'live');
  const report = join(folder, 'report');
  const limit = ['--yes', '--max-total', 'KES=900000000'];
  const command = ['run', 'november.csv', ...limit, ...flags, '--concurrency', String(concurrency)];
  return {
    folder,
    disk,
    rows: people,
    env,
    service,
    journalFile,
    report,
    run: (order, started) =>
      runUnderShim(command, {
        cwd: disk,
        env,
        program,
        longestMs,
        under: order && { shim, disk, report, order },
        ...(started ? { started } : {}),
      }),
    claims() {
      const path = join(disk, 'november.results.csv');
      return existsSync(path) ? claimsOf(parse(readFileSync(path), { columns: true, bom: true })) : undefined;
    },
    intents: journal?.intents ?? (async () => intentsOf(journalFile, join(folder, 'asked'))),
    openJournal: journal?.open ?? (async () => openJournal(journalFile)),
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Asked of a copy: whoever opens a journal mends it, and that is left to payrun. */
function intentsOf(journalFile: string, asked: string): string[] {
  if (!existsSync(journalFile)) return [];
  mkdirSync(asked);
  const copy = join(asked, 'journal.db');
  // A journal that was being made has an undo log in the place of its WAL.
  for (const ending of ['', '-wal', '-journal']) {
    if (existsSync(`${journalFile}${ending}`)) copyFileSync(`${journalFile}${ending}`, `${copy}${ending}`);
  }
  const db = new Database(copy);
  try {
    const isMade = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sends'`).get() !== undefined;
    return isMade ? db.prepare<[], string>('SELECT reference FROM sends').pluck().all() : [];
  } finally {
    db.close();
    rmSync(asked, { recursive: true });
  }
}

type Person = MeantRow & { readonly name: string };

const given =
  'Amina Brian Cynthia Daudi Esther Faith George Halima Isaac Joyce Kevin Lilian Moses Naomi Oscar Purity Rehema Samuel Teresia Victor Winnie Yusuf Zainab Agnes Boniface Caroline Dennis Eunice';
const middle =
  'Achieng Barasa Chebet Dida Ekiru Gathoni Hassan Imali Jeptoo Kamau Lagat Makena Nafula Odhiambo Pkemoi Ruto Simiyu Toroitich Undisa Vaati Wanjiku Yego Abdi Bett Cherono Duba Elima Faraja';
const family =
  'Auma Bosire Chirchir Diriye Edapal Gitonga Hirsi Isoe Jefwa Kiplagat Lokwang Mutua Njeri Otieno Pere Rotich Shikuku Tanui Uledi Vundi Wekesa Yator Adhiambo Biwott Cheruiyot Dullo Etyang Fundi';

/** No two share a name, a number or an amount, as far as the lists of names go. */
function payroll(count: number): Person[] {
  const word = (list: string, index: number) => list.split(' ')[index % 28] ?? '';
  return Array.from({ length: count }, (_, index) => ({
    key: `P${String(index + 1).padStart(5, '0')}`,
    name: `${word(given, index)} ${word(middle, Math.floor(index / 28))} ${word(family, Math.floor(index / 784))}`,
    number: `+2547120${String(index + 101).padStart(5, '0')}`,
    currency: 'KES',
    amount: ((10_001 + index) / 100).toFixed(2),
  }));
}

function csvOf(people: readonly Person[]): string {
  const lines = people.map(({ key, name, number, currency, amount }) =>
    [key, name, 'KE', currency, amount, number].join(','),
  );
  return `${['paymentId,accountName,country,currency,amount,phoneNumber', ...lines].join('\n')}\n`;
}

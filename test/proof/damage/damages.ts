import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** The files of a journal as they were at some time. */
export type JournalCopy = ReadonlyMap<string, Buffer>;

const endings = ['', '-wal'];

export function copyJournal(journalFile: string): JournalCopy {
  const copy = new Map<string, Buffer>();
  for (const ending of endings) {
    const path = `${journalFile}${ending}`;
    if (existsSync(path)) copy.set(ending, readFileSync(path));
  }
  return copy;
}

/** What some work leaves of a journal if it is killed at its end: the write-ahead log full, the database behind. */
export async function leaveLog(journalFile: string, work: () => Promise<unknown>): Promise<void> {
  const holder = new Database(journalFile);
  holder.prepare('SELECT count(*) FROM sqlite_schema').get();
  await work();
  // Whoever closes the journal last empties its log: this copy is from before.
  const copy = copyJournal(journalFile);
  holder.close();
  restoreJournal(journalFile, copy);
}

export function restoreJournal(journalFile: string, copy: JournalCopy): void {
  for (const ending of [...endings, '-shm']) rmSync(`${journalFile}${ending}`, { force: true });
  for (const [ending, bytes] of copy) writeFileSync(`${journalFile}${ending}`, bytes, { mode: 0o600 });
}

export interface DamageParts {
  readonly journalFile: string;
  /** Of this very journal, from before the last run. */
  readonly older: JournalCopy;
  /** Of another workspace, in which another batch was paid. */
  readonly foreign: JournalCopy;
  readonly chance: () => number;
}

/** What befalls a journal between two runs. */
export const damages: Readonly<Record<string, (parts: DamageParts) => void>> = {
  'bits flipped in the database': ({ journalFile, chance }) => flip(journalFile, chance),
  'bits flipped in the write-ahead log': ({ journalFile, chance }) => flip(`${journalFile}-wal`, chance),
  'write-ahead log cut': ({ journalFile, chance }) => {
    const path = `${journalFile}-wal`;
    if (existsSync(path)) truncateSync(path, Math.floor(statSync(path).size * chance()));
  },
  'write-ahead log deleted': ({ journalFile }) => rmSync(`${journalFile}-wal`, { force: true }),
  'database cut': ({ journalFile, chance }) =>
    truncateSync(journalFile, Math.floor(statSync(journalFile).size * chance())),
  'database emptied': ({ journalFile }) => truncateSync(journalFile, 0),
  'database deleted, its log left': ({ journalFile }) => rmSync(journalFile, { force: true }),
  'journal deleted': ({ journalFile }) => restoreJournal(journalFile, new Map()),
  'old copy restored': ({ journalFile, older }) => restoreJournal(journalFile, older),
  'old database under the new log': ({ journalFile, older }) => {
    const bytes = older.get('');
    if (bytes) writeFileSync(journalFile, bytes);
  },
  'another batch’s journal in its place': ({ journalFile, foreign }) => restoreJournal(journalFile, foreign),
  'events edited': (parts) =>
    edit(parts, `UPDATE events SET why = 'nothing to see' WHERE seq = (SELECT max(seq) FROM events)`),
  'events deleted': (parts) => edit(parts, 'DELETE FROM events'),
  'amounts edited': (parts) => edit(parts, 'UPDATE payouts SET amount = amount * 10'),
  'account numbers edited': (parts) => edit(parts, `UPDATE payouts SET number = '+254799999999'`),
  'states set back': (parts) =>
    edit(
      parts,
      `UPDATE payouts SET state = 'planned', ever_sent = 0, transaction_id = ''; DELETE FROM sends`,
    ),
  'transactions swapped': (parts) =>
    edit(
      parts,
      `UPDATE payouts SET transaction_id = (SELECT other.transaction_id FROM payouts AS other
         WHERE other.id <> payouts.id AND other.transaction_id <> '' ORDER BY (other.id + 3) % 7 LIMIT 1)
       WHERE state = 'submitted' AND (SELECT count(*) FROM payouts WHERE transaction_id <> '') > 1`,
    ),
  'external accounts swapped': (parts) =>
    edit(parts, `UPDATE payees SET external_account_id = 'x' || external_account_id`),
};

/** A few bits at once, as a bad cell or a bad cable makes them. */
function flip(path: string, chance: () => number): void {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  for (let count = 0; count < 8 && bytes.length > 0; count += 1) {
    const at = Math.floor(chance() * bytes.length);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(chance() * 8)), at);
  }
  writeFileSync(path, bytes);
}

/** By somebody who knows SQL and nothing of payrun. The log is left as it may be. */
function edit({ journalFile }: DamageParts, sql: string): void {
  const db = new Database(journalFile);
  try {
    db.pragma('foreign_keys = OFF');
    db.exec(sql);
  } finally {
    db.close();
  }
}

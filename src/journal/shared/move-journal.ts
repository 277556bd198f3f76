import { PayrunError } from '../../errors.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { keepMovedTo, type MovedTo, movedTo } from '../moved-to.ts';
import { tellAll, writeRows } from './hand-on-function.ts';
import { openMirror } from './mirror.ts';
import { type MirroredTable, mirroredTables } from './mirrored-tables.ts';
import { changesLiteral, literal, type SharedConnection } from './shared-connection.ts';
import { migrateShared } from './shared-schema.ts';
import { cellsOf, columnsOf } from './table-rows.ts';

const rowsAtOnce = 2_000;

export interface MoveParts {
  /** The embedded journal, in a transaction that keeps everybody else from writing to it. */
  readonly file: JournalDatabase;
  readonly connection: SharedConnection;
  readonly schema: string;
  /** By which a move that was cut off knows its own again. */
  readonly token: string;
  /** For people; without a password. */
  readonly place: string;
  /** Holds both against each other once everything has arrived; throws where they are not the same. */
  readonly compare: () => Promise<void>;
}

/**
 * Takes an embedded journal to Postgres, whole: events and hashes as they are, so that the chain goes on where it stood. A
 * move that was cut off at any point is done again by the same command, and until it is done nobody works on the new one;
 * from then on nobody works on the old one.
 */
export async function moveJournal(parts: MoveParts): Promise<void> {
  const { file, connection, schema, token, place, compare } = parts;
  const mirror = openMirror();
  let columns: ReadonlyMap<string, readonly string[]>;
  try {
    await migrateShared(mirror.db, { connection, schema, mayMake: true });
    columns = new Map(mirroredTables.map(({ name }) => [name, columnsOf(mirror.db, name)]));
  } finally {
    mirror.db.close();
  }
  const [rows] = await connection.ask('SELECT id, arriving FROM journal');
  const { id, arriving } = rows?.[0] ?? {};
  const to: MovedTo = { id: String(id), place };
  const known = movedTo(file);
  if (known && (known.id !== to.id || arriving !== token)) throw isElsewhere(known);
  if (!known) await copyAll(parts, columns);
  await compare();
  if (!known) keepMovedTo(file, to);
  file.exec('COMMIT');
  await connection.ask(`UPDATE journal SET arriving = NULL WHERE arriving = ${literal(token)}`);
}

/** One transaction: all of it arrives, or nothing. Only where nobody works, and nobody else's is arriving. */
async function copyAll(
  { file, connection, token, place }: MoveParts,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const names = mirroredTables.map(({ name }) => name);
  const [, rows] = await connection.ask(
    'BEGIN; SELECT arriving, EXISTS (SELECT 1 FROM batches) AS "isUsed" FROM journal FOR UPDATE',
  );
  try {
    const { arriving, isUsed } = rows?.[0] ?? {};
    if (arriving !== token && (arriving !== null || isUsed === true)) throw inUse(place);
    await connection.ask(
      `UPDATE journal SET arriving = ${literal(token)}; TRUNCATE ${[...names, 'feed', 'holders'].join()} CASCADE`,
    );
    for (const table of mirroredTables)
      for (const rows of pagesOf(file, table, columns.get(table.name) ?? [])) {
        const changes = `{"${table.name}":{"put":[${rows.join()}],"drop":[]}}`;
        await connection.ask(`SELECT ${writeRows}(${changesLiteral(changes)})`);
      }
    await connection.ask(`SELECT ${tellAll}(NULL); COMMIT`);
  } catch (error) {
    await connection.ask('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function* pagesOf(
  file: JournalDatabase,
  { name, key }: MirroredTable,
  columns: readonly string[],
): Generator<string[]> {
  const each = file
    .prepare<[], string>(`SELECT ${cellsOf('own', columns)} FROM ${name} AS own ORDER BY ${key.join()}`)
    .pluck()
    .iterate();
  let page: string[] = [];
  for (const row of each) {
    page.push(row);
    if (page.length < rowsAtOnce) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function isElsewhere({ place }: MovedTo): PayrunError {
  return new PayrunError(
    'journal-moved',
    `The journal of this workspace was moved to ${place} before. Nothing was done; payrun works there with PAYRUN_JOURNAL_URL.`,
  );
}

function inUse(place: string): PayrunError {
  return new PayrunError(
    'journal-not-moved',
    `The journal at ${place} is in use already: two memories are not made into one. Name another schema with ?schema=NAME, or another database.`,
  );
}

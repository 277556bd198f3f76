import { PayrunError } from '../../errors.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { handOnFunctions } from './hand-on-function.ts';
import { identifier, literal, type SharedPlace } from './shared-connection.ts';
import { sharedMigrations } from './shared-migrations.ts';
import { typesOf } from './table-rows.ts';

/** Two that open at once must not both begin: any number that nobody else uses. */
const migrationLock = 7_250_417;

/** A role that may not change tables. */
const notAllowed = '42501';

/** Brings the tables up to this version, if they may be made. Whether there are any. */
export async function migrateShared(
  mirror: JournalDatabase,
  { connection, schema, mayMake }: SharedPlace,
): Promise<boolean> {
  const name = identifier(schema);
  const [rows] = await connection.ask(
    `SELECT to_regclass(${literal(`${name}.migrations`)}) IS NOT NULL AS "isThere"`,
  );
  const isThere = rows?.[0]?.['isThere'] === true;
  if (!isThere && !mayMake) return false;
  await connection.ask(`SET search_path = ${name}`);
  if (isThere && (await versionOf(connection)) === sharedMigrations.length) return true;
  await connection.ask(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`);
  try {
    await connection.ask(
      `CREATE SCHEMA IF NOT EXISTS ${name}; CREATE TABLE IF NOT EXISTS migrations (number int PRIMARY KEY)`,
    );
    const done = await versionOf(connection);
    if (done > sharedMigrations.length) throw newer(schema, done);
    for (const [index, sql] of sharedMigrations.entries()) {
      if (index < done) continue;
      await connection.ask(`${sql}; INSERT INTO migrations VALUES (${index + 1})`);
    }
    await connection.ask(handOnFunctions((table) => typesOf(mirror, table)));
    await connection.ask('COMMIT');
  } catch (error) {
    await connection.ask('ROLLBACK').catch(() => undefined);
    throw isThere && (error as { code?: string }).code === notAllowed ? older(schema, error as Error) : error;
  }
  return true;
}

async function versionOf(connection: SharedPlace['connection']): Promise<number> {
  const [rows] = await connection.ask('SELECT coalesce(max(number), 0) AS version FROM migrations');
  return Number(rows?.[0]?.['version'] ?? 0);
}

function older(schema: string, cause: Error): PayrunError {
  return new PayrunError(
    'journal-unreachable',
    `The shared journal (schema ${schema}) was made by an older payrun, and this role may not change it (${cause.message}). Nothing was sent. Run payrun init once as the owner of its tables.`,
    { cause },
  );
}

function newer(schema: string, version: number): PayrunError {
  return new PayrunError(
    'journal-newer',
    `The shared journal (schema ${schema}) was made by a newer payrun (version ${version}, this one knows ${sharedMigrations.length}). Use that version.`,
  );
}

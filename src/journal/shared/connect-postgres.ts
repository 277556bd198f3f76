import { AssertionError } from 'node:assert';
import { PayrunError } from '../../errors.ts';
import type { Row, SharedConnection } from './shared-connection.ts';
import { JournalLost } from './shared-of.ts';
import type { SharedAccess } from './shared-url.ts';

const connectWithinMs = 10_000;
/** Whoever waits longer for an answer has lost the server. */
const answerWithinMs = 120_000;

/** What the session counts on: that a commit is on disk, and that nobody waits for ever for somebody who is gone. */
const session = `SET synchronous_commit = on; SET lock_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s';
  SET statement_timeout = '100s'; SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SET standard_conforming_strings = on; SET client_min_messages = warning;
  SELECT set_config('idle_session_timeout', '0', false) WHERE current_setting('server_version_num')::int >= 140000`;

/** A session at the Postgres of the shared journal. The driver is loaded here and nowhere else. */
export async function connectPostgres({ schema: _, ...access }: SharedAccess): Promise<SharedConnection> {
  const { default: pg } = await loadDriver();
  const wholeNumber = 20;
  const client = new pg.Client({
    ...access,
    application_name: 'payrun',
    keepAlive: true,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answerWithinMs,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === wholeNumber ? Number : pg.types.getTypeParser(id, format as 'text'),
    },
  });
  let isLost = false;
  /** Said by the server as it ended the session, or by the network. */
  let why: Error | undefined;
  /** A connection that nobody asks anything keeps no process alive: as with a file, who is done is done. */
  let asked = 0;
  // The driver has both, its types have neither.
  const keeping = client as unknown as { ref(): void; unref(): void };
  client.on('error', (error) => {
    isLost = true;
    why ??= error;
  });
  client.on('end', () => {
    isLost = true;
  });
  const connection: SharedConnection = {
    async ask(statements) {
      asked += 1;
      keeping.ref();
      try {
        const answers = await client.query(statements);
        return (Array.isArray(answers) ? answers : [answers]).map(({ rows }: { rows: Row[] }) => rows);
      } catch (error) {
        throw why ?? error;
      } finally {
        asked -= 1;
        if (asked === 0) keeping.unref();
      }
    },
    isLost: () => isLost,
    close: () => {
      keeping.ref();
      return client.end().catch(() => undefined);
    },
  };
  try {
    await client.connect();
    await connection.ask(session);
    await refuseUnsafe(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw orUnreachable(access, error);
  }
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (error) {
    throw new PayrunError(
      'journal-driver-missing',
      'A shared journal needs the package pg, which is not installed here. Install it beside payrun: npm install pg',
      { cause: error },
    );
  }
}

/** A commit that is answered must be on disk: else a send could leave that nobody remembers. */
async function refuseUnsafe(connection: SharedConnection): Promise<void> {
  const [rows] = await connection.ask(
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const settings = new Map(rows?.map((row) => [String(row['name']), String(row['setting'])]));
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if (settings.get(name) === 'on') continue;
    throw new PayrunError(
      'journal-unsafe',
      `The Postgres of the shared journal has ${name} = ${settings.get(name) ?? 'unknown'}: what it confirms could be lost, and a payout made twice. Set it to on. Nothing was sent.`,
    );
  }
}

/** Before anything was sent: a connection that goes is the same as none. */
export function orUnreachable(access: Omit<SharedAccess, 'schema'>, error: unknown): unknown {
  const isSaid = error instanceof PayrunError && !(error instanceof JournalLost);
  if (isSaid || error instanceof AssertionError) return error;
  return unreachable(access, error instanceof JournalLost ? error.cause : (error as Error));
}

/** No database of that name. */
const noDatabase = '3D000';

function whyOf(error: Error, password: string | undefined): string {
  const { code } = error as { code?: string };
  if (code === noDatabase) return `${error.message} (createdb makes one)`;
  // Said by the driver and not by the server: where one is wanted, this is all that it says.
  const isOpen = code === undefined && password === undefined;
  return `${error.message || 'no answer'}${isOpen ? ' (PAYRUN_JOURNAL_URL has no password)' : ''}`;
}

function unreachable(
  { host, port, database, password }: Omit<SharedAccess, 'schema'>,
  error: Error,
): PayrunError {
  return new PayrunError(
    'journal-unreachable',
    `The shared journal at ${host}:${port}/${database} cannot be used: ${whyOf(error, password)}. This command sent nothing; what was sent before stands in the journal. See that Postgres is there and lets this user in, then run the same command again.`,
    { cause: error },
  );
}

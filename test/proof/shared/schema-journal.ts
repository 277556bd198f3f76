import { connectPostgres } from '../../../src/journal/shared/connect-postgres.ts';
import { openSharedJournal } from '../../../src/journal/shared/open-shared-journal.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { readSharedUrl } from '../../../src/journal/shared/shared-url.ts';
import type { SiteJournal } from '../crash/site.ts';

/** A journal in a schema of its own, made and empty. payrun reaches it by a URL that may lead through a door. */
export async function schemaJournal(server: string, schema: string, reached: string): Promise<SiteJournal> {
  const open = async () => {
    const connection = await connectPostgres(readSharedUrl(server));
    const db = await openSharedJournal({ connection, schema, mayMake: true });
    if (!db) throw new Error('there is no journal');
    return db;
  };
  await closeJournal(await open());
  return {
    env: { PAYRUN_JOURNAL_URL: `${reached}?schema=${schema}` },
    open,
    intents: () => intentsAt(server, schema),
  };
}

/** The reference of every send that a server knows of, be it one that only follows. */
export async function intentsAt(server: string, schema: string): Promise<string[]> {
  const connection = await connectPostgres(readSharedUrl(server));
  try {
    const [rows = []] = await connection.ask(`SELECT reference FROM ${schema}.sends`);
    return rows.map((row) => String(row['reference']));
  } finally {
    await connection.close();
  }
}

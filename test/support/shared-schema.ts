import { randomUUID } from 'node:crypto';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { connectPostgres } from '../../src/journal/shared/connect-postgres.ts';
import type { CopyKind } from '../../src/journal/shared/mirrored-tables.ts';
import { openSharedJournal } from '../../src/journal/shared/open-shared-journal.ts';
import type { Row } from '../../src/journal/shared/shared-connection.ts';
import { readSharedUrl } from '../../src/journal/shared/shared-url.ts';

/** A shared journal of its own in the Postgres of the tests. */
export interface SharedSchema {
  readonly url: string;
  readonly schema: string;
  open(copy?: CopyKind): Promise<JournalDatabase>;
  /** Straight to Postgres. */
  ask(statements: string): Promise<readonly (readonly Row[])[]>;
}

export function newSharedSchema(server = process.env['PAYRUN_TEST_POSTGRES'] ?? ''): SharedSchema {
  const schema = `t_${randomUUID().replaceAll('-', '')}`;
  const url = `${server}?schema=${schema}`;
  const access = readSharedUrl(url);
  return {
    url,
    schema,
    async open(copy) {
      const connection = await connectPostgres(access);
      const db = await openSharedJournal({ connection, schema, mayMake: true, copy });
      if (!db) throw new Error('there is no journal');
      return db;
    },
    async ask(statements) {
      const connection = await connectPostgres(access);
      try {
        return await connection.ask(`SET search_path = ${schema}; ${statements}`);
      } finally {
        await connection.close();
      }
    },
  };
}

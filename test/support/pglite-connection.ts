import { PGlite } from '@electric-sql/pglite';
import type { SharedConnection } from '../../src/journal/shared/shared-connection.ts';

/** Postgres within this process: one session, nothing on disk, no server. */
export async function startPglite(): Promise<SharedConnection> {
  const wholeNumber = 20;
  const postgres = await PGlite.create({ parsers: { [wholeNumber]: Number } });
  return {
    ask: async (statements) =>
      (await postgres.exec(statements)).map(({ rows }) => rows as Record<string, unknown>[]),
    isLost: () => postgres.closed,
    // It outlives a journal: the next is opened on it.
    close: async () => undefined,
  };
}

import { randomUUID } from 'node:crypto';
import type { Chunk } from '../chunks.ts';
import { connectPostgres } from './connect-postgres.ts';
import { createQueue } from './one-at-a-time.ts';
import { identifier, literal, type Row } from './shared-connection.ts';
import { JournalLost, type Session } from './shared-of.ts';
import type { SharedAccess } from './shared-url.ts';

/** A worker that is not seen for so long is ended by the others: it is frozen, or cut off. */
const unseenFor = '20 seconds';

/** How long a chunk waits until it is looked at again, at first and at most. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/**
 * Where workers find each other: who is there, and what is worth doing when, by the clock of the server. On a session of its
 * own, so that nothing of it waits for a large read of the journal. Nothing here is trusted with money: whether a chunk is held
 * the locks alone say, and whoever is ended here can write nothing any more.
 */
export async function openWorkerDesk(access: SharedAccess, schema: string) {
  const connection = await connectPostgres(access);
  await connection.ask(`SET search_path = ${identifier(schema)}`);
  const own = literal(randomUUID());
  const queue = createQueue();

  /** Whoever cannot be seen here any more is ended by the others: that is the end of its work. */
  async function ask(statements: string): Promise<readonly (readonly Row[])[]> {
    const letGo = await queue.enter();
    try {
      return await connection.ask(statements);
    } catch (error) {
      throw new JournalLost(error as Error);
    } finally {
      letGo();
    }
  }

  return {
    async enter(name: string, { pid, started }: Session, ratePerSecond?: number): Promise<void> {
      await ask(
        `INSERT INTO workers (id, name, pid, started, rate)
         VALUES (${own}, ${literal(name)}, ${pid}, ${literal(started)}::timestamptz, ${ratePerSecond ?? 'NULL'})`,
      );
    },

    /**
     * I am here. Who is not is ended: Postgres lets its locks go, and whatever it still holds to be its own, it cannot write.
     * How many were.
     */
    async beat(doing: string, mayEndOthers = true): Promise<number> {
      const here = `UPDATE workers SET seen = now(), doing = ${literal(doing)} WHERE id = ${own}`;
      if (!mayEndOthers) {
        await ask(here);
        return 0;
      }
      const [, ended = []] = await ask(
        `${here};
         SELECT pg_terminate_backend(session.pid) FROM workers JOIN pg_stat_activity AS session
           ON session.pid = workers.pid AND session.backend_start = workers.started
           WHERE workers.seen < now() - interval '${unseenFor}';
         DELETE FROM workers WHERE seen < now() - interval '${unseenFor}' AND NOT EXISTS (
           SELECT 1 FROM pg_stat_activity AS session
           WHERE session.pid = workers.pid AND session.backend_start = workers.started)`,
      );
      return ended.length;
    },

    async says(doing: string, ratePerSecond?: number): Promise<void> {
      await ask(
        `UPDATE workers SET doing = ${literal(doing)}, rate = ${ratePerSecond ?? 'NULL'} WHERE id = ${own}`,
      );
    },

    /** Chunks that are to wait. */
    async waiting(): Promise<(chunk: Chunk) => boolean> {
      const [rows = []] = await ask('SELECT batch, chunk FROM dues WHERE due > now()');
      const names = new Set(rows.map((row) => `${row['batch']} ${row['chunk']}`));
      return ({ batch, number }) => names.has(`${batch} ${number}`);
    },

    /** Names of batches that somebody wants whole: who decides about payouts, or takes them back. */
    async wanted(): Promise<ReadonlySet<string>> {
      const [rows = []] = await ask('SELECT batch FROM wanted WHERE until > now()');
      return new Set(rows.map((row) => String(row['batch'])));
    },

    /** See `PaceShare`: by the clock of the server. */
    async lease(calls: number, ratePerSecond: number): Promise<number> {
      const lot = `${calls} * interval '1 second' / ${ratePerSecond}`;
      const [rows] = await ask(
        `UPDATE pace SET next = greatest(next, clock_timestamp()) + ${lot}
         RETURNING (extract(epoch FROM next - ${lot} - clock_timestamp()) * 1000)::float8 AS "inMs"`,
      );
      return Math.max(0, Number(rows?.[0]?.['inMs'] ?? 0));
    },

    async pause(forMs: number): Promise<void> {
      const until = `clock_timestamp() + ${Math.ceil(forMs)} * interval '1 ms'`;
      await ask(`UPDATE pace SET paused_until = greatest(paused_until, ${until})`);
    },

    async pausedForMs(): Promise<number> {
      const [rows] = await ask(
        `SELECT (extract(epoch FROM paused_until - clock_timestamp()) * 1000)::float8 AS ms FROM pace`,
      );
      return Math.max(0, Number(rows?.[0]?.['ms'] ?? 0));
    },

    /** Something of it is left, and nothing to be done about it now. Longer each time. */
    async putOff({ batch, number }: Chunk): Promise<void> {
      await putOff(batch, number);
    },

    /** It went well: the next pause is a short one again. */
    async forget({ batch, number }: Chunk): Promise<void> {
      await ask(`DELETE FROM dues WHERE batch = ${batch} AND chunk = ${number}`);
    },

    async leave(): Promise<void> {
      await ask(`DELETE FROM workers WHERE id = ${own}`).catch(() => undefined);
      await connection.close();
    },
  };

  async function putOff(batch: number, chunk: number): Promise<void> {
    const pause = `least(${longestPauseMs}, ${firstPauseMs} * 2 ^ least(tries, 10)) * interval '1 ms'`;
    await ask(
      `INSERT INTO dues AS own (batch, chunk, due) VALUES (${batch}, ${chunk}, now() + interval '${firstPauseMs} ms')
       ON CONFLICT (batch, chunk) DO UPDATE SET tries = own.tries + 1, due = now() + ${pause.replace('tries', 'own.tries')}`,
    );
  }
}

export type WorkerDesk = Awaited<ReturnType<typeof openWorkerDesk>>;

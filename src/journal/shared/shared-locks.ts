import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { PayrunError } from '../../errors.ts';
import type { HeldBatch } from '../held-batch.ts';
import { holderNote, textOfHolder } from '../lock-holder.ts';
import { literal, type Row } from './shared-connection.ts';

const pollMs = 200;
const takeBackMs = 30_000;

/**
 * After a journal came to another server, or was brought back from a dump: so long a batch that it does not know may be one
 * that was sent from where it stood before, and is not shown yet.
 */
const newFor = '1 hour';

interface LockParts {
  readonly ask: (statements: string) => Promise<readonly (readonly Row[])[]>;
  readonly schema: string;
  /** Which server this is, and on which timeline. */
  readonly cluster: string;
  readonly catchUp: () => Promise<void>;
  readonly graceMs: number;
}

/**
 * One run per batch, on whichever machine: a lock of the session that writes. Postgres lets go of it when the session ends,
 * and whose session has ended writes nothing any more.
 */
export function createSharedLocks({ ask, schema, cluster, catchUp, graceMs }: LockParts) {
  /** A session gets each lock as often as it wants: who has it here is known here. */
  const held = new Set<string>();

  async function tryLock(batch: string, clock: Clock): Promise<boolean> {
    if (held.has(batch)) return false;
    held.add(batch);
    const [rows] = await ask(`SELECT pg_try_advisory_lock(${lockKey(schema, batch)}) AS taken`);
    const isTaken = rows?.[0]?.['taken'] === true;
    if (isTaken) await noteHolder(batch, clock);
    else held.delete(batch);
    return isTaken;
  }

  /** A batch that nobody held before is where it always was, unless the journal itself came here only lately. */
  async function noteHolder(batch: string, clock: Clock): Promise<void> {
    const here = (await isNewHere()) ? '' : cluster;
    await ask(
      `INSERT INTO holders VALUES (${literal(batch)}, ${literal(holderNote(clock.nowMs()))}, ${literal(here)})
       ON CONFLICT (batch) DO UPDATE SET holder = excluded.holder`,
    );
  }

  async function isNewHere(): Promise<boolean> {
    const here = literal(cluster);
    const [, rows] = await ask(
      `UPDATE journal SET cluster = ${here}, cluster_since = CASE WHEN cluster IS NOT NULL THEN now() END
         WHERE cluster IS DISTINCT FROM ${here};
       SELECT coalesce(cluster_since > now() - interval '${newFor}', false) AS "isNew" FROM journal`,
    );
    return rows?.[0]?.['isNew'] === true;
  }

  /** Whether whoever had it last had it at another server, or before a standby took over: commits may be missing since. */
  async function isElsewhere(batch: string): Promise<boolean> {
    const [rows] = await ask(`SELECT cluster FROM holders WHERE batch = ${literal(batch)}`);
    return rows?.[0]?.['cluster'] !== cluster;
  }

  async function hold(batch: string, clock: Clock, waitMs: number): Promise<void> {
    const untilMs = clock.monotonicMs() + waitMs;
    while (!(await tryLock(batch, clock))) {
      if (clock.monotonicMs() >= untilMs) throw locked(batch, await holderOf(batch));
      await clock.sleep(pollMs);
    }
    await catchUp();
  }

  async function holderOf(batch: string): Promise<string> {
    const [rows] = await ask(`SELECT holder FROM holders WHERE batch = ${literal(batch)}`);
    return textOfHolder(String(rows?.[0]?.['holder'] ?? ''));
  }

  function release(batch: string): void {
    if (!held.delete(batch)) return;
    // Whoever cannot be asked any more holds nothing any more.
    void ask(`SELECT pg_advisory_unlock(${lockKey(schema, batch)})`).catch(() => undefined);
  }

  return {
    async take(batch: string, clock: Clock, waitMs: number): Promise<HeldBatch> {
      await hold(batch, clock, waitMs);
      return {
        graceMs,
        mayHaveForgotten: await isElsewhere(batch),
        async looked() {
          await ask(`UPDATE holders SET cluster = ${literal(cluster)} WHERE batch = ${literal(batch)}`);
        },
        release: () => release(batch),
        async lend(wait) {
          release(batch);
          await wait();
          await hold(batch, clock, takeBackMs);
        },
      };
    },
  };
}

/** As Postgres counts locks. */
function lockKey(schema: string, batch: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(['payrun', schema, batch]))
    .digest();
  return String(digest.readBigInt64BE());
}

function locked(batch: string, holder: string): PayrunError {
  return new PayrunError(
    'batch-locked',
    `Another payrun is working on batch ${batch}${holder}. Wait until it is done, or stop it with Ctrl-C where it runs; then run the same command again.`,
  );
}

import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { PayrunError } from '../../errors.ts';
import type { HeldBatch } from '../held-batch.ts';
import { holderNote, textOfHolder } from '../lock-holder.ts';
import { literal, type Row } from './shared-connection.ts';

const pollMs = 200;
const takeBackMs = 30_000;
/** So long whoever wants all of a batch keeps workers from taking more of it, and so long it waits for them. */
const wantedFor = '5 seconds';
const drainedWithinMs = 60_000;
const momentMs = 1_000;

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
  const ask1 = async (statement: string) => (await ask(statement))[0]?.[0] ?? {};

  async function tryLock({ name, within }: Wanted, clock: Clock): Promise<boolean> {
    if (held.has(name)) return false;
    held.add(name);
    const isTaken = await tryBoth(lockKey(schema, name), within && lockKey(schema, within));
    if (isTaken) await noteHolder(name, clock);
    else held.delete(name);
    return isTaken;
  }

  /** The batch is held too, together with others who have parts of it: so nobody has all of it meanwhile. */
  async function tryBoth(key: string, withinKey: string | undefined): Promise<boolean> {
    if (
      withinKey !== undefined &&
      !(await ask1(`SELECT pg_try_advisory_lock_shared(${withinKey}) AS taken`))['taken']
    )
      return false;
    if ((await ask1(`SELECT pg_try_advisory_lock(${key}) AS taken`))['taken'] === true) return true;
    if (withinKey !== undefined) await ask(`SELECT pg_advisory_unlock_shared(${withinKey})`);
    return false;
  }

  /** A batch that nobody held before is where it always was, unless the journal itself came here only lately. */
  async function noteHolder(name: string, clock: Clock): Promise<void> {
    const here = (await isNewHere()) ? '' : cluster;
    await ask(
      `INSERT INTO holders (batch, holder, cluster) VALUES (${literal(name)}, ${literal(holderNote(clock.nowMs()))}, ${literal(here)})
       ON CONFLICT (batch) DO UPDATE SET holder = excluded.holder, takes = holders.takes + 1`,
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
  async function isElsewhere(name: string): Promise<boolean> {
    return (await ask1(`SELECT cluster FROM holders WHERE batch = ${literal(name)}`))['cluster'] !== cluster;
  }

  async function hold(wanted: Wanted, clock: Clock, waitMs: number): Promise<void> {
    const begunMs = clock.monotonicMs();
    // A worker that is just about to take parts of it has not said so yet: in a moment it is seen, and lets go.
    let longestMs = wanted.within === undefined ? Math.max(waitMs, momentMs) : waitMs;
    while (!(await tryLock(wanted, clock))) {
      if (wanted.within === undefined && (await wantWhole(wanted.name)))
        longestMs = Math.max(waitMs, drainedWithinMs);
      if (clock.monotonicMs() - begunMs >= longestMs) throw locked(wanted.name, await holderOf(wanted.name));
      await clock.sleep(pollMs);
    }
    await catchUp();
  }

  /** Workers who have parts of it finish what is under way and let go. Whether there are such. */
  async function wantWhole(batch: string): Promise<boolean> {
    const row = await ask1(
      `INSERT INTO wanted SELECT name, now() + interval '${wantedFor}' FROM batches WHERE name = ${literal(batch)}
         AND EXISTS (SELECT 1 FROM workers WHERE starts_with(doing, 'batch ' || batches.name || ', chunk '))
       ON CONFLICT (batch) DO UPDATE SET until = excluded.until RETURNING batch`,
    );
    return row['batch'] !== undefined;
  }

  async function holderOf(name: string): Promise<string> {
    const { holder } = await ask1(`SELECT holder FROM holders WHERE batch = ${literal(name)}`);
    return textOfHolder(String(holder ?? ''));
  }

  function release({ name, within }: Wanted): void {
    if (!held.delete(name)) return;
    const unlockWithin =
      within === undefined ? '' : `; SELECT pg_advisory_unlock_shared(${lockKey(schema, within)})`;
    // Whoever cannot be asked any more holds nothing any more.
    void ask(`SELECT pg_advisory_unlock(${lockKey(schema, name)})${unlockWithin}`).catch(() => undefined);
  }

  async function take(wanted: Wanted, clock: Clock, waitMs: number): Promise<HeldBatch> {
    const { name } = wanted;
    await hold(wanted, clock, waitMs);
    return {
      graceMs,
      mayHaveForgotten: await isElsewhere(name),
      async looked() {
        await ask(`UPDATE holders SET cluster = ${literal(cluster)} WHERE batch = ${literal(name)}`);
      },
      release: () => release(wanted),
      async lend(wait) {
        release(wanted);
        await wait();
        await hold(wanted, clock, takeBackMs);
      },
    };
  }

  return {
    take: (batch: string, clock: Clock, waitMs: number) => take({ name: batch }, clock, waitMs),
    /** A part of a batch; others may have other parts. */
    takeChunk: (batch: string, chunk: number, clock: Clock) =>
      take({ name: `${batch}\n${chunk}`, within: batch }, clock, 0),
  };
}

interface Wanted {
  readonly name: string;
  /** The batch that it is a part of. */
  readonly within?: string | undefined;
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

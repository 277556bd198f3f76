import { randomUUID } from 'node:crypto';
import { leavesWithinMs } from '../../domain/leaves-within.ts';
import { PayrunError } from '../../errors.ts';
import { createGroupCommit } from '../../storage/group-commit.ts';
import { canonicaliseNow, isCanonical } from '../canonical-payees.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { clusterMark } from './cluster-mark.ts';
import { createFollower, refuseArriving } from './follow-feed.ts';
import { tellAll, writeRows } from './hand-on-function.ts';
import { openMirror } from './mirror.ts';
import { createQueue } from './one-at-a-time.ts';
import { changesLiteral, type Row, type SharedConnection, type SharedPlace } from './shared-connection.ts';
import { createSharedLocks } from './shared-locks.ts';
import { JournalLost, markShared, type SharedWork } from './shared-of.ts';
import { migrateShared } from './shared-schema.ts';

/** So many pieces of a large write are told to others one by one; after more they fill their copies anew. */
const piecesTold = 50;

/**
 * Whoever stands still in its turn keeps all others waiting: after this Postgres ends its session, and it writes nothing any
 * more. Accepting a large file takes its time.
 */
const usualTurn = '10s';
const longTurn = '30min';

/**
 * A copy that is no older answers a question as one does that caught up for it: somebody may write a moment after either, so
 * that whatever is decided on it is asked once more where it is written.
 */
const freshForMs = 50;

/** Waiting longer than Postgres lets us for whoever writes. */
const lockNotAvailable = '55P03';

/**
 * Opens a journal that stands in Postgres. What comes back is a copy of it in SQLite, in which all verbs and questions of the
 * journal work as they do in a file. A write takes its turn with everybody else's: Postgres lets one in at a time, the copy
 * catches up with what the others wrote, the verbs decide on it, and what they changed is in Postgres before anybody is told.
 * Undefined where there is no journal and none may be made.
 */
export async function openSharedJournal(place: SharedPlace): Promise<JournalDatabase | undefined> {
  const { connection, schema, copy = 'whole', graceMs = leavesWithinMs } = place;
  const mirror = openMirror(copy);
  const { db } = mirror;
  const isThere = await migrateShared(db, place);
  if (!isThere) {
    db.close();
    return undefined;
  }
  const journal = await stateOf(connection);
  if (!place.isArriving) refuseArriving(journal);
  const session = randomUUID();
  await connection.ask(`SET payrun.session = '${session}'`);
  const queue = createQueue();
  let lost: JournalLost | undefined;
  let longTurns = 0;
  let leave: () => void = () => undefined;
  /** The copy is no older than the journal was then. */
  let asOfMs = Number.NEGATIVE_INFINITY;

  async function ask(statements: string): Promise<readonly (readonly Row[])[]> {
    if (lost) throw lost;
    try {
      return await connection.ask(statements);
    } catch (error) {
      if ((error as { code?: string }).code === lockNotAvailable && !connection.isLost()) throw error;
      lost = new JournalLost(error as Error);
      throw lost;
    }
  }

  const { id } = journal;
  const follower = createFollower({ ask, mirror, copy, id, session, isArriving: place.isArriving });

  /** What a copy cannot be brought to is no copy. */
  async function orLost<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const isHarmless =
        (error as { code?: string }).code === lockNotAvailable || error instanceof PayrunError;
      if (!isHarmless) lost ??= new JournalLost(error as Error);
      throw lost ?? error;
    }
  }

  async function takeTurn(): Promise<void> {
    for (;;) {
      const askedMs = performance.now();
      const turnWithin = longTurns > 0 ? longTurn : usualTurn;
      const [, , state, feed = []] = await ask(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '${turnWithin}'; ${follower.askState} FOR UPDATE; ${follower.askFeed()}`,
      );
      if (follower.follow(state, feed)) {
        asOfMs = askedMs;
        return;
      }
      // Not in a turn: others would wait for it.
      await ask('ROLLBACK');
      await follower.comeNear();
    }
  }

  const turns = {
    async take(): Promise<void> {
      const letGo = await queue.enter();
      try {
        await orLost(takeTurn);
        leave = letGo;
      } catch (error) {
        if (!lost) await ask('ROLLBACK').catch(() => undefined);
        letGo();
        throw lost ?? (error instanceof PayrunError ? error : busy(error as Error));
      }
    },

    /** The last piece is committed in the same round trip, and nearly always it is the only one. */
    async handOn(): Promise<void> {
      let count = 0;
      let last = '';
      for (const piece of mirror.touched()) {
        if (last !== '') await ask(last);
        count += 1;
        last = `SELECT ${count <= piecesTold ? tellAll : writeRows}(${changesLiteral(piece)});`;
      }
      const tooMuch = count > piecesTold ? `SELECT ${tellAll}(NULL);` : '';
      const answers = await ask(`${last} ${tooMuch} ${follower.askState}; COMMIT`);
      follower.come(answers.at(-2));
    },

    leave(error?: unknown): void {
      if (error !== undefined) lost ??= new JournalLost(error as Error);
      leave();
    },
  };

  async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const letGo = await queue.enter();
    try {
      return await work();
    } finally {
      letGo();
    }
  }

  async function inLongTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    longTurns += 1;
    try {
      return await work();
    } finally {
      longTurns -= 1;
    }
  }

  let catchingUp: Promise<void> | undefined;
  /** Whoever asks while others wait to begin waits with them. */
  function catchUp(): Promise<void> {
    catchingUp ??= alone(async () => {
      catchingUp = undefined;
      const askedMs = performance.now();
      await orLost(follower.comeNear);
      asOfMs = askedMs;
    });
    return catchingUp;
  }

  const isFresh = () => lost === undefined && performance.now() - asOfMs < freshForMs;

  const locks = createSharedLocks({
    ask: (statements) => alone(() => ask(statements)),
    schema,
    cluster: String(journal['cluster']),
    catchUp,
    graceMs,
  });

  markShared(db, {
    id: String(journal['id']),
    turns,
    catchUp,
    comeNear: async () => (isFresh() ? undefined : catchUp()),
    inLongTurn,
    lockBatch: locks.take,
    lockChunk: locks.takeChunk,
    session: { pid: Number(journal['pid']), started: String(journal['started']) },
    work: () => alone(async () => workOf(await ask(askWork))),
    close: () => alone(() => connection.close()),
  });

  await alone(follower.fill);
  mirror.watch();
  if (!isCanonical(db))
    await inLongTurn(() => createGroupCommit(db, { turns }).write(() => canonicaliseNow(db)));
  return db;
}

async function stateOf(connection: SharedConnection): Promise<Row> {
  const [rows] = await connection.ask(
    `SELECT id, arriving, ${clusterMark} AS cluster, pg_backend_pid() AS pid,
       (SELECT backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS started FROM journal`,
  );
  return rows?.[0] ?? {};
}

const askWork = `SELECT name, doing, rate, (extract(epoch FROM now() - seen) * 1000)::bigint AS ago FROM workers ORDER BY name, id;
  SELECT greatest(0, extract(epoch FROM paused_until - now()) * 1000)::bigint AS paused FROM pace`;

function workOf([workers = [], pace = []]: readonly (readonly Row[])[]): SharedWork {
  const seen = workers.map(({ name, doing, ago, rate }) => ({
    name: String(name),
    doing: String(doing),
    seenMsAgo: Number(ago),
    ratePerSecond: rate === null || rate === undefined ? undefined : Number(rate),
  }));
  return { workers: seen, pausedForMs: Number(pace[0]?.['paused'] ?? 0) };
}

function busy(error: Error): PayrunError {
  const held = 'Another payrun holds the shared journal and does not let go of it.';
  const then = 'End it, or wait until it is done; then run the same command again.';
  return new PayrunError('journal-busy', `${held} Nothing was sent. ${then}`, {
    cause: error,
    messageAfterSends: `${held} payrun stopped; nothing more was sent. ${then}`,
  });
}

import { randomUUID } from 'node:crypto';
import { leavesWithinMs } from '../../domain/leaves-within.ts';
import { PayrunError } from '../../errors.ts';
import { createGroupCommit } from '../../storage/group-commit.ts';
import { canonicaliseNow, isCanonical } from '../canonical-payees.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { clusterMark } from './cluster-mark.ts';
import { type Mirror, openMirror } from './mirror.ts';
import { mirroredTables } from './mirrored-tables.ts';
import { createQueue } from './one-at-a-time.ts';
import { changesLiteral, type Row, type SharedConnection, type SharedPlace } from './shared-connection.ts';
import { createSharedLocks } from './shared-locks.ts';
import { JournalLost, markShared, type SharedWork } from './shared-of.ts';
import { migrateShared } from './shared-schema.ts';

const rowsAtOnce = 5_000;
/** A copy that has fallen behind is told of so many commits at once. */
const commitsAtOnce = 200;

/** So many pieces of a large write are told to others one by one; after more they fill their copies anew. */
const piecesTold = 50;

/**
 * Whoever stands still in its turn keeps all others waiting: after this Postgres ends its session, and it writes nothing any
 * more. Accepting a large file takes its time.
 */
const usualTurn = '10s';
const longTurn = '30min';

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
  if (journal['arriving'] !== null && !place.isArriving) throw isArriving();
  const ownSession = randomUUID();
  await connection.ask(`SET payrun.session = '${ownSession}'`);
  const queue = createQueue();
  let seen = 0;
  let seenMark = '';
  let lost: JournalLost | undefined;
  let longTurns = 0;
  let leave: () => void = () => undefined;

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

  /** Inside a transaction: all tables as they are at one moment. */
  async function fillFrom(fill: Mirror['fill']): Promise<void> {
    for (const { name, toPay } of mirroredTables) {
      const which = copy === 'to-pay' && toPay !== undefined ? `WHERE ${toPay}` : '';
      await ask(
        `DECLARE filling NO SCROLL CURSOR FOR SELECT row_to_json(own)::text AS row FROM ${name} AS own ${which}`,
      );
      for (let count = rowsAtOnce; count === rowsAtOnce; ) {
        const [rows = []] = await ask(`FETCH ${rowsAtOnce} FROM filling`);
        fill(name, `[${rows.map(({ row }) => String(row)).join()}]`);
        count = rows.length;
      }
      await ask('CLOSE filling');
    }
  }

  /**
   * What was committed since, as far as it is told. It begins with the commit that this copy has come to: where that is
   * another now, the journal went back and others went on from there.
   */
  function afterSeen([last, ...since]: readonly Row[]): readonly Row[] {
    if (Number(last?.['moved']) !== seen || last?.['mark'] !== seenMark) throw notTheSame();
    return since;
  }

  /** Whether what the feed tells leads from this copy to that state of the journal. */
  function isWhole(since: readonly Row[], moved: number): boolean {
    return since.length === moved - seen && since.every((row) => row['changes'] !== null);
  }

  function followTold(since: readonly Row[]): void {
    for (const row of since) mirror.follow(String(row['changes']));
    const last = since.at(-1);
    if (last) [seen, seenMark] = [Number(last['moved']), String(last['mark'])];
  }

  /** All that there is at one moment. Not in a turn: it may take its time. */
  async function readWhole(read: () => Promise<void>): Promise<void> {
    const [, state] = await ask(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${askState}`);
    await read();
    await ask('COMMIT');
    come(state);
  }

  /** This copy is what the journal is at that moment. */
  function come(state: readonly Row[] | undefined): void {
    seen = movedOf(state);
    seenMark = String(state?.[0]?.['mark']);
  }

  /** More than the feed tells, or too long ago. */
  const fillAnew = () => readWhole(() => mirror.replace(fillFrom));

  /** A journal that went back, or is another one, has forgotten what was sent from here. */
  function movedOf(rows: readonly Row[] | undefined): number {
    const { moved, id, session, arriving } = rows?.[0] ?? {};
    if (id !== journal['id'] || Number(moved) < seen) throw notTheSame();
    // Since it was opened: what is written now would be gone when that is done.
    if (arriving !== null && !place.isArriving) throw isArriving();
    if (session !== ownSession)
      throw new Error(
        'the session is shared with others (a pool such as PgBouncer): connect to Postgres itself',
      );
    return Number(moved);
  }

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

  const askState = `SELECT moved, mark, id, arriving, current_setting('payrun.session', true) AS session FROM journal`;
  const feedFrom = (from: number) =>
    `SELECT moved, mark, CASE WHEN moved > ${from} THEN changes END AS changes FROM feed WHERE moved >= ${from} ORDER BY moved LIMIT ${commitsAtOnce + 1}`;

  /** Brings the copy to about where the journal is, by what is told of it or, where that is not all, by filling it anew. */
  async function comeNear(): Promise<void> {
    for (let count = commitsAtOnce; count === commitsAtOnce; ) {
      const [state, feed = []] = await ask(`${askState}; ${feedFrom(seen)}`);
      movedOf(state);
      const since = afterSeen(feed);
      if (since.some((row) => row['changes'] === null)) return fillAnew();
      followTold(since);
      count = since.length;
    }
  }

  async function takeTurn(): Promise<void> {
    for (;;) {
      const turnWithin = longTurns > 0 ? longTurn : usualTurn;
      const [, , state, feed = []] = await ask(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '${turnWithin}'; ${askState} FOR UPDATE; ${feedFrom(seen)}`,
      );
      const moved = movedOf(state);
      const since = afterSeen(feed);
      if (isWhole(since, moved)) return followTold(since);
      // Not in a turn: others would wait for it.
      await ask('ROLLBACK');
      await comeNear();
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
        last = `SELECT ${count <= piecesTold ? 'tell_all' : 'write_rows'}(${changesLiteral(piece)});`;
      }
      const tooMuch = count > piecesTold ? 'SELECT tell_all(NULL);' : '';
      const answers = await ask(`${last} ${tooMuch} ${askState}; COMMIT`);
      come(answers.at(-2));
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
    catchingUp ??= alone(() => {
      catchingUp = undefined;
      return orLost(comeNear);
    });
    return catchingUp;
  }

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
    inLongTurn,
    lockBatch: locks.take,
    lockChunk: locks.takeChunk,
    session: { pid: Number(journal['pid']), started: String(journal['started']) },
    work: () => alone(async () => workOf(await ask(askWork))),
    close: () => alone(() => connection.close()),
  });

  await alone(() => readWhole(() => fillFrom(mirror.fill)));
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

function notTheSame(): Error {
  return new Error(
    'it is not the journal that it was: it was restored, a newer payrun changed it, or another took its place',
  );
}

function isArriving(): PayrunError {
  return new PayrunError(
    'journal-not-moved',
    'A journal was being moved to PAYRUN_JOURNAL_URL, and that was not finished. Nothing was sent. Finish it from its workspace with: payrun journal move',
  );
}

function busy(error: Error): PayrunError {
  const held = 'Another payrun holds the shared journal and does not let go of it.';
  const then = 'End it, or wait until it is done; then run the same command again.';
  return new PayrunError('journal-busy', `${held} Nothing was sent. ${then}`, {
    cause: error,
    messageAfterSends: `${held} payrun stopped; nothing more was sent. ${then}`,
  });
}

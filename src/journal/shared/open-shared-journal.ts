import { PayrunError } from '../../errors.ts';
import { createGroupCommit } from '../../storage/group-commit.ts';
import { canonicaliseNow, isCanonical } from '../canonical-payees.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { type Mirror, openMirror } from './mirror.ts';
import { mirroredTables } from './mirrored-tables.ts';
import { createQueue } from './one-at-a-time.ts';
import { changesLiteral, type Row, type SharedConnection, type SharedPlace } from './shared-connection.ts';
import { createSharedLocks } from './shared-locks.ts';
import { JournalLost, markShared } from './shared-of.ts';
import { migrateShared } from './shared-schema.ts';

const rowsAtOnce = 5_000;

/** A send whose intent was written by one who then lost the journal may leave so long after. */
const sendsLeaveWithinMs = 5_000;

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
  const { connection, schema, graceMs = sendsLeaveWithinMs } = place;
  const mirror = openMirror();
  const { db } = mirror;
  const isThere = await migrateShared(db, place);
  if (!isThere) {
    db.close();
    return undefined;
  }
  const journal = await stateOf(connection);
  if (journal['is_arriving'] === true && !place.isArriving) throw isArriving();
  const queue = createQueue();
  let seen = 0;
  let lost: JournalLost | undefined;
  let turnWithin = usualTurn;
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
    for (const { name } of mirroredTables) {
      await ask(`DECLARE filling NO SCROLL CURSOR FOR SELECT * FROM ${name}`);
      for (let count = rowsAtOnce; count === rowsAtOnce; ) {
        const [rows = []] = await ask(`FETCH ${rowsAtOnce} FROM filling`);
        fill(name, JSON.stringify(rows));
        count = rows.length;
      }
      await ask('CLOSE filling');
    }
  }

  /** Inside a transaction: what others wrote. Too much for the feed to tell, or too long ago: everything. */
  async function follow(moved: number, feed: readonly Row[]): Promise<void> {
    if (isWhole(feed, moved)) followTold(feed);
    else await mirror.replace(fillFrom);
    seen = moved;
  }

  function isWhole(feed: readonly Row[], moved: number): boolean {
    return feed.length === moved - seen && feed.every((row) => row['changes'] !== null);
  }

  function followTold(feed: readonly Row[]): void {
    for (const row of feed) mirror.follow(String(row['changes']));
  }

  const feedSince = (from: number) => `SELECT moved, changes FROM feed WHERE moved > ${from} ORDER BY moved`;
  const movedOf = (rows: readonly Row[] | undefined) => Number(rows?.[0]?.['moved'] ?? 0);

  const turns = {
    async take(): Promise<void> {
      const letGo = await queue.enter();
      try {
        const [, , journal, feed = []] = await ask(
          `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${turnWithin}'; SELECT moved FROM journal FOR UPDATE; ${feedSince(seen)}`,
        );
        await follow(movedOf(journal), feed);
        leave = letGo;
      } catch (error) {
        const isBusy = (error as { code?: string }).code === lockNotAvailable;
        if (isBusy) await ask('ROLLBACK').catch(() => undefined);
        // A copy that could not follow is none.
        else lost ??= new JournalLost(error as Error);
        letGo();
        throw lost ?? busy(error as Error);
      }
    },

    /** The last piece is committed in the same round trip, and nearly always it is the only one. */
    async handOn(): Promise<void> {
      let count = 0;
      let last = '';
      for (const piece of mirror.touched()) {
        if (last !== '') await ask(last);
        count += 1;
        last = `SELECT ${count <= piecesTold ? 'hand_on' : 'put_rows'}(${changesLiteral(piece)});`;
      }
      const tooMuch = count > piecesTold ? 'SELECT hand_on(NULL);' : '';
      const answers = await ask(`${last} ${tooMuch} SELECT moved FROM journal; COMMIT`);
      seen = movedOf(answers.at(-2));
    },

    leave: (): void => leave(),
  };

  async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const letGo = await queue.enter();
    try {
      return await work();
    } finally {
      letGo();
    }
  }

  let catchingUp: Promise<void> | undefined;
  /** Whoever asks while others wait to begin waits with them. */
  function catchUp(): Promise<void> {
    catchingUp ??= alone(async () => {
      catchingUp = undefined;
      const [feed = []] = await ask(feedSince(seen));
      const moved = Number(feed.at(-1)?.['moved'] ?? seen);
      if (isWhole(feed, moved)) {
        followTold(feed);
        seen = moved;
        return;
      }
      await ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [journal] = await ask('SELECT moved FROM journal');
      await follow(movedOf(journal), []);
      await ask('COMMIT');
    });
    return catchingUp;
  }

  const locks = createSharedLocks({
    ask: (statements) => alone(() => ask(statements)),
    schema,
    catchUp,
    graceMs,
  });

  markShared(db, {
    id: String(journal['id']),
    turns,
    catchUp,
    async inLongTurn(work) {
      turnWithin = longTurn;
      try {
        return await work();
      } finally {
        turnWithin = usualTurn;
      }
    },
    lockBatch: locks.take,
    close: () => alone(() => connection.close()),
  });

  await alone(async () => {
    const [, journal] = await ask(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT moved FROM journal',
    );
    await fillFrom(mirror.fill);
    await ask('COMMIT');
    seen = movedOf(journal);
    mirror.watch();
  });
  if (!isCanonical(db)) await createGroupCommit(db, { turns }).write(() => canonicaliseNow(db));
  return db;
}

async function stateOf(connection: SharedConnection): Promise<Row> {
  const [rows] = await connection.ask('SELECT id, is_arriving FROM journal');
  return rows?.[0] ?? {};
}

function isArriving(): PayrunError {
  return new PayrunError(
    'journal-not-moved',
    'A journal was being moved to PAYRUN_JOURNAL_URL, and that was not finished. Nothing was sent. Finish it from its workspace with: payrun journal move',
  );
}

function busy(error: Error): PayrunError {
  return new PayrunError(
    'journal-busy',
    'Another payrun holds the shared journal and does not let go of it. Nothing was sent. End it, or wait until it is done; then run the same command again.',
    { cause: error },
  );
}

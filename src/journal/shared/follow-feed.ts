import { PayrunError } from '../../errors.ts';
import type { Mirror } from './mirror.ts';
import { type CopyKind, mirroredTables } from './mirrored-tables.ts';
import type { Row } from './shared-connection.ts';
import { columnsOf } from './table-rows.ts';

const rowsAtOnce = 5_000;
/** A copy that has fallen behind is told of so many commits at once. */
const commitsAtOnce = 200;

interface FollowerParts {
  readonly ask: (statements: string) => Promise<readonly (readonly Row[])[]>;
  readonly mirror: Mirror;
  readonly copy: CopyKind;
  /** Of the journal. */
  readonly id: unknown;
  /** By which Postgres knows this session again. */
  readonly session: string;
  /** Whether this is who brings a journal here. */
  readonly isArriving: boolean | undefined;
}

/**
 * Keeps a copy where its journal is. Postgres keeps a mark of every commit, and of the later ones what they changed: by that a
 * copy follows, and is filled anew where it is not told.
 */
export function createFollower({ ask, mirror, copy, id, session, isArriving }: FollowerParts) {
  let seen = 0;
  let seenMark = '';

  const askState = `SELECT moved, mark, id, arriving, current_setting('payrun.session', true) AS session FROM journal`;
  const askFeed = () =>
    `SELECT moved, mark, CASE WHEN moved > ${seen} THEN changes END AS changes FROM feed WHERE moved >= ${seen} ORDER BY moved LIMIT ${commitsAtOnce + 1}`;

  /** A journal that went back, or is another one, has forgotten what was sent from here. */
  function movedOf(rows: readonly Row[] | undefined): number {
    const now = rows?.[0] ?? {};
    if (now['id'] !== id || Number(now['moved']) < seen) throw notTheSame();
    // Since it was opened: what is written now would be gone when that is done.
    if (!isArriving) refuseArriving(now);
    if (now['session'] !== session)
      throw new Error(
        'the session is shared with others (a pool such as PgBouncer): connect to Postgres itself',
      );
    return Number(now['moved']);
  }

  /**
   * What was committed since, as far as it is told. It begins with the commit that this copy has come to: where that is
   * another now, the journal went back and others went on from there.
   */
  function afterSeen([last, ...since]: readonly Row[]): readonly Row[] {
    if (Number(last?.['moved']) !== seen || last?.['mark'] !== seenMark) throw notTheSame();
    return since;
  }

  function followTold(since: readonly Row[]): void {
    const last = since.at(-1);
    if (!last) return;
    mirror.follow(since.map((row) => String(row['changes'])));
    [seen, seenMark] = [Number(last['moved']), String(last['mark'])];
  }

  /** This copy is what the journal is at that moment. */
  function come(state: readonly Row[] | undefined): void {
    seen = movedOf(state);
    seenMark = String(state?.[0]?.['mark']);
  }

  /** All that there is at one moment. Not in a turn: it may take its time. */
  async function readWhole(read: () => Promise<void>): Promise<void> {
    const [, state] = await ask(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${askState}`);
    await read();
    await ask('COMMIT');
    come(state);
  }

  /** Inside a transaction: all tables as they are at one moment. */
  async function fillFrom(fill: Mirror['fill']): Promise<void> {
    for (const { name, toPay } of mirroredTables) {
      const which = copy === 'to-pay' && toPay !== undefined ? `WHERE ${toPay}` : '';
      await ask(
        `DECLARE filling NO SCROLL CURSOR FOR SELECT json_build_array(${columnsOf(mirror.db, name).join()})::text AS row FROM ${name} ${which}`,
      );
      for (let count = rowsAtOnce; count === rowsAtOnce; ) {
        const [rows = []] = await ask(`FETCH ${rowsAtOnce} FROM filling`);
        fill(name, `[${rows.map(({ row }) => String(row)).join()}]`);
        count = rows.length;
      }
      await ask('CLOSE filling');
    }
  }

  return {
    askState,
    askFeed,
    come,
    /** A copy in which nothing is yet. */
    fill: () => readWhole(() => fillFrom(mirror.fill)),

    /** Whether the feed tells all that leads from this copy to that state of the journal: then it is there. */
    follow(state: readonly Row[] | undefined, feed: readonly Row[]): boolean {
      const moved = movedOf(state);
      const since = afterSeen(feed);
      const isTold = since.length === moved - seen && since.every((row) => row['changes'] !== null);
      if (isTold) followTold(since);
      return isTold;
    },

    /** Brings the copy to about where the journal is, by what is told of it or, where that is not all, by filling it anew. */
    async comeNear(): Promise<void> {
      for (let count = commitsAtOnce; count === commitsAtOnce; ) {
        const [state, feed = []] = await ask(`${askState}; ${askFeed()}`);
        movedOf(state);
        const since = afterSeen(feed);
        if (since.some((row) => row['changes'] === null)) return readWhole(() => mirror.replace(fillFrom));
        followTold(since);
        count = since.length;
      }
    },
  };
}

function notTheSame(): Error {
  return new Error(
    'it is not the journal that it was: it was restored, a newer payrun changed it, or another took its place',
  );
}

/** While another journal is being moved to where this one stands. */
export function refuseArriving(journal: Row): void {
  if (journal['arriving'] === null) return;
  throw new PayrunError(
    'journal-not-moved',
    'A journal was being moved to PAYRUN_JOURNAL_URL, and that was not finished. Nothing was sent. Finish it from its workspace with: payrun journal move',
  );
}

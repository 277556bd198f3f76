import { strict as assert } from 'node:assert';
import Database from 'better-sqlite3';
import type { Clock } from '../clock.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { mayMove, type PayoutState } from '../domain/payout/payout-state.ts';
import { noReason, reasonText } from '../domain/payout/reasons.ts';
import { isReleased, withoutRelease, withRelease } from '../domain/payout/release-marks.ts';
import type { SendEnd } from '../domain/payout/send-ends.ts';
import { PayrunError } from '../errors.ts';
import { createGroupCommit, type GroupCommit } from '../storage/group-commit.ts';
import { createRest } from '../storage/rest.ts';
import { eventChain } from './event-chain.ts';
import type { JournalDatabase } from './journal-database.ts';
import { askKnownTransactions } from './known-transactions.ts';
import { askIfMoved } from './moved-to.ts';
import { payoutColumns, preparePayouts } from './payouts/payout-columns.ts';
import { openSends, type Sent } from './sends.ts';
import { JournalLost, sharedOf } from './shared/shared-of.ts';

/**
 * So long a crash may come between what happened and its record; whoever finds the intent alone looks up. Not as long as
 * services usually take: each commit would then stand still just when the answers to the last calls come in.
 */
const patienceMs = 30;

/** Who writes: one process working on a batch, and the person who started it. */
export interface Writer {
  readonly run: string;
  readonly operator: string;
}

/** What may change about a payout when it moves, or while it stays. Its identity never does. */
export type PayoutChanges = Partial<
  Pick<
    Payout,
    | 'code'
    | 'details'
    | 'externalAccountId'
    | 'verdict'
    | 'resolvedName'
    | 'resolvedMs'
    | 'released'
    | 'hold'
    | 'transactionId'
    | 'submittedMs'
    | 'settledMs'
    | 'attempt'
    | 'reference'
    | 'unknownSends'
    | 'everSent'
    | 'acceptedRun'
    | 'paidTwice'
    | 'watched'
    | 'paidMinor'
  >
>;

/** A send whose intent is on disk. */
export interface BegunSend {
  readonly payout: Payout;
  readonly send: number;
}

export interface Move {
  readonly payout: Payout;
  readonly to: PayoutState;
  /** For the log; without it, the reason that it has from now on. */
  readonly why?: string;
  readonly changes?: PayoutChanges;
}

/** Those who write through the same share their commits: parts of a batch that one process works on at a time. */
export function journalCommit(db: JournalDatabase, clock: Clock): GroupCommit {
  const chain = eventChain(db);
  const refuseIfMoved = askIfMoved(db);
  const shared = sharedOf(db);
  return createGroupCommit(db, {
    onBegin: () => {
      chain.hold();
      // It may have been moved since it was opened: then this file is no memory any more.
      if (!shared) refuseIfMoved();
    },
    onUndone: chain.hold,
    onEnd: chain.letGo,
    patience: () => clock.sleep(patienceMs),
    // A file is nobody else's meanwhile, and calls go on in their own thread while it is written.
    rest: shared && createRest(clock),
    turns: shared?.turns,
  });
}

/**
 * The verbs of the journal. Each writing verb resolves only when its commit is on disk; many share one commit. A commit
 * that failed is never tried again: the journal is closed to writing, the run stops, and the next one looks up what
 * was under way.
 */
export function createJournal(
  db: JournalDatabase,
  clock: Clock,
  writer: Writer,
  commit: GroupCommit = journalCommit(db, clock),
) {
  const chain = eventChain(db);
  const shared = sharedOf(db);
  let broken: PayrunError | undefined;
  let isUrgent = true;

  async function write<Value>(run: () => Value): Promise<Value> {
    if (broken) throw broken;
    try {
      return await commit.write(run, { isUrgent });
    } catch (error) {
      if (error instanceof Database.SqliteError) broken = writeFailed(error);
      if (error instanceof JournalLost) broken = error;
      throw broken ?? error;
    }
  }

  const byId = preparePayouts(db, 'WHERE id = ?');
  const known = askKnownTransactions(db);
  const sends = openSends(db, clock);
  const markSent = db.prepare<[number, number]>(
    'UPDATE batches SET last_send_ms = max(coalesce(last_send_ms, 0), ?) WHERE id = ?',
  );

  /** Sends under way that a release had granted. */
  const granted = new Set<number>();
  const updates = new Map<string, Database.Statement<unknown[]>>();
  /** Preparing costs more than running: each set of columns is prepared once. */
  function update(names: readonly (keyof PayoutChanges | 'state')[]): Database.Statement<unknown[]> {
    const key = names.join();
    const known = updates.get(key);
    if (known) return known;
    const sets = names.map((name) => `${payoutColumns[name]} = ?`);
    if (names.includes('attempt')) sets.push('last_attempt = max(last_attempt, ?)');
    const statement = db.prepare<unknown[]>(
      `UPDATE payouts SET ${sets.join(', ')} WHERE id = ? AND state = ?`,
    );
    updates.set(key, statement);
    return statement;
  }

  function read(id: number): Payout {
    const [payout] = byId(id);
    assert(payout, `there is no payout ${id}`);
    return payout;
  }

  /** Gives the payout as it is then: all of it is known, and reading it back costs more than writing it. */
  function change(payout: Payout, to: PayoutState, changes: PayoutChanges): Payout {
    const { id, state: believed } = payout;
    const names = Object.keys(changes) as (keyof PayoutChanges)[];
    const lastAttempt = Math.max(payout.lastAttempt, changes.attempt ?? 0);
    const values: unknown[] = names.map((name) => {
      const value = changes[name];
      return typeof value === 'boolean' ? Number(value) : value;
    });
    // A state that stays is not written: the indexes that hold it would be written once more as well.
    const isStateWritten = to !== believed || names.length === 0;
    if (isStateWritten) values.push(to);
    if (changes.attempt !== undefined) values.push(changes.attempt);
    values.push(id, believed);
    const { changes: count } = update(isStateWritten ? [...names, 'state'] : names).run(...values);
    assert(count === 1, `payout ${id} is not ${believed} any more`);
    known.remember(payout, changes);
    return { ...payout, ...changes, state: to, lastAttempt };
  }

  /** The one function that moves a payout: by the table, from the state the caller believes, with its event. */
  function moveNow({ payout, to, why, changes = {} }: Move): Payout {
    assert(mayMove(payout.state, to), `a payout never goes from ${payout.state} to ${to}`);
    assert(
      payout.state !== 'submitted' || to !== 'refused' || changes.code === 'decided-while-pending',
      'a payout never goes from submitted to refused, unless a person gives it up',
    );
    const moved = change(payout, to, changes);
    log(payout, payout.state, to, why ?? reasonText({ ...noReason, ...changes }));
    return moved;
  }

  function log(payout: Payout, from: string, to: string, why: string): void {
    const { run, operator } = writer;
    chain.append({
      atMs: clock.nowMs(),
      batch: payout.batch,
      payout: payout.id,
      run,
      operator,
      from,
      to,
      why,
    });
  }

  /**
   * The intent to send. On disk before the first byte leaves, for every send and not only the first: whoever finds
   * it later knows that money may have moved. A release that granted one more send is used up with it, and not
   * with its end: a send that was cut off has been made all the same. What must hold is asked in the same step as it is
   * written; where it does not, nothing is.
   */
  function beginSend(payout: Payout, why: string): Promise<BegunSend>;
  function beginSend(payout: Payout, why: string, holds: () => boolean): Promise<BegunSend | undefined>;
  function beginSend(
    payout: Payout,
    why: string,
    holds: () => boolean = () => true,
  ): Promise<BegunSend | undefined> {
    const begun = write(() => {
      if (!holds()) return undefined;
      const begun = { everSent: true, released: withoutRelease(payout, 'send') };
      const present =
        payout.state === 'submitting'
          ? change(payout, 'submitting', begun)
          : moveNow({ payout, to: 'submitting', why, changes: { ...begun, ...noReason } });
      const send = sends.begin(payout, writer.run);
      markSent.run(clock.nowMs(), payout.batch);
      return { payout: present, send };
    });
    if (!isReleased(payout, 'send')) return begun;
    return begun.then((sending) => {
      if (sending) granted.add(sending.send);
      return sending;
    });
  }

  return {
    write,
    writer,

    /** What is begun to be written here may wait a moment for others: nobody waits for it. */
    unhurried<Value>(begin: () => Value): Value {
      isUrgent = false;
      try {
        return begin();
      } finally {
        isUrgent = true;
      }
    },

    /** Whatever waits is written now. */
    hurry: commit.hurry,

    chainEnd: () => chain.end(),
    read,

    move: (move: Move): Promise<Payout> => write(() => moveNow(move)),

    /** A decision about many payouts, in one commit: every move of it happens, or none. */
    moveTogether<Value>(decide: (move: (move: Move) => Payout) => Value): Promise<Value> {
      const moveAll = () => write(() => decide(moveNow));
      return shared?.inLongTurn(moveAll) ?? moveAll();
    },

    /** Something learned that moves nothing. */
    note: (payout: Payout, changes: PayoutChanges): Promise<Payout> =>
      write(() => change(payout, payout.state, changes)),

    /** A line in the log about the whole batch. */
    logBatch: (batch: number, from: string, to: string, why: string): Promise<void> =>
      write(() => chain.append({ atMs: clock.nowMs(), batch, payout: undefined, ...writer, from, to, why })),

    beginSend,

    /** A send that another journal made, as the service shows it. */
    foundSend: (payout: Payout, atMs: number): Promise<void> =>
      write(() => void markSent.run(atMs, payout.batch)),

    /**
     * The service took it and named its transaction. One that is another payout's already cannot be this one's: the
     * send has then ended unknown, and a look-up must tell.
     */
    acceptSend: (payout: Payout, send: number, transactionId: string): Promise<Payout> =>
      write(() => {
        const taken = known.isTaken(transactionId, payout.id, payout.batch);
        const ended = taken
          ? ({ outcome: 'unknown', code: 'transaction-taken' } as const)
          : ({ outcome: 'ok', code: 'accepted' } as const);
        sends.end(send, ended, transactionId);
        if (taken) return change(payout, payout.state, { unknownSends: payout.unknownSends + 1 });
        const changes = { transactionId, submittedMs: clock.nowMs(), ...noReason };
        return moveNow({ payout, to: 'submitted', why: 'accepted', changes });
      }),

    ...sends.questions,

    /** So long after its last send began a look-up did not show it. */
    noteUnseen: (sent: Sent, forMs: number): Promise<void> => write(() => sends.noteUnseen(sent, forMs)),

    endSend: (payout: Payout, send: number, ended: SendEnd): Promise<Payout> =>
      write(() => {
        sends.end(send, ended);
        const { outcome } = ended;
        const everSent = sends.questions.lastSendEnd(payout) !== undefined;
        const unknownSends = payout.unknownSends + (outcome === 'unknown' ? 1 : 0);
        // Nothing left the machine: the one send that a person granted has not been made.
        const regained =
          granted.has(send) && outcome === 'not-sent' ? { released: withRelease(payout, 'send') } : {};
        return change(payout, payout.state, { everSent, unknownSends, ...regained });
      }),
  };
}

export type Journal = ReturnType<typeof createJournal>;

function writeFailed(error: Error): PayrunError {
  return new PayrunError(
    'journal-write-failed',
    `The journal could not be written (${error.message}). payrun stopped; nothing more was sent. Make room or fix the disk, then run the same command again.`,
    { cause: error },
  );
}

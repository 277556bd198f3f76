import type { Clock } from '../clock.ts';
import type { Payout } from '../domain/payout/payout.ts';
import type { SendEnd, SendOutcome } from '../domain/payout/send-ends.ts';
import type { JournalDatabase } from './journal-database.ts';

/** A payout under one of its references. */
export type Sent = Pick<Payout, 'id' | 'reference'>;

interface SendThatLeft {
  readonly outcome: SendOutcome | '';
  readonly begunMs: number;
  readonly unseenMs: number;
}

/** Every send ever begun, and how it ended. One that did not leave the machine is none. */
export function openSends(db: JournalDatabase, clock: Clock) {
  const add = db.prepare<[number, string, string, number]>(
    'INSERT INTO sends (payout, reference, run, begun_ms) VALUES (?, ?, ?, ?)',
  );
  const end = db.prepare(
    `UPDATE sends SET ended_ms = ?, outcome = ?, code = ?, error_code = ?, words = ?, transaction_id = ?
     WHERE id = ?`,
  );
  const last = db.prepare<[number, string], Required<SendEnd>>(
    `SELECT outcome, code, error_code AS errorCode, words FROM sends WHERE payout = ? AND reference = ?
     ORDER BY id DESC LIMIT 1`,
  );
  const lastThatLeft = db.prepare<[number, string], SendThatLeft>(
    `SELECT outcome, begun_ms AS begunMs, unseen_ms AS unseenMs FROM sends
     WHERE payout = ? AND reference = ? AND outcome <> 'not-sent' ORDER BY id DESC LIMIT 1`,
  );
  const noteUnseen = db.prepare<[number, number, string]>(
    `UPDATE sends SET unseen_ms = max(unseen_ms, ?) WHERE id = (SELECT id FROM sends
     WHERE payout = ? AND reference = ? AND outcome <> 'not-sent' ORDER BY id DESC LIMIT 1)`,
  );
  const lastLeftMs = db
    .prepare<[number, string], number | null>(
      `SELECT max(begun_ms) FROM sends WHERE payout = ? AND reference = ? AND outcome <> 'not-sent'`,
    )
    .pluck();
  const left = db
    .prepare<[number], number>(`SELECT count(*) FROM sends WHERE payout = ? AND outcome <> 'not-sent'`)
    .pluck();

  return {
    begin: ({ id, reference }: Sent, run: string): number =>
      Number(add.run(id, reference, run, clock.nowMs()).lastInsertRowid),

    end(send: number, { outcome, code, errorCode = '', words = '' }: SendEnd, transactionId = ''): void {
      end.run(clock.nowMs(), outcome, code, errorCode, words, transactionId, send);
    },

    noteUnseen: ({ id, reference }: Sent, forMs: number): void => void noteUnseen.run(forMs, id, reference),

    questions: {
      /** How the last send under the present reference ended, if that was a refusal. */
      lastRefusal: ({ id, reference }: Sent): Required<SendEnd> | undefined => {
        const ended = last.get(id, reference);
        return ended?.outcome === 'refused' ? ended : undefined;
      },

      /** When the last send under a reference that left the machine was begun; undefined where none did. */
      lastSentMs: ({ id, reference }: Sent): number | undefined => lastLeftMs.get(id, reference) ?? undefined,

      /** How the last send under the present reference ended that left the machine; undefined where none did. */
      lastSendEnd: ({ id, reference }: Sent): SendOutcome | '' | undefined =>
        lastThatLeft.get(id, reference)?.outcome,

      /** How long after its last send began a look-up still did not show it; 0 where none looked in vain. */
      unseenMs: ({ id, reference }: Sent): number => lastThatLeft.get(id, reference)?.unseenMs ?? 0,

      /** How long ago its last send began, by the clock on the wall; 0 where none did, or where that clock went back. */
      sinceLastSendMs: ({ id, reference }: Sent): number =>
        Math.max(0, clock.nowMs() - (lastThatLeft.get(id, reference)?.begunMs ?? Number.POSITIVE_INFINITY)),

      /** How many sends of a payout, under whichever reference, left the machine. */
      sendsThatLeft: ({ id }: Pick<Payout, 'id'>): number => left.get(id) ?? 0,
    },
  };
}

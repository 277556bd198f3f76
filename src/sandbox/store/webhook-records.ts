import type { Database } from 'better-sqlite3';
import type * as z from 'zod';
import type { listWebhooks } from '../../service/contract/webhooks.ts';
import type { Settings } from '../settings.ts';
import { fromDay, toDay } from './day-range.ts';
import { newId } from './new-id.ts';
import type { TransactionRecord } from './transaction-record.ts';

export interface WebhookEvent {
  readonly id: string;
  readonly createdMs: number;
  readonly event: string;
  readonly data: string;
  readonly url: string;
  readonly status: 'CREATED' | 'SUCCESS' | 'FAILED';
  readonly responseStatus: string | null;
  readonly tries: number;
  readonly nextMs: number | null;
}

type Subject = Pick<TransactionRecord, 'id' | 'externalReference' | 'status' | 'type' | 'test'>;

const select = `SELECT id, created_ms AS createdMs, event, data, url, status, response_status AS responseStatus, tries, next_ms AS nextMs
  FROM webhooks`;

/** Every delivery is a record first: what was to be told survives the process that was to tell it. */
export function createWebhookRecords(db: Database, settings: Settings) {
  const insert = db.prepare(
    `INSERT INTO webhooks (id, created_ms, event, transaction_id, external_reference, data, url, status, next_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'CREATED', ?)`,
  );
  const byId = db.prepare<[string], WebhookEvent>(`${select} WHERE id = ?`);
  // Under way ones are named in a JSON list: their number is small and changes all the time.
  const notUnderWay = 'id NOT IN (SELECT value FROM json_each(?))';
  const due = db.prepare<[number, string, number], WebhookEvent>(
    `${select} WHERE next_ms <= ? AND ${notUnderWay} ORDER BY next_ms, seq LIMIT ?`,
  );
  const next = db
    .prepare<[string], number | null>(
      `SELECT min(next_ms) FROM webhooks WHERE next_ms IS NOT NULL AND ${notUnderWay}`,
    )
    .pluck();
  // Only while it is still the delivery that was begun: a resend meanwhile begins another.
  const delivered = db.prepare<[string, string, number | null, string, number | null]>(
    `UPDATE webhooks SET status = ?, response_status = ?, tries = tries + 1, next_ms = ? WHERE id = ? AND next_ms IS ?`,
  );
  const again = db.prepare<[number, string]>(
    `UPDATE webhooks SET status = 'CREATED', tries = 0, next_ms = ? WHERE id = ?`,
  );

  let news = false;

  return {
    /** True once after something was recorded: the courier need not be woken for nothing. */
    takeNews(): boolean {
      const was = news;
      news = false;
      return was;
    },
    /** Nobody listens where no URL is configured: then there is nothing to deliver and nothing to record. */
    record(event: string, subject: Subject, atMs: number): string | undefined {
      const profile = settings.profile();
      const url = subject.test ? profile.sandboxWebhookUrl : profile.webhookUrl;
      if (url === '') return undefined;
      const data = JSON.stringify({
        transactionId: subject.id,
        status: subject.status.toLowerCase(),
        type: subject.type === 'withdrew' ? 'withdrawal' : subject.type,
        externalReference: subject.externalReference,
      });
      const id = newId();
      news = true;
      insert.run(id, atMs, event, subject.id, subject.externalReference, data, url, atMs);
      return id;
    },
    find: (id: string) => byId.get(id),
    due: (nowMs: number, underWay: readonly string[], limit: number) =>
      due.all(nowMs, JSON.stringify(underWay), limit),
    nextMs: (underWay: readonly string[]): number | undefined =>
      next.get(JSON.stringify(underWay)) ?? undefined,
    recordReply: (
      event: WebhookEvent,
      status: WebhookEvent['status'],
      reply: string,
      nextMs: number | undefined,
    ) => void delivered.run(status, reply, nextMs ?? null, event.id, event.nextMs),
    sendAgain(id: string, atMs: number): void {
      news = true;
      again.run(atMs, id);
    },

    list(filter: z.output<typeof listWebhooks.query>): WebhookEvent[] {
      const conditions: [string, unknown[]][] = [
        ['status = ?', [filter.status]],
        [fromDay, [filter.startDate]],
        [toDay, [filter.endDate]],
        ['(transaction_id = ? OR external_reference = ?)', [filter.reference, filter.reference]],
      ];
      const asked = conditions.filter(([, values]) => values[0] !== undefined);
      const where = asked.length === 0 ? '' : ` WHERE ${asked.map(([sql]) => sql).join(' AND ')}`;
      return db
        .prepare<unknown[], WebhookEvent>(`${select}${where} ORDER BY seq DESC LIMIT ?`)
        .all(...asked.flatMap(([, values]) => values), filter.limit);
    },
  };
}

export type WebhookRecords = ReturnType<typeof createWebhookRecords>;

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { logOfBatch } from '../../src/library/log-of-batch.ts';
import { logPieces } from '../../src/report/log-document.ts';
import { logReport } from '../../src/report/log-report.ts';
import { type SeededPayout, seedBatch } from '../support/seed-journal.ts';

interface EventDocument {
  readonly event: number;
  readonly hash: string;
  readonly atMs: number;
  readonly payout: number | null;
  readonly run: string;
  readonly operator: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

async function opened(payouts: readonly SeededPayout[], keyKind: 'paymentId' | 'payee' = 'paymentId') {
  const db = openEmptyJournal();
  const { batch, payout } = await seedBatch(db, payouts, { keyKind });
  const asked = (payment?: string) => logOfBatch(db, batch, payment, 'Africa/Nairobi');
  const journalOf = (run: string, operator = 'amina') => createJournal(db, systemClock, { run, operator });
  const text = (payment?: string, isWhole = false, width?: number) =>
    [...logReport(asked(payment), { width, isWhole })].join('');
  return { db, payout, asked, journalOf, text };
}

/** Sent once without an answer, sent again and paid. */
async function sentTwice() {
  const log = await opened([{ key: 'E1', state: 'ready' }, { key: 'E2' }]);
  const journal = log.journalOf('4a4d70ed-run');
  const first = await journal.beginSend(log.payout('E1'), 'first send');
  const lost = await journal.endSend(first.payout, first.send, { outcome: 'unknown', code: 'timed-out' });
  await journal.noteUnseen(lost, 4_000);
  const second = await journal.beginSend(lost, 'sent again');
  const submitted = await journal.acceptSend(second.payout, second.send, 'T1');
  await journal.move({ payout: submitted, to: 'paid', why: 'the service says successful (T1)' });
  return log;
}

test('nobody who is named in the log, and nothing that was said, begins a line of it', async () => {
  const log = await opened([{ key: 'E1', state: 'ready' }]);
  const forged = '\n     #99  2026-11-16 11:00:00  boss        released';
  await log
    .journalOf('run-2', `mallory${forged}`)
    .move({ payout: log.payout('E1'), to: 'held', why: `held${forged}`, changes: { hold: 'name' } });
  for (const width of [undefined, 80, 140])
    for (const text of [log.text('E1', false, width), log.text(undefined, true, width)])
      expect(text).not.toMatch(/^ +#99 /m);
});

describe('the log of one payment', () => {
  test('has every move and every send with its end in order, and none of another payment', async () => {
    const { text, payout } = await sentTwice();
    const said = text('E1')
      .split('\n')
      .map((line) => line.replace(/^.*\d\d:\d\d:\d\d\s+/, ''));
    const { reference } = payout('E1');
    expect(said.slice(1, -2)).toEqual([
      'a test      batch begun: accepted',
      'a test      planned to ready: seeded',
      'amina       ready to submitting: first send',
      `sent under reference ${reference} (run 4a4d70ed)`,
      'that send ended: unknown (timed-out); 4 s after its beginning a look-up still did not show it',
      `sent under reference ${reference} (run 4a4d70ed)`,
      'that send ended: ok (accepted), transaction T1',
      'amina       submitting to submitted: accepted',
      'amina       submitted to paid: the service says successful (T1)',
    ]);
  });

  test('is no wider than the terminal, and breaks between words', async () => {
    const { text } = await sentTwice();
    for (const width of [60, 80, 140])
      for (const line of text('E1', false, width).split('\n').slice(1, -2))
        expect(line.length, line).toBeLessThanOrEqual(width);
  });
});

describe('the log of a batch', () => {
  test('says who decided what about how many and why, and a run in one line', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `E${index + 1}`);
    const { text, journalOf, payout, asked } = await opened(keys.map((key) => ({ key, state: 'held' })));
    await journalOf('decision 1').moveTogether((move) => {
      for (const key of keys)
        move({ payout: payout(key), to: 'planned', why: 'released (name): seen their cards' });
    });
    const said = text();
    expect(said).toMatch(
      /amina +payments E1, E2, E3, E4, E5 and 3 more payouts: held to planned: released \(name\): seen their cards\n/,
    );
    expect(said).toMatch(/a test +run seeding moved payouts: 8 to held, until \d{4}-/);
    const whole = text(undefined, true);
    expect(whole).toContain('payment E8: held to planned: released (name): seen their cards');
    expect([...asked().log.events()]).toHaveLength(17);
  });

  test('as JSON has the events as they stand: each hash can be worked out again', async () => {
    const { asked } = await sentTwice();
    const document = JSON.parse([...logPieces(asked())].join('')) as {
      readonly kind: string;
      readonly batchNumber: number;
      readonly events: readonly EventDocument[];
      readonly sends: readonly { readonly code: string; readonly unseenMs: number }[];
    };
    expect(document.kind).toBe('log');
    expect(document.sends).toMatchObject([{ code: 'timed-out', unseenMs: 4_000 }, { code: 'accepted' }]);
    let before = '';
    for (const { event, hash, atMs, payout, run, operator, from, to, why } of document.events) {
      const text = JSON.stringify([
        before,
        event,
        atMs,
        document.batchNumber,
        payout,
        run,
        operator,
        from,
        to,
        why,
      ]);
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
      before = hash;
    }
    expect(document.events).toHaveLength(5);
  });

  test('is read as it is printed: what comes in meanwhile is in it, and nothing is held in memory', async () => {
    const keys = Array.from({ length: 600 }, (_, index) => `E${index}`);
    const { asked, journalOf, payout } = await opened(keys.map((key) => ({ key, state: 'ready' })));
    const journal = journalOf('decision 1');
    await journal.moveTogether((move) => {
      for (const key of keys) move({ payout: payout(key), to: 'planned', why: 'once' });
    });
    const events = asked().log.events();
    expect(events.next().value).toMatchObject({ seq: 1 });
    await journal.move({ payout: payout('E0'), to: 'held', why: 'the last' });
    expect([...events].at(-1)).toMatchObject({ why: 'the last', payment: 'E0' });
  });

  test('masks a payee that stands for a payment', async () => {
    const { asked, payout } = await opened([{ key: 'KE:momo:+254712345671' }], 'payee');
    const json = [...logPieces(asked(payout('KE:momo:+254712345671').reference))].join('');
    expect(json).toContain('KE:momo:…5671');
    expect(json).not.toContain('254712345671');
  });
});

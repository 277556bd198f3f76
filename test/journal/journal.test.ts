import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { withRelease } from '../../src/domain/payout/release-marks.ts';
import { readBatch } from '../../src/journal/batch-record.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { migrations } from '../../src/journal/migrations.ts';
import { openEmptyJournal, openJournal } from '../../src/journal/open-journal.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import { seedBatch } from '../support/seed-journal.ts';

const writer = { run: 'r1', operator: 'amina' };

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'journal.db');
}

describe('opening', () => {
  test('the file is private, in WAL and fully synchronous, also when it is opened again', () => {
    const path = journalFile();
    for (let time = 0; time < 2; time += 1) {
      const db = openJournal(path);
      expect(db.pragma('synchronous', { simple: true })).toBe(2);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
      db.close();
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  test('a journal of a newer version is refused', () => {
    const path = journalFile();
    const db = openJournal(path);
    db.pragma('user_version = 99');
    db.close();
    expect(() => openJournal(path)).toThrow('newer payrun');
  });

  test('a journal of an earlier version is brought forward, and nothing of it is lost', () => {
    const path = journalFile();
    const old = new Database(path);
    old.exec(migrations[0] ?? '');
    old.pragma('user_version = 1');
    old
      .prepare(
        `INSERT INTO batches (name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path,
           columns, delimiter, policy) VALUES ('may', 'may', 'here', 'payee', 1, 'f', 'd', '/r', '[]', ',', '{}')`,
      )
      .run();
    old.close();
    const db = openJournal(path);
    onTestFinished(() => void db.close());
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(readBatch(db, 'may')).toMatchObject({ resultsPath: '/r', bounds: new Map() });
  });

  test('a file that is no journal is refused, and left as it is', () => {
    const path = journalFile();
    writeFileSync(path, 'paymentId,amount\n'.repeat(100));
    const before = readFileSync(path);
    expect(() => openJournal(path)).toThrow('cannot be read');
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('compare and set', () => {
  test('a caller who believes an old state fails, and changes nothing', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [{ key: 'E1' }]);
    const journal = createJournal(db, systemClock, writer);
    const stale = payout('E1');
    await journal.move({ payout: stale, to: 'ready', why: 'first' });
    await expect(journal.move({ payout: stale, to: 'held', why: 'second' })).rejects.toThrow(
      'not planned any more',
    );
    expect(journal.read(stale.id).state).toBe('ready');
    await expect(journal.note(stale, { details: 'late' })).rejects.toThrow('not planned any more');
    await expect(journal.beginSend({ ...stale, state: 'submitting' }, 'send')).rejects.toThrow('submitting');
    expect(db.prepare('SELECT count(*) FROM sends').pluck().get()).toBe(0);
  });

  test('of two callers with the same belief in one commit, one wins and the other is told', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [{ key: 'E1' }, { key: 'E2' }]);
    const journal = createJournal(db, systemClock, writer);
    const outcomes = await Promise.allSettled([
      journal.move({ payout: payout('E1'), to: 'ready', why: 'one' }),
      journal.move({ payout: payout('E1'), to: 'held', why: 'two' }),
      journal.move({ payout: payout('E2'), to: 'ready', why: 'beside them' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([payout('E1').state, payout('E2').state]).toEqual(['ready', 'ready']);
  });
});

describe('group commit', () => {
  test('a promise resolves only when another connection can read what it wrote', async () => {
    const path = journalFile();
    const db = openJournal(path);
    const { payout } = await seedBatch(db, [{ key: 'E1' }, { key: 'E2' }, { key: 'E3' }]);
    const reader = new Database(path, { readonly: true });
    const seen = (key: string) =>
      reader.prepare<[string], string>('SELECT state FROM payouts WHERE key = ?').pluck().get(key);
    const journal = createJournal(db, systemClock, writer);
    const order: string[] = [];
    const moves = ['E1', 'E2', 'E3'].map(async (key) => {
      await journal.move({ payout: payout(key), to: 'ready', why: 'go' });
      order.push(`${key} ${seen(key)}`);
    });
    expect(['E1', 'E2', 'E3'].map(seen)).toEqual(['planned', 'planned', 'planned']);
    await Promise.all(moves);
    expect(order).toEqual(['E1 ready', 'E2 ready', 'E3 ready']);
    reader.close();
    db.close();
  });

  test('writes that arrive together share one commit', async () => {
    const path = journalFile();
    const db = openJournal(path);
    const { payout } = await seedBatch(
      db,
      Array.from({ length: 50 }, (_, index) => ({ key: `E${index}` })),
    );
    const journal = createJournal(db, systemClock, writer);
    const reader = new Database(path, { readonly: true });
    const version = () => reader.pragma('data_version', { simple: true }) as number;
    const before = version();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        journal.move({ payout: payout(`E${index}`), to: 'ready', why: 'go' }),
      ),
    );
    expect(version()).toBe(before + 1);
    reader.close();
    db.close();
  });

  test('after a commit that failed nothing is written any more, and everybody is told why', async () => {
    const path = journalFile();
    const db = openJournal(path);
    const { payout } = await seedBatch(db, [{ key: 'E1' }, { key: 'E2' }]);
    const journal = createJournal(db, systemClock, writer);
    // A disk that is full: SQLite may not take one page more.
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    const long = 'x'.repeat(100_000);
    const failed = { code: 'journal-write-failed', exit: 74 };
    await expect(journal.note(payout('E1'), { details: long })).rejects.toMatchObject(failed);
    db.pragma('max_page_count = 1000000');
    await expect(journal.move({ payout: payout('E2'), to: 'ready', why: 'go' })).rejects.toMatchObject(
      failed,
    );
    expect(payout('E2').state).toBe('planned');
    db.close();
  });

  test('a decision about many moves all of them or none', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [{ key: 'E1' }, { key: 'E2' }]);
    const journal = createJournal(db, systemClock, writer);
    const undone = journal.moveTogether((move) => {
      move({ payout: payout('E1'), to: 'cancelled', why: 'no' });
      throw new Error('a guard refuses');
    });
    await expect(undone).rejects.toThrow('a guard refuses');
    expect(payout('E1').state).toBe('planned');
    await journal.moveTogether((move) => {
      move({ payout: payout('E1'), to: 'cancelled', why: 'no' });
      move({ payout: payout('E2'), to: 'cancelled', why: 'no' });
    });
    expect([payout('E1').state, payout('E2').state]).toEqual(['cancelled', 'cancelled']);
  });
});

describe('sends', () => {
  test('the intent is on disk before the promise of it resolves, for a second send too', async () => {
    const path = journalFile();
    const db = openJournal(path);
    const { payout } = await seedBatch(db, [{ key: 'E1', state: 'ready' }]);
    const reader = new Database(path, { readonly: true });
    const onDisk = () =>
      reader
        .prepare(
          'SELECT outcome, state, ever_sent AS everSent FROM sends JOIN payouts ON payouts.id = payout',
        )
        .all();
    const journal = createJournal(db, systemClock, writer);
    const first = await journal.beginSend(payout('E1'), 'first send');
    expect(onDisk()).toEqual([{ outcome: '', state: 'submitting', everSent: 1 }]);
    const ended = await journal.endSend(first.payout, first.send, { outcome: 'unknown', code: 'timed-out' });
    expect(ended.unknownSends).toBe(1);
    await journal.beginSend(ended, 'sent again');
    expect(onDisk()).toHaveLength(2);
    expect(existsSync(`${path}-wal`)).toBe(true);
    reader.close();
    db.close();
  });

  test('a send of which no byte left makes the payout unsent again, unless an earlier one did leave', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [{ key: 'E1', state: 'ready' }]);
    const journal = createJournal(db, systemClock, writer);
    const first = await journal.beginSend(payout('E1'), 'first send');
    const unsent = await journal.endSend(first.payout, first.send, {
      outcome: 'not-sent',
      code: 'connection-refused',
    });
    expect(unsent.everSent).toBe(false);
    const second = await journal.beginSend(unsent, 'again');
    const unknown = await journal.endSend(second.payout, second.send, {
      outcome: 'unknown',
      code: 'timed-out',
    });
    const third = await journal.beginSend(unknown, 'again');
    expect(
      (await journal.endSend(third.payout, third.send, { outcome: 'not-sent', code: 'connection-refused' }))
        .everSent,
    ).toBe(true);
  });

  test('the one more send that a release grants is used up by the intent, and not by one that never left', async () => {
    const db = openEmptyJournal();
    const { payout } = await seedBatch(db, [
      { key: 'E1', state: 'submitting', changes: { unknownSends: 2 } },
    ]);
    const journal = createJournal(db, systemClock, writer);
    const released = await journal.note(payout('E1'), {
      released: withRelease({ released: 'name' }, 'send'),
    });
    const first = await journal.beginSend(released, 'again');
    expect(first.payout.released).toBe('name');
    expect(payout('E1').unknownSends).toBe(2);
    const back = await journal.endSend(first.payout, first.send, {
      outcome: 'not-sent',
      code: 'connection-refused',
    });
    expect(back.released).toBe('name send');
    const second = await journal.beginSend(back, 'again');
    expect(
      (await journal.endSend(second.payout, second.send, { outcome: 'unknown', code: 'timed-out' })).released,
    ).toBe('name');
  });
});

describe('pages', () => {
  test('payouts of several states come in the order of the file, page by page, none twice', async () => {
    const db = openEmptyJournal();
    const states = ['paid', 'failed', 'planned', 'held'] as const;
    const seeded = Array.from({ length: 40 }, (_, index) => ({
      key: `E${index}`,
      state: states[index % 4] ?? 'planned',
      changes: index % 4 < 2 ? { transactionId: `T${index}` } : {},
    }));
    const { batch } = await seedBatch(db, seeded);
    const payouts = payoutQueries(db, batch.id);
    const read: string[] = [];
    for (let last = 0; ; ) {
      const page = payouts.page(['failed', 'paid'], last, 7);
      if (page.length === 0) break;
      read.push(...page.map(({ key }) => key));
      last = page.at(-1)?.id ?? 0;
    }
    expect(read).toEqual(
      seeded.filter(({ state }) => state === 'paid' || state === 'failed').map(({ key }) => key),
    );
  });
});

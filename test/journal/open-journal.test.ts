import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';

test('a journal that somebody holds and does not let go of is busy (75), not damaged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'journal.db');
  openJournal(path).close();
  const holder = new Database(path);
  onTestFinished(() => void holder.close());
  holder.pragma('locking_mode = EXCLUSIVE');
  holder.exec('BEGIN IMMEDIATE');

  expect(() => openJournal(path)).toThrow(
    expect.objectContaining({ code: 'journal-busy', exit: 75, message: expect.stringContaining(path) }),
  );
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { migrations } from '../../src/journal/migrations.ts';

/** A journal as an earlier version has left it. */
export function journalOfSchema(version: number, fill: (old: Database.Database) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-schema-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'journal.sqlite');
  const old = new Database(path);
  for (const sql of migrations.slice(0, version)) old.exec(sql);
  old.pragma(`user_version = ${version}`);
  fill(old);
  old.close();
  return path;
}

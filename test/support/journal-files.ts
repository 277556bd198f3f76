import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Payroll } from './pay-run.ts';

const parts = ['', '-wal', '-shm'];

/** The disk lost it, or somebody tidied up. */
export function deleteJournal({ journalFile }: Payroll): void {
  for (const part of parts) rmSync(`${journalFile}${part}`, { force: true });
}

/** Copies the journal as it stands, with what SQLite keeps beside it; gives back how to restore it. */
export function copyJournal(payroll: Payroll): { restore(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { journalFile } = payroll;
  const kept = parts.filter((part) => existsSync(`${journalFile}${part}`));
  for (const part of kept) copyFileSync(`${journalFile}${part}`, join(folder, `copy${part}`));
  return {
    restore() {
      deleteJournal(payroll);
      for (const part of kept) copyFileSync(join(folder, `copy${part}`), `${journalFile}${part}`);
    },
  };
}

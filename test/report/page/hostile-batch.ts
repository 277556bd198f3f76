import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { reason } from '../../../src/domain/payout/reasons.ts';
import { openPayrun, type Payrun } from '../../../src/index.ts';
import type { JournalDatabase } from '../../../src/journal/journal-database.ts';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { journalPath, makeWorkspace } from '../../../src/workspace.ts';
import { type SeededPayout, type SeedOptions, seedBatch } from '../../support/seed-journal.ts';

/** What somebody may write where a name belongs. Each would set `stolen` if it were taken for more than a text. */
export const hostileTexts = [
  '</script><script>stolen=1</script>',
  '<img src=x onerror=stolen=1>',
  '"><svg onload=stolen=1>',
  "' autofocus onfocus='stolen=1",
  '</td></tr></table><iframe src="javascript:stolen=1">',
  '--><style>*{display:none}</style><!--',
  '</title><base href=https://example.com/>',
  'Mary \u202egnp.exe\u2028 Wanjiku\u0000\u200f',
  '&lt;b&gt; &#60;i&#62; \ud800',
  'javascript:stolen=1',
] as const;

export interface Reported {
  readonly folder: string;
  readonly workspace: string;
  readonly db: JournalDatabase;
  readonly payrun: Payrun;
  readonly path: string;
}

/** A workspace with one batch, `payroll`, whose report goes into a folder of its own. */
export async function reportedWorkspace(
  payouts: readonly SeededPayout[],
  options: SeedOptions = {},
): Promise<Reported> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-report-'));
  const workspace = join(folder, 'workspace');
  makeWorkspace(workspace);
  const db = openJournal(journalPath(workspace, 'live'));
  const payrun = openPayrun({
    workspace,
    config: {},
    operator: '<b>amina</b>',
    settings: { timeZone: 'Africa/Nairobi' },
  });
  onTestFinished(async () => {
    await payrun.close();
    db.close();
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  const resultsPath = join(folder, 'payroll.results.csv');
  await seedBatch(db, payouts, { environment: `${live} ${hostileTexts[1]}`, resultsPath, ...options });
  return { folder, workspace, db, payrun, path: join(folder, 'payroll.report.html') };
}

const live = 'https://pay.example.com/api/b2b';
const settledMs = Date.parse('2026-11-16T05:31:00Z');

/** Every text of others that a report shows is hostile: ids, names, words of the service, reasons of people. */
export function hostilePayouts(): SeededPayout[] {
  return hostileTexts.flatMap((text, index) => [
    {
      key: `P${index} ${text}`,
      accountName: text,
      state: 'paid' as const,
      amountMinor: BigInt(150_000 + index * 100),
      changes: {
        verdict: 'match' as const,
        transactionId: `T${index}`,
        settledMs: settledMs + index * 60_000,
      },
    },
    {
      key: `H${index}`,
      accountName: text,
      state: 'held' as const,
      changes: {
        hold: 'name' as const,
        verdict: 'mismatch' as const,
        resolvedName: text,
        ...reason('name-mismatch', { why: text }),
      },
    },
    {
      key: `F${index}`,
      accountName: text,
      state: 'refused' as const,
      changes: { ...reason('refused', { errorCode: 'E-1', words: text }), settledMs },
    },
  ]);
}

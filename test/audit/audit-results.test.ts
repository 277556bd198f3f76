import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditResults } from '../../src/audit/audit-results.ts';
import { systemClock } from '../../src/clock.ts';
import { AuditFindings } from '../../src/domain/payout/audit-findings.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { openPayoutLog } from '../../src/journal/payouts/payout-log.ts';
import { openResultRows } from '../../src/journal/payouts/result-rows.ts';
import { writeResults } from '../../src/pipeline/8-write-results.ts';
import { seedBatch } from '../support/seed-journal.ts';

async function writtenResults() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const db = openEmptyJournal();
  const path = join(folder, 'payroll.results.csv');
  const { batch, payout } = await seedBatch(
    db,
    [
      { key: 'E1', state: 'paid', changes: { transactionId: 'T1', settledMs: 1 } },
      { key: 'E2', state: 'failed', changes: { transactionId: 'T2', settledMs: 1 } },
      { key: 'E3', accountName: '=SUM(A1)' },
    ],
    { resultsPath: path },
  );
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'o' });
  const rows = openResultRows(db, batch.id, 'r');
  await writeResults({ rows, journal, timeZone: 'UTC', onEvent: () => undefined });
  const text = readFileSync(path, 'utf8');
  const audit = async (file = path) => {
    const findings = new AuditFindings();
    const { rows: count } = await auditResults({ path: file, rows, log: openPayoutLog(db), findings });
    return { count, found: findings.worstFirst().map(({ kind, message }) => `${kind}: ${message}`) };
  };
  return { folder, path, text, journal, payout, audit };
}

describe('a results file beside its journal', () => {
  test('as payrun wrote it, formula marks and all, it is the journal’s', async () => {
    const { audit, text } = await writtenResults();
    expect(text).toContain("'=SUM(A1)");
    expect(await audit()).toEqual({ count: 3, found: [] });
  });

  test.each([
    ['a status that never was', 'E2,failed', 'E2,paid', 'payrun_status says paid; the journal says failed'],
    ['another sum', ',1500.00,', ',9500.00,', 'payrun_paid says "9500.00"'],
    ['another transaction', 'T1', 'T9', 'payrun_transaction says "T9"'],
    [
      'another reference',
      /E1,paid,,,,1500.00,1970-01-01,\w/,
      'E1,paid,,,,1500.00,1970-01-01,x',
      'payrun_reference says',
    ],
    [
      'another cell of the input',
      'E1,Mary Wanjiku,1500',
      'E1,John Kamau,1500',
      'column 2 is not what came in',
    ],
    ['another batch', 'payroll,E1', 'bonus,E1', 'stands where the journal has payroll E1'],
    [
      'the same rows out of another journal',
      /:[0-9a-f]{64}/g,
      `:${'0'.repeat(64)}`,
      'is no event of this journal',
    ],
    [
      'an event that the journal does not have yet',
      /\d+(?=:[0-9a-f]{64})/g,
      '999',
      'is no event of this journal',
    ],
    ['a row more', 'E1,Mary', 'E0,Mary Wanjiku,1500,payroll,E0,paid\r\nE1,Mary', 'payroll E0 stands where'],
    ['a row more at the end', /$/, 'E9,Mary Wanjiku,1500,payroll,E9,paid\r\n', 'the journal has no such row'],
    ['a row less', /E2,.*\r\n/, '', 'payment payroll E3 stands where the journal has payroll E2'],
  ])('%s is found', async (_, from, to, message) => {
    const { audit, path, text } = await writtenResults();
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    writeFileSync(path, edited);
    const { found } = await audit();
    expect(found).toEqual([expect.stringContaining(message)]);
    expect(found[0]).toMatch(/^results-differ:/);
  });

  test('a file that is merely old, or ends early, is called that', async () => {
    const { audit, path, text, journal, payout } = await writtenResults();
    await journal.move({ payout: payout('E3'), to: 'cancelled', why: 'left' });
    expect((await audit()).found).toEqual([
      `behind: ${path} is older than the journal: 1 rows have changed since, 0 were added or cut off`,
    ]);
    writeFileSync(path, text.slice(0, text.indexOf('E3')));
    expect((await audit()).found).toEqual([
      expect.stringContaining('0 rows have changed since, 1 were added or cut off'),
    ]);
  });

  test('a file that is no results is 65, and none at all 66', async () => {
    const { audit, folder } = await writtenResults();
    writeFileSync(join(folder, 'other.csv'), 'a,b\n1,2\n');
    writeFileSync(join(folder, 'empty.csv'), '');
    await expect(audit(join(folder, 'other.csv'))).rejects.toMatchObject({ exit: 65 });
    await expect(audit(join(folder, 'empty.csv'))).rejects.toMatchObject({ exit: 65 });
    await expect(audit(join(folder, 'none.csv'))).rejects.toMatchObject({ exit: 66 });
  });
});

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { reason } from '../../../src/domain/payout/reasons.ts';
import { lockBatch } from '../../../src/journal/batch-lock.ts';
import { readBatch } from '../../../src/journal/batch-record.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { reportBatch } from '../../../src/library/batch-report.ts';
import { reportMark } from '../../../src/pipeline/results/report-mark.ts';
import { fillJournal } from '../../journal/filled-journal.ts';
import { seedBatch } from '../../support/seed-journal.ts';
import { type Reported, reportedWorkspace } from './hostile-batch.ts';

const paidMs = Date.parse('2026-11-16T05:31:00Z');
const paid = {
  key: 'E1',
  state: 'paid' as const,
  accountName: 'Mary Wanjiku',
  number: '+254712345671',
  changes: { verdict: 'match' as const, transactionId: 'T1', settledMs: paidMs },
};
const held = {
  key: 'E2',
  state: 'held' as const,
  accountName: 'Grace Njeri 0712345672',
  number: '+254712345672',
  amountMinor: 99_950n,
  changes: {
    hold: 'name' as const,
    verdict: 'close' as const,
    resolvedName: 'GRACE NJERU',
    ...reason('name-close', { why: 'NJERU of 254712345672' }),
  },
};

const textOf = async ({ payrun, path }: Reported): Promise<string> => {
  const written = await payrun.report('payroll');
  expect(written.path).toBe(path);
  return readFileSync(path, 'utf8');
};
/** The text of a page without its markup. */
const plain = (page: string) =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('what a report says', () => {
  test('environment, totals, statuses, names, rails, times, reasons, decisions and evidence', async () => {
    const reported = await reportedWorkspace([paid, held, { key: 'E3', state: 'failed' }]);
    reported.db.prepare(`UPDATE batches SET file_digest = 'abc123'`).run();
    await reported.payrun.release('payroll', { payments: ['E2'], reason: 'passport seen' });
    const page = plain(await textOf(reported));
    const { hash } = reported.db.prepare('SELECT hash FROM events ORDER BY seq DESC').get() as {
      hash: string;
    };
    for (const text of [
      'payroll, LIVE: payout report',
      'LIVE real money',
      '1 of 3 rows is paid.',
      '1 row needs a person.',
      'Paid, KES 1,500.00',
      'Not paid: not sent yet 999.50',
      'Not paid: failed 1,500.00',
      'In the file 3,999.50',
      'Failed 1 33.3 %',
      'Match 1 1 0 0',
      'Close 1 0 0 1',
      'Mobile money not named Kenya 3 KES 3,999.50 1 KES 1,500.00',
      '1 payout paid at 16 Nov 2026, 08:31:00, at most 1 in 1 second.',
      'The journal holds no earlier batch',
      'amina&lt;/b&gt; E2 released (name): passport seen',
      'SHA-256 of that file abc123',
      hash,
      'Prepared by Name Signature Date',
      '2 E1 Mary Wanjiku …5671 Mobile money KES 1,500.00 Paid match 16 Nov 2026, 08:31 T1',
    ]) {
      expect(page).toContain(text);
    }
  });

  test('a total without the amounts of invalid rows is not called that of the file', async () => {
    const reported = await reportedWorkspace([paid, held]);
    const { db } = reported;
    db.exec(`UPDATE batch_rows SET payout = NULL, problem = 'no number', problem_code = 'phone-invalid'
      WHERE payout = (SELECT max(id) FROM payouts)`);
    const page = plain(await textOf(reported));
    expect(page).toContain('In the valid rows');
    expect(page).not.toContain('In the file');
  });

  test('no account number stands in it whole, not even where a name or a reason holds it', async () => {
    const byPayee = { ...paid, key: 'KE:momo:+254712345671' };
    const page = await textOf(await reportedWorkspace([byPayee, held], { keyKind: 'payee' }));
    expect(page).toContain('close: NJERU of …5672');
    expect(page).toContain('KE:momo:…5671');
    expect(page).not.toMatch(/71234567/);
  });

  test('what was paid twice is said first', async () => {
    const twice = { ...paid, changes: { ...paid.changes, paidTwice: 'T1 T9' } };
    const page = plain(await textOf(await reportedWorkspace([twice])));
    expect(page).toMatch(
      /PAID TWICE: payment E1 \([^)]+\) was paid by 2 transactions: T1, T9 1 of 1 row is paid\./,
    );
    expect(page).toContain('Rows that need a person (1)');
  });

  test("what a person took out of the file is nobody's task, and is not forgotten", async () => {
    const gone = { ...held, absent: true, changes: { hold: 'file' as const, ...reason('gone-from-file') } };
    const page = plain(await textOf(await reportedWorkspace([paid, gone])));
    expect(page).toContain('1 of 2 rows is paid. 1 taken out of the file.');
    expect(page).toContain('None: nothing waits for a correction or a decision.');
    expect(plain(await textOf(await reportedWorkspace([paid])))).toContain(
      '1 of 1 row is paid. Nothing is left to do.',
    );
  });

  test('it is compared with the batch before it', async () => {
    const reported = await reportedWorkspace([paid, held, { key: 'E4', accountName: 'Samuel Kiplagat' }]);
    const before = [
      { ...paid, amountMinor: 75_000n },
      { ...held, number: '+254733000111' },
      { key: 'E9', accountName: 'Otieno Owino', number: '+254733000999' },
    ];
    const acceptedMs = Date.parse('2026-10-16T05:00:00Z');
    await seedBatch(reported.db, before, { name: 'october', acceptedMs });
    const page = plain(await textOf(reported));
    expect(page).toContain('Compared with batch october of 16 October 2026');
    expect(page).toContain('1 person joined Samuel Kiplagat KES 1,500.00');
    expect(page).toContain('1 person left Otieno Owino KES 1,500.00');
    expect(page).toContain('with another account Grace Njeri …5672 …0111 …5672');
    expect(page).toContain('whose amount changed by more than 25% Mary Wanjiku KES 750.00 KES 1,500.00');
  });

  test('of many rows the first are shown, how many there are is said, and the results are named', async () => {
    const db = openEmptyJournal();
    const reported = await reportedWorkspace([paid]);
    const resultsPath = join(reported.folder, 'large.results.csv');
    const filled = fillJournal(db, { name: 'large', resultsPath });
    db.transaction(() => {
      for (let key = 1; key <= 5_600; key += 1) {
        const payout = filled.payout({
          key: String(key),
          state: key > 600 ? 'paid' : 'failed',
          everSent: true,
        });
        filled.row({ cells: [], payout });
      }
    })();
    db.exec(`UPDATE payouts SET operator = 'operator ' || (id % 50)`);
    const batch = readBatch(db, 'large');
    if (!batch) throw new Error('no batch');
    const parts = {
      db,
      workspace: reported.workspace,
      clock: systemClock,
      operator: 'amina',
      timeZone: 'UTC',
      noticePercent: 25,
      isSandbox: () => false,
    };
    const { path } = await reportBatch(parts, batch);
    const page = readFileSync(path, 'utf8');
    db.close();
    expect(page).toContain(`The first 5,000 of 5,600 rows are shown. All of them are in ${resultsPath}.`);
    expect(page).toContain(`The first 500 of 600 are shown. All of them are in ${resultsPath}.`);
    expect(page).toContain('The 40 most used of 50 are shown.');
    expect(page.match(/<tr><td class="num">/g)).toHaveLength(5_000);
    expect(plain(page)).toContain('5,000 of 5,600 rows are paid.');
  });
});

describe('where a report goes', () => {
  test('beside the results, private, whole, and again in place of the one before', async () => {
    const reported = await reportedWorkspace([paid]);
    const first = await textOf(reported);
    chmodSync(reported.path, 0o644);
    expect(await textOf(reported)).toHaveLength(first.length);
    expect(statSync(reported.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(reported.folder).sort()).toEqual(['payroll.report.html', 'workspace']);
  });

  test.each([
    ['a page of somebody else', '<!doctype html>\n<html lang="en">\n', 'payrun did not write as a report'],
    [
      'the report of another batch',
      reportMark({ batch: 'bonus', kind: 'live' }),
      'the report of batch bonus',
    ],
    [
      'a mark that cannot be read',
      reportMark({ batch: 'x', kind: 'live' }).replace('"x"', '"%E0"'),
      'did not write',
    ],
  ])('never over %s', async (_, text, why) => {
    const { payrun, path, folder } = await reportedWorkspace([paid]);
    writeFileSync(path, text);
    await expect(payrun.report('payroll')).rejects.toMatchObject({
      code: 'report-write-failed',
      message: expect.stringContaining(why),
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a trial never takes the place of what was real; what is real takes the place of a trial', async () => {
    const { payrun, path, db } = await reportedWorkspace([paid], {
      environment: 'sandbox payroll@example.com',
    });
    expect(readFileSync((await payrun.report('payroll')).path, 'utf8')).toContain('SANDBOX');
    writeFileSync(path, reportMark({ batch: 'payroll', kind: 'test' }));
    await expect(payrun.report('payroll')).rejects.toThrow(
      'the report of a TEST batch of that name, and this one is SANDBOX',
    );
    db.prepare('UPDATE batches SET environment = ?').run(
      '["https://pay.example.com/api/b2b","a@b.c",null,null]',
    );
    await payrun.report('payroll');
    expect(readFileSync(path, 'utf8')).toContain('LIVE');
  });

  test('neither through a link nor into a folder of that name, and where nothing can be written it is said', async () => {
    const { payrun, path, folder, db } = await reportedWorkspace([paid]);
    symlinkSync(join(folder, 'elsewhere.html'), path);
    await expect(payrun.report('payroll')).rejects.toThrow('symbolic link');
    expect(existsSync(join(folder, 'elsewhere.html'))).toBe(false);
    rmSync(path);
    mkdirSync(path);
    await expect(payrun.report('payroll')).rejects.toThrow('it is a folder');
    db.prepare('UPDATE batches SET results_path = ?').run(join(folder, 'gone', 'payroll.results.csv'));
    await expect(payrun.report('payroll')).rejects.toMatchObject({
      code: 'report-write-failed',
      message: expect.stringMatching(/the folder .*gone does not exist/),
    });
  });

  test('not while a run works on the batch: it would be of no one moment', async () => {
    const { payrun, workspace } = await reportedWorkspace([paid]);
    const lock = await lockBatch(workspace, 'payroll', systemClock);
    await expect(payrun.report('payroll')).rejects.toMatchObject({ code: 'batch-locked' });
    lock.release();
    await payrun.report('payroll');
  });
});

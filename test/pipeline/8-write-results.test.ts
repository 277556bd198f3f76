import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type FileColumn, fileColumns } from '../../src/domain/file-columns.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import { payrunColumns } from '../../src/domain/row.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { JournalDatabase } from '../../src/journal/journal-database.ts';
import { openEmptyJournal, openJournal } from '../../src/journal/open-journal.ts';
import { openResultRows } from '../../src/journal/payouts/result-rows.ts';
import { readRows } from '../../src/pipeline/1-read-rows.ts';
import { checkResultsPath, printResults, writeResults } from '../../src/pipeline/8-write-results.ts';
import { sandboxPrefix } from '../../src/service/contract/prefixes.ts';
import { collectRows } from '../file/collect.ts';
import { type BatchInput, fillJournal, type PayoutInput } from '../journal/filled-journal.ts';

let folder: string;
let notices: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-results-'));
  notices = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string) => join(folder, name);

function begin(batch: Partial<BatchInput> = {}, db = openEmptyJournal()) {
  const name = batch.name ?? 'payroll';
  const filled = fillJournal(db, { resultsPath: inFolder(`${name}.results.csv`), ...batch, name });
  let next = 1;
  return {
    ...filled,
    db,
    /** A row of payroll with its payout. */
    pay(
      payout: Partial<PayoutInput> = {},
      row: { problem?: string; present?: boolean; cells?: string[] } = {},
    ) {
      const key = payout.key ?? String(next);
      next += 1;
      const id = filled.payout({ key, ...payout });
      filled.row({ cells: cellsOf(key), ...row, payout: id });
      return id;
    },
    write: (run = 'run-1') => writeResults(contextOf(db, filled.id, run)),
    /** All files in the folder, hidden ones too. */
    files: () => readdirSync(folder).sort(),
  };
}

function contextOf(db: JournalDatabase, batch: number, run = 'run-1') {
  return {
    rows: openResultRows(db, batch, run),
    journal: createJournal(db, systemClock, { run, operator: 'amina' }),
    timeZone: 'Africa/Nairobi',
    onEvent: (event: { kind: string; message?: string }) => void notices.push(event.message ?? event.kind),
  };
}

function cellsOf(key: string): string[] {
  return [key, 'Wanjiku Kamau', '+254712001701', '1000.00', 'KE', 'KES', 'June'];
}

function parsed(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true, bom: true });
}

async function readBack(path: string) {
  const reading = await readRows(path);
  const rows = await collectRows(reading);
  expect(reading.problems.filter(({ blocking }) => blocking)).toEqual([]);
  return { header: reading.header, rows, facts: reading.facts };
}

const settledMs = Date.parse('2026-11-12T22:30:00Z');

describe('the results file', () => {
  test('has every row with its input and all that became of it', async () => {
    const batch = begin();
    batch.pay({
      key: 'A-1',
      state: 'paid',
      amount: 100_050,
      account: 'ACC1',
      transaction: 'TX1',
      verdict: 'match',
      resolvedName: 'KAMAU WANJIKU',
      attempt: 2,
      submittedMs: settledMs - 90_000,
      settledMs,
      everSent: true,
    });
    batch.row({ cells: cellsOf('A-2'), line: 17, problem: 'The phone number is missing.' });
    const written = await batch.write();
    expect(written.resultsPath).toBe(inFolder('payroll.results.csv'));
    const [paid, invalid, ...others] = parsed(written.resultsPath);
    expect(others).toEqual([]);
    expect(paid).toEqual({
      'Staff No': 'A-1',
      Name: 'Wanjiku Kamau',
      Phone: '+254712001701',
      Amount: '1000.00',
      Country: 'KE',
      Currency: 'KES',
      Note: 'June',
      payrun_batch: 'payroll',
      payrun_key: 'A-1',
      payrun_status: 'paid',
      payrun_code: '',
      payrun_reason: '',
      payrun_paid_twice: '',
      payrun_paid: '1000.50',
      payrun_paid_on: '2026-11-13',
      payrun_reference: referenceOf('payroll', 'paymentId', 'A-1', 2),
      payrun_transaction: 'TX1',
      payrun_account: 'ACC1',
      payrun_verdict: 'match',
      payrun_resolved_name: 'KAMAU WANJIKU',
      payrun_attempt: '2',
      payrun_submitted_at: '2026-11-12T22:28:30Z',
      payrun_settled_at: '2026-11-12T22:30:00Z',
      payrun_event: expect.stringMatching(/^\d+:/),
    });
    expect(Object.keys(paid ?? {}).slice(7)).toEqual([...payrunColumns]);
    expect(invalid).toMatchObject({
      payrun_batch: 'payroll',
      payrun_key: 'line:17',
      payrun_status: 'invalid',
      payrun_code: 'invalid-row',
      payrun_reason: 'The phone number is missing.',
      payrun_reference: '',
      payrun_attempt: '',
      payrun_paid: '',
    });
  });

  test('calls every state by its status, and counts them', async () => {
    const batch = begin();
    batch.pay({ state: 'planned' });
    batch.pay({ state: 'ready' });
    batch.pay({ state: 'submitting', everSent: true });
    batch.pay({ state: 'submitting', everSent: false });
    batch.pay({ state: 'submitted', everSent: true });
    batch.pay({ state: 'unclear', everSent: true });
    batch.pay({ state: 'paid', settledMs });
    batch.pay({ state: 'failed' });
    batch.pay({ state: 'refused' });
    batch.pay({ state: 'held', hold: 'name' });
    batch.pay({ state: 'cancelled' });
    batch.pay({ state: 'returned' });
    batch.row({ cells: cellsOf('x'), problem: 'no' });
    const { statuses, resultsPath } = await batch.write();
    expect(parsed(resultsPath).map((row) => row['payrun_status'])).toEqual([
      'not_sent',
      'not_sent',
      'unknown',
      'not_sent',
      'pending',
      'unknown',
      'paid',
      'failed',
      'refused',
      'held',
      'cancelled',
      'returned',
      'invalid',
    ]);
    expect(statuses).toEqual({
      paid: 1,
      failed: 1,
      refused: 1,
      held: 1,
      cancelled: 1,
      returned: 1,
      pending: 1,
      unknown: 2,
      not_sent: 3,
      invalid: 1,
    });
  });

  test('says both of a row that is another now than what was sent, and of one that is gone', async () => {
    const batch = begin();
    batch.pay({ state: 'paid', settledMs }, { problem: 'Payment 1 was already sent as KES 1,000.00.' });
    batch.pay({ state: 'failed', reason: 'no such account' }, { problem: 'The amount is missing.' });
    batch.pay({ state: 'paid', settledMs }, { present: false });
    batch.pay({ state: 'held', hold: 'file', reason: 'no longer in the file' }, { present: false });
    batch.pay(
      { state: 'held', hold: 'file', reason: 'no longer in the file' },
      { problem: 'The name is missing.' },
    );
    batch.row({ cells: cellsOf('x'), problem: 'The amount is missing.', present: false });
    const { resultsPath } = await batch.write();
    expect(parsed(resultsPath).map((row) => [row['payrun_status'], row['payrun_reason']])).toEqual([
      [
        'paid',
        'the row as it stands in the file now was not taken: Payment 1 was already sent as KES 1,000.00.',
      ],
      [
        'failed',
        'no such account; the row as it stands in the file now was not taken: The amount is missing.',
      ],
      ['paid', 'the row is no longer in the file'],
      ['held', 'no longer in the file'],
      ['held', 'the row as it stands in the file now was not taken: The name is missing.'],
      ['invalid', 'The amount is missing. The row is no longer in the file.'],
    ]);
  });

  test('gives the date of a payment in the time zone, also on either side of midnight', async () => {
    const batch = begin();
    const midnightMs = Date.parse('2026-11-12T21:00:00Z');
    for (const settled of [midnightMs - 1, midnightMs, midnightMs - 1])
      batch.pay({ state: 'paid', settledMs: settled });
    const { resultsPath } = await batch.write();
    expect(parsed(resultsPath).map((row) => row['payrun_paid_on'])).toEqual([
      '2026-11-12',
      '2026-11-13',
      '2026-11-12',
    ]);
  });

  test('says nothing paid of a payout that came back, and its amount in the decimals of its currency', async () => {
    const batch = begin();
    batch.pay({ state: 'returned', settledMs });
    batch.pay({ state: 'paid', settledMs, currency: 'UGX', amount: 50_000 });
    const { resultsPath } = await batch.write();
    expect(parsed(resultsPath).map((row) => [row['payrun_paid'], row['payrun_paid_on']])).toEqual([
      ['', ''],
      ['50000', '2026-11-13'],
    ]);
  });

  test('begins with the byte-order mark, ends its lines as spreadsheets do, and is for its owner alone', async () => {
    const before = process.umask(0);
    try {
      const batch = begin();
      batch.pay();
      writeFileSync(
        inFolder('payroll.results.csv'),
        'payrun_batch,payrun_key,payrun_status\npayroll,1,paid\n',
      );
      chmodSync(inFolder('payroll.results.csv'), 0o644);
      const { resultsPath } = await batch.write();
      const bytes = readFileSync(resultsPath);
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const text = bytes.toString('utf8');
      expect(text.endsWith('\r\n')).toBe(true);
      expect(text.split('\r\n').length).toBe(3);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(statSync(resultsPath).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test.each([',', ';', '\t', '|'])('is written in the delimiter of the input: %j', async (delimiter) => {
    const batch = begin({ delimiter });
    batch.pay({}, { cells: ['1', 'Kamau, W; M\tN|O', '+254712001701', '1000,00', 'KE', 'KES', ''] });
    const { resultsPath } = await batch.write();
    expect(readFileSync(resultsPath, 'utf8')).toContain(`Staff No${delimiter}Name${delimiter}Phone`);
    const { facts, rows } = await readBack(resultsPath);
    expect(facts.delimiter).toBe(delimiter);
    expect(rows[0]?.cells[1]).toBe('Kamau, W; M\tN|O');
  });

  test('is written with commas where no reader could tell the delimiter of the input', async () => {
    const batch = begin({ delimiter: '~' });
    batch.pay();
    const { facts } = await readBack((await batch.write()).resultsPath);
    expect(facts.delimiter).toBe(',');
  });

  test('lets no text from others run as a formula, and leaves phone numbers alone', async () => {
    const columns: FileColumn[] = [
      ['=cmd', ''],
      ['Name', 'accountName'],
      ['Phone', 'phoneNumber'],
      ['Amount', 'amount'],
      ['Country', 'country'],
      ['Currency', 'currency'],
    ];
    const batch = begin({ columns });
    const payout = {
      key: '=1+1',
      state: 'held',
      hold: 'name',
      reason: '@reason',
      resolvedName: '=HYPERLINK("http://x")',
      account: '-cmd',
      transaction: '+cmd',
    } as const;
    batch.pay(payout, { cells: ['\tx', '=2+5', '+254712001701', '-5.00', 'KE', 'KES'] });
    const { resultsPath, retryPath } = await batch.write();
    for (const path of [resultsPath, retryPath ?? '']) {
      const records: string[][] = parse(readFileSync(path), { bom: true });
      const cells = records.flat();
      expect(cells).toContain('+254712001701');
      expect(cells).toContain('-5.00');
      expect(cells).toContain("'=1+1");
      expect(cells).toContain("'=cmd");
      const runnable = cells.filter((cell) => /^[=+\-@\t\r\n]/.test(cell));
      expect(runnable.filter((cell) => !/^[+-][\d.]+$/.test(cell))).toEqual([]);
      const { rows, header } = await readBack(path);
      expect(header?.columns).toEqual(columns.map(([name]) => name));
      expect(rows[0]?.cells).toEqual(['\tx', '=2+5', '+254712001701', '-5.00', 'KE', 'KES']);
      expect(rows[0]?.payrun.payrun_key).toBe('=1+1');
    }
  });
});

describe('results fed back in', () => {
  const text = [
    'Payroll June',
    'Staff No;Name;Phone;Net pay;Country;Currency;;Dept',
    '007;"Wanjiku ""Shiko"" Kamau";+254712001701;1.250,50;KE;KES;;-ops',
    '8;\'=Otieno;0712001702;12,50;KE;KES;;"two\nlines"',
    ' 9 ;Ŋun Ɓala;+254712001703;7;KE;KES;;@x',
    '',
  ].join('\n');

  test('read as the file itself: columns, cells, values and how numbers are written', async () => {
    const first = await readRows(Readable.from([Buffer.from(text)]));
    const rows = await collectRows(first);
    const header = first.header;
    if (!header) throw new Error('no header');
    const batch = begin({ columns: fileColumns(header), delimiter: header.delimiter });
    for (const row of rows) batch.pay({ key: row.cells[0]?.trim() ?? '' }, { cells: [...row.cells] });
    const again = await readBack((await batch.write()).resultsPath);
    expect(again.header?.columns).toEqual(header.columns);
    expect(again.header?.fieldColumns).toEqual(header.fieldColumns);
    expect(again.rows.map(({ cells }) => cells)).toEqual(rows.map(({ cells }) => cells));
    expect(again.rows.map(({ values }) => values)).toEqual(rows.map(({ values }) => values));
    expect(again.facts).toMatchObject({
      delimiter: ';',
      decimalCommaSeen: first.facts.decimalCommaSeen,
      sums: first.facts.sums,
      rowCount: 3,
    });
    expect(
      again.rows.map(({ payrun }) => [payrun.payrun_batch, payrun.payrun_key, payrun.payrun_attempt]),
    ).toEqual([
      ['payroll', '007', '1'],
      ['payroll', '8', '1'],
      ['payroll', '9', '1'],
    ]);
  });

  test('give back every cell and every identity, whatever stands in them', async () => {
    const sign = fc.constantFrom(...`a7 é€,;|"'=+-@\t\n\r＝Ŋ`, '\r\n', "'=", '+254', '=cmd');
    const cell = fc.array(sign, { maxLength: 10 }).map((signs) => signs.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        cell,
        fc.constantFrom(',', ';', '\t', '|'),
        async (texts, headerText, delimiter) => {
          const columns: FileColumn[] = [
            ['accountName', 'accountName'],
            ['amount', 'amount'],
            ['phoneNumber', 'phoneNumber'],
            ['country', 'country'],
            ['currency', 'currency'],
            [`Remark ${headerText}`, ''],
            [`${headerText} Team`, ''],
          ];
          const batch = begin({ columns, delimiter });
          const rows = texts.map(([name, note, key], index) => ({
            cells: [name, `${index + 1}.50`, '+254712001701', 'KE', 'KES', note, ''],
            key: `${key}${index}`,
          }));
          for (const { cells, key } of rows) batch.pay({ key }, { cells });
          const again = await readBack((await batch.write()).resultsPath);
          expect(again.header?.columns).toEqual(columns.map(([name]) => name));
          expect(again.rows.map(({ cells }) => cells)).toEqual(rows.map(({ cells }) => cells));
          expect(again.rows.map(({ payrun }) => payrun.payrun_key)).toEqual(rows.map(({ key }) => key));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the sums', () => {
  test('are those of the payouts to the last unit, with paid now and paid before apart', async () => {
    const batch = begin();
    const huge = 999_999_999_999_999n;
    for (let index = 0; index < 20; index += 1) {
      const payout = batch.pay({ state: 'paid', amount: huge, settledMs });
      batch.moved(payout, 'paid', index < 7 ? 'run-1' : 'run-2');
      batch.sent(payout, 'run-1');
    }
    batch.pay({ state: 'submitted', amount: 1 });
    batch.pay({ state: 'failed', amount: 2 });
    batch.pay({ state: 'cancelled', amount: 4 });
    batch.pay({ state: 'held', hold: 'file', amount: 8 }, { present: false });
    batch.pay({ state: 'held', hold: 'file', amount: 64 }, { problem: 'no' });
    batch.pay({ state: 'unclear', amount: 16, everSent: true }, { present: false });
    batch.pay({ state: 'paid', amount: 32, currency: 'UGX', settledMs }, { present: false });
    batch.row({ cells: cellsOf('x'), problem: 'no' });
    const { totals, resultsPath } = await batch.write('run-2');
    expect(totals).toMatchObject({
      KES: {
        fileMinor: 20n * huge + 71n,
        paidNowMinor: 13n * huge,
        paidBeforeMinor: 7n * huge,
        leftMinor: 83n,
      },
      UGX: { fileMinor: 0n, paidNowMinor: 0n, paidBeforeMinor: 32n, leftMinor: 0n },
    });
    const cents = parsed(resultsPath)
      .filter((row) => row['Currency'] === 'KES' && row['payrun_paid']?.includes('.'))
      .map((row) => BigInt(row['payrun_paid']?.replace('.', '') ?? ''));
    expect(cents.reduce((sum, each) => sum + each, 0n)).toBe(20n * huge);
  });

  test('tell the invalid rows that are no longer in the file from those to fix', async () => {
    const batch = begin();
    batch.row({ cells: cellsOf('1'), problem: 'no' });
    batch.row({ cells: cellsOf('2'), problem: 'no' });
    batch.row({ cells: cellsOf('3'), problem: 'no', present: false });
    batch.pay({ state: 'held', hold: 'file' }, { present: false });
    const written = await batch.write();
    expect(written).toMatchObject({ invalidGone: 1, rowsToFix: 2 });
    expect(written.statuses).toMatchObject({ invalid: 3, held: 1 });
  });
});

describe('the retry file', () => {
  const retry = () => inFolder('payroll.retry.csv');
  const second = () => inFolder('payroll.retry-2.csv');

  test('holds just the rows that a person must fix, marked as a part of their batch', async () => {
    const batch = begin({ delimiter: ';' });
    for (const state of ['paid', 'planned', 'ready', 'submitted', 'cancelled'] as const) batch.pay({ state });
    batch.pay({ state: 'unclear', everSent: true });
    batch.pay({ key: 'failed', state: 'failed', reason: '=no account', attempt: 3 });
    batch.pay({ key: 'refused', state: 'refused', reason: 'E1' });
    batch.pay({ key: 'returned', state: 'returned' });
    batch.pay({ key: 'held', state: 'held', hold: 'name', reason: 'mismatch' });
    batch.pay({ key: 'taken out', state: 'held', hold: 'file' }, { present: false });
    batch.pay({ key: 'spoilt', state: 'held', hold: 'file' }, { problem: 'The name is missing.' });
    batch.row({ cells: cellsOf('x'), line: 17, problem: 'The amount is missing.' });
    batch.row({ cells: cellsOf('y'), line: 18, problem: 'gone', present: false });
    const { retryPath, rowsToFix } = await batch.write();
    expect(retryPath).toBe(retry());
    expect(rowsToFix).toBe(6);
    expect(statSync(retry()).mode & 0o777).toBe(0o600);
    expect(readFileSync(retry(), 'utf8').split('\r\n')[0]).toBe(
      '\ufeffStaff No;Name;Phone;Amount;Country;Currency;Note;payrun_batch;payrun_key;payrun_attempt;payrun_reference;payrun_reason;payrun_verdict;payrun_resolved_name',
    );
    const { rows, header } = await readBack(retry());
    expect(header?.payrunColumns).not.toContain('payrun_status');
    expect(
      rows.map(({ payrun }) => [payrun.payrun_key, payrun.payrun_attempt, payrun.payrun_reason]),
    ).toEqual([
      ['failed', '3', '=no account'],
      ['refused', '1', 'E1'],
      ['returned', '1', ''],
      ['held', '1', 'mismatch'],
      ['spoilt', '1', 'the row as it stands in the file now was not taken: The name is missing.'],
      ['line:17', '', 'The amount is missing.'],
    ]);
    expect(rows[0]?.cells).toEqual(cellsOf('failed'));
    expect(rows.map(({ payrun }) => payrun.payrun_reference?.length)).toEqual([36, 36, 36, 36, 36, 0]);
  });

  test('is not there when nothing has to be fixed, and goes when the last row was', async () => {
    const batch = begin();
    const payout = batch.pay({ state: 'failed' });
    expect((await batch.write()).retryPath).toBe(retry());
    batch.db.prepare(`UPDATE payouts SET state = 'paid' WHERE id = ?`).run(payout);
    expect((await batch.write()).retryPath).toBeUndefined();
    expect(batch.files()).toEqual(['payroll.results.csv']);
    expect(notices).toEqual([]);
  });

  test('is written anew by every run as long as it is ours', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    await batch.write();
    batch.pay({ state: 'refused' });
    expect((await batch.write()).retryPath).toBe(retry());
    expect(parsed(retry()).length).toBe(2);
    expect(batch.files()).toEqual(['payroll.results.csv', 'payroll.retry.csv']);
  });

  test('that a person has changed is left as it is, and said so', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    await batch.write();
    const corrected = readFileSync(retry(), 'utf8').replace('Wanjiku', 'Wanjiru');
    writeFileSync(retry(), corrected);
    expect((await batch.write()).retryPath).toBe(second());
    expect(notices).toEqual([
      `${retry()} is not as payrun wrote it and stays as it is; the rows to fix are in ${second()}, without what was corrected there`,
    ]);
    batch.pay({ state: 'refused' });
    expect((await batch.write()).retryPath).toBe(second());
    expect(parsed(second()).length).toBe(2);
    batch.db.exec(`UPDATE payouts SET state = 'paid'`);
    expect((await batch.write()).retryPath).toBeUndefined();
    expect(readFileSync(retry(), 'utf8')).toBe(corrected);
    expect(batch.files()).toEqual(['payroll.results.csv', 'payroll.retry.csv']);
  });

  test('takes its first name again once that is free, and leaves no second one behind', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    writeFileSync(retry(), 'mine');
    await batch.write();
    rmSync(retry());
    expect((await batch.write()).retryPath).toBe(retry());
    expect(batch.files()).toEqual(['payroll.results.csv', 'payroll.retry.csv']);
  });

  test('is known for ours whichever of two a crash has left there', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    await batch.write();
    for (const order of [0, 1]) {
      const present = createHash('sha256').update(readFileSync(retry())).digest('hex');
      const digests = order === 0 ? [present, 'never took its place'] : ['the one before', present];
      openResultRows(batch.db, batch.id, '').saveRetryDigests({ [retry()]: digests });
      batch.pay({ state: 'failed' });
      expect((await batch.write()).retryPath).toBe(retry());
    }
    expect(notices).toEqual([]);
  });

  test('never takes the place of a link or a folder', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    writeFileSync(inFolder('precious'), 'precious');
    symlinkSync(inFolder('precious'), retry());
    mkdirSync(second());
    expect((await batch.write()).retryPath).toBe(inFolder('payroll.retry-3.csv'));
    expect(readFileSync(inFolder('precious'), 'utf8')).toBe('precious');
  });

  test('stands beside results that were given a name of their own', async () => {
    const batch = begin({ resultsPath: inFolder('out.csv') });
    batch.pay({ state: 'failed' });
    expect((await batch.write()).retryPath).toBe(retry());
  });
});

describe('written whole or not at all', () => {
  test('a failure in the middle leaves the old files as they were and nothing beside them', async () => {
    const batch = begin();
    batch.pay({ state: 'failed' });
    await batch.write();
    const before = batch.files().map((name) => readFileSync(inFolder(name), 'utf8'));
    for (let index = 0; index < 1500; index += 1) batch.pay({ state: 'failed' });
    batch.db.prepare(`UPDATE batch_rows SET cells = 'broken' WHERE position = 1400`).run();
    await expect(batch.write()).rejects.toThrow(SyntaxError);
    expect(batch.files()).toEqual(['payroll.results.csv', 'payroll.retry.csv']);
    expect(batch.files().map((name) => readFileSync(inFolder(name), 'utf8'))).toEqual(before);
  });

  test('what cannot be written is an error of its own, and what was paid is not in doubt', async () => {
    const batch = begin({ resultsPath: inFolder('gone/payroll.results.csv') });
    batch.pay();
    await expect(batch.write()).rejects.toMatchObject({
      code: 'results-write-failed',
      exit: 74,
      message: expect.stringMatching(
        /the folder \S+gone does not exist.*safe in the journal.*run the same command again\.$/,
      ),
    });
  });

  test('a file of another batch that came there meanwhile is not overwritten', async () => {
    const batch = begin();
    batch.pay();
    const other = 'Name,payrun_batch,payrun_key,payrun_status\nx,other,1,paid\n';
    writeFileSync(inFolder('payroll.results.csv'), other);
    await expect(batch.write()).rejects.toMatchObject({
      exit: 74,
      message: expect.stringContaining('batch other'),
    });
    expect(readFileSync(inFolder('payroll.results.csv'), 'utf8')).toBe(other);
  });

  test('SIGKILL at any moment leaves the old file or the new one, and the next run clears up', async () => {
    const journal = inFolder('journal.db');
    const batch = begin({}, openJournal(journal));
    batch.db.transaction(() => {
      for (let index = 0; index < 20_000; index += 1) batch.pay({ state: 'failed' });
    })();
    await batch.write();
    const path = inFolder('payroll.results.csv');
    const texts = new Set([readFileSync(path, 'utf8')]);
    batch.db.exec(`UPDATE payouts SET state = 'refused'`);
    await batch.write();
    texts.add(readFileSync(path, 'utf8'));
    expect(texts.size).toBe(2);
    for (const delayMs of [0, 20, 50, 100, 200]) {
      batch.db.exec(`UPDATE payouts SET state = iif(state = 'failed', 'refused', 'failed')`);
      await killedWhileWriting(journal, delayMs);
      expect(texts.has(readFileSync(path, 'utf8'))).toBe(true);
      if (delayMs === 0) expect(halfWritten().length).toBeGreaterThan(0);
    }
    await batch.write();
    expect(halfWritten()).toEqual([]);
    batch.db.close();
  });

  test.skipIf(!canMount())('a full disk leaves the old file', async () => {
    const disk = inFolder('disk');
    mkdirSync(disk);
    const journal = inFolder('journal.db');
    const batch = begin({ resultsPath: join(disk, 'payroll.results.csv') }, openJournal(journal));
    batch.db.transaction(() => {
      for (let index = 0; index < 5000; index += 1) batch.pay({ state: 'paid', settledMs });
    })();
    batch.db.close();
    const old = 'payrun_batch,payrun_key,payrun_status\npayroll,1,paid\n';
    const script = [
      `mount -t tmpfs -o size=256k none ${disk}`,
      `printf '${old.replaceAll('\n', '\\n')}' > ${disk}/payroll.results.csv`,
      `${process.execPath} --import tsx ${processPath} ${journal}`,
      `ls -A ${disk}`,
      `cat ${disk}/payroll.results.csv`,
    ].join(' && ');
    const { stdout } = runWithMounts(script);
    expect(stdout).toBe(`begin\nresults-write-failed 74\npayroll.results.csv\n${old}`);
  });
});

const processPath = fileURLToPath(new URL('./write-results-process.ts', import.meta.url));

/** Killed so long after the first half-written file was seen, or let go if it was done before. */
async function killedWhileWriting(journal: string, delayMs: number): Promise<void> {
  const before = new Set(halfWritten());
  const child = spawn(process.execPath, ['--import', 'tsx', processPath, journal]);
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (child.exitCode === null && halfWritten().every((name) => before.has(name))) await wait(1);
  await wait(delayMs);
  child.kill('SIGKILL');
  await ended;
}

function halfWritten(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tmp'));
}

/** In a namespace of its own, where mounting harms nobody and ends with the process. */
function runWithMounts(script: string) {
  const env = { ...process.env, SCRIPT: script };
  return spawnSync('sh', ['-c', 'unshare -rm sh -c "$SCRIPT"'], { encoding: 'utf8', env });
}

function canMount(): boolean {
  return runWithMounts('mount -t tmpfs none /mnt').status === 0;
}

describe('the place of the results', () => {
  const path = () => inFolder('payroll.results.csv');
  const refused = (why: RegExp | string) => ({
    code: 'results-not-writable',
    exit: 73,
    message: expect.stringMatching(why),
  });

  test('is accepted where nothing is, and nothing is left by trying', async () => {
    await checkResultsPath(path(), 'payroll', 'here');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is accepted where the results of this very batch are, also as a spreadsheet saved them', async () => {
    const batch = begin({ delimiter: ';' });
    batch.pay({}, { cells: ['1', 'x'.repeat(90_000)] });
    await batch.write();
    await checkResultsPath(path(), 'payroll', 'here');
    const saved = '"Name";"payrun_batch";"payrun_key";"payrun_status"\nÉric;;;\n;Nov-26;1;paid\n';
    writeFileSync(path(), Buffer.from(saved, 'latin1'));
    await checkResultsPath(path(), '2026-11', 'here');
  });

  test.each([
    ['of another batch', 'payrun_batch,payrun_key,payrun_status\nother,1,paid\n', /batch other/],
    ['of a batch that no row names', 'payrun_batch,payrun_key,payrun_status\n', /not the results/],
    ['a retry file', 'payrun_batch,payrun_key,payrun_attempt\npayroll,1,1\n', /not the results/],
    ['somebody else’s', 'Name,Amount\nWanjiku,1000\n', /not the results/],
    ['empty', '', /not the results/],
    ['not text', Buffer.from([0, 1, 2, 3, 0, 255]), /not the results/],
  ])('is refused where the file is %s, which stays', async (_, content, why) => {
    writeFileSync(path(), content);
    await expect(checkResultsPath(path(), 'payroll', 'here')).rejects.toMatchObject(refused(why));
    expect(readFileSync(path())).toEqual(Buffer.from(content));
  });

  test('makes room for real results where those of a trial are, and not the other way round', async () => {
    const written = (event: string) =>
      writeFileSync(
        path(),
        `payrun_batch,payrun_key,payrun_status,payrun_event\npayroll,1,paid,${event}:1:ab\n`,
      );
    written('sandbox');
    await checkResultsPath(path(), 'payroll', 'https://example.com/api/b2b');
    await checkResultsPath(path(), 'payroll', 'sandbox');
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('sandbox:', ''));
    await checkResultsPath(path(), 'payroll', 'https://example.com/api/b2b');
    for (const trial of ['sandbox', `https://example.com${sandboxPrefix}`]) {
      await expect(checkResultsPath(path(), 'payroll', trial)).rejects.toMatchObject(refused(/only a trial/));
    }
  });

  test('is refused where a link, a folder or a pipe is', async () => {
    const batch = begin();
    batch.pay();
    await batch.write();
    symlinkSync(path(), inFolder('link.csv'));
    await expect(checkResultsPath(inFolder('link.csv'), 'payroll', 'here')).rejects.toMatchObject(
      refused(/symbolic link/),
    );
    symlinkSync(inFolder('nowhere'), inFolder('dangling.csv'));
    await expect(checkResultsPath(inFolder('dangling.csv'), 'payroll', 'here')).rejects.toMatchObject(
      refused(/symbolic link/),
    );
    await expect(checkResultsPath(folder, 'payroll', 'here')).rejects.toMatchObject(refused(/is a folder/));
    await expect(checkResultsPath('/dev/null', 'payroll', 'here')).rejects.toMatchObject(
      refused(/ordinary file/),
    );
  });

  test('is refused where its folder is missing or no folder', async () => {
    await expect(
      checkResultsPath(inFolder('no/payroll.results.csv'), 'payroll', 'here'),
    ).rejects.toMatchObject(refused(/there is no folder \S+/));
    writeFileSync(inFolder('file'), '');
    await expect(
      checkResultsPath(inFolder('file/payroll.results.csv'), 'payroll', 'here'),
    ).rejects.toMatchObject(refused(/not a folder/));
  });

  test.skipIf(!existsSync('/proc/self'))('is refused where nobody may write', async () => {
    await expect(checkResultsPath('/proc/self/payroll.results.csv', 'payroll', 'here')).rejects.toMatchObject(
      refused(/the folder \S+ (does not exist|cannot be written)/),
    );
  });
});

describe('results as a stream', () => {
  const sink = (into: string[], isTTY = false) =>
    Object.assign(
      new Writable({
        decodeStrings: false,
        write(chunk: string, _, done) {
          into.push(String(chunk));
          done();
        },
      }),
      { isTTY },
    );

  test('are the bytes of the file, and the stream stays open', async () => {
    const batch = begin();
    for (let index = 0; index < 1200; index += 1) batch.pay({ state: 'failed' });
    const { resultsPath, resultsDigest, ...written } = await batch.write();
    expect(resultsDigest).toBe(createHash('sha256').update(readFileSync(resultsPath)).digest('hex'));
    const pieces: string[] = [];
    const target = sink(pieces);
    const sums = await printResults(contextOf(batch.db, batch.id), target);
    expect(pieces.join('')).toBe(readFileSync(resultsPath, 'utf8'));
    expect(written).toMatchObject(sums);
    expect(target.writableEnded).toBe(false);
  });

  test('carry no control characters to a terminal', async () => {
    const batch = begin();
    batch.pay({ reason: '\u001b[2J' }, { cells: ['a\rb', '\u009b31m', 'c\r\nd'] });
    const pieces: string[] = [];
    await printResults(contextOf(batch.db, batch.id), sink(pieces, true));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(pieces.join('')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(pieces.join('')).toContain('\ufffd[2J');
  });

  test('end with the error of a stream that breaks', async () => {
    const batch = begin();
    batch.pay();
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    await expect(printResults(contextOf(batch.db, batch.id), broken)).rejects.toThrow('EPIPE');
  });
});

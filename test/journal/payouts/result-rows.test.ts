import { describe, expect, test } from 'vitest';
import { fileColumns } from '../../../src/domain/file-columns.ts';
import { askJournaledRows } from '../../../src/journal/draft/journaled-rows.ts';
import { openEmptyJournal } from '../../../src/journal/open-journal.ts';
import { openResultRows } from '../../../src/journal/payouts/result-rows.ts';
import { fillJournal, payrollColumns } from '../filled-journal.ts';

const rowsOf = (rows: ReturnType<typeof openResultRows>) => [...rows.pages()].flat();

describe('the rows of the results', () => {
  test('come in the order of first appearance, whatever order their payouts were made in, and those of other batches do not', () => {
    const db = openEmptyJournal();
    const other = fillJournal(db, { name: 'other' });
    other.row({ cells: ['x'], payout: other.payout({ key: 'x' }) });
    const batch = fillJournal(db, { name: 'payroll' });
    const second = batch.payout({ key: '2' });
    const first = batch.payout({ key: '1' });
    batch.row({ cells: ['1'], payout: first });
    batch.row({ cells: ['?'], line: 17, problem: 'The amount is missing.' });
    batch.row({ cells: ['2'], payout: second, present: false });
    const rows = rowsOf(openResultRows(db, batch.id, 'run-1'));
    expect(
      rows.map(({ cells, line, payout, problem, present }) => [
        cells[0],
        line,
        payout?.key,
        problem,
        present,
      ]),
    ).toEqual([
      ['1', 2, '1', '', true],
      ['?', 17, undefined, 'The amount is missing.', true],
      ['2', 4, '2', '', false],
    ]);
  });

  test('are all there when they fill more than one page', () => {
    const db = openEmptyJournal();
    const batch = fillJournal(db, { name: 'payroll' });
    for (let number = 1; number <= 2500; number += 1) batch.row({ cells: [String(number)] });
    const pages = [...openResultRows(db, batch.id, 'run-1').pages()];
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat().map(({ cells }) => cells[0])).toEqual(
      Array.from({ length: 2500 }, (_, index) => String(index + 1)),
    );
  });

  test('bring amounts that a double could not hold, and times and counters as ordinary numbers', () => {
    const db = openEmptyJournal();
    const batch = fillJournal(db, { name: 'payroll' });
    const amount = 9_007_199_254_740_993n;
    const payout = batch.payout({
      key: '1',
      state: 'paid',
      amount,
      attempt: 2,
      settledMs: 5,
      everSent: true,
    });
    batch.row({ cells: [], payout });
    const [row] = rowsOf(openResultRows(db, batch.id, 'run-1'));
    expect(row?.payout).toMatchObject({
      amountMinor: amount,
      attempt: 2,
      settledMs: 5,
      submittedMs: null,
      everSent: true,
    });
  });

  test('are paid now where this journal sent it, an event of this run says so and the payout still is paid', () => {
    const db = openEmptyJournal();
    const batch = fillJournal(db, { name: 'payroll' });
    const add = (key: string, state: 'paid' | 'returned', run: string, sent = true) => {
      const payout = batch.payout({ key, state });
      batch.row({ cells: [key], payout });
      batch.moved(payout, 'submitted', 'run-2');
      batch.moved(payout, 'paid', run);
      if (sent) batch.sent(payout, 'run-1');
    };
    add('before', 'paid', 'run-1');
    add('now', 'paid', 'run-2');
    add('came back', 'returned', 'run-2');
    add('only found', 'paid', 'run-2', false);
    const rows = rowsOf(openResultRows(db, batch.id, 'run-2'));
    expect(rows.map(({ payout }) => [payout?.key, payout?.paidNow])).toEqual([
      ['before', false],
      ['now', true],
      ['came back', false],
      ['only found', false],
    ]);
  });

  test('stand under the columns of all files: a field is one column, new columns come behind', () => {
    const db = openEmptyJournal();
    const batch = fillJournal(db, {
      name: 'payroll',
      columns: [
        ['Phone', 'phoneNumber'],
        ['Note', ''],
        ['Note', ''],
      ],
    });
    const list = batch.columnList([
      ['Note', ''],
      ['Team', ''],
      ['Mobile number', 'phoneNumber'],
    ]);
    batch.row({ cells: ['+254700000001', 'a', 'b'] });
    batch.row({ cells: ['c', 'blue', '+254700000002'], columnList: list });
    const rows = openResultRows(db, batch.id, 'run-1');
    expect(rows.batch().columns.map(([name]) => name)).toEqual(['Phone', 'Note', 'Note', 'Team']);
    expect(rowsOf(rows).map(({ cells }) => cells)).toEqual([
      ['+254700000001', 'a', 'b', ''],
      ['+254700000002', 'c', '', 'blue'],
    ]);
  });

  test('keep what was written as retry files', () => {
    const db = openEmptyJournal();
    const batch = fillJournal(db, { name: 'payroll' });
    const rows = openResultRows(db, batch.id, 'run-1');
    expect(rows.retryDigests()).toEqual({});
    rows.saveRetryDigests({ '/x/payroll.retry.csv': ['a'] });
    rows.saveRetryDigests({ '/x/payroll.retry.csv': ['a', 'b'] });
    expect(openResultRows(db, batch.id, 'run-2').retryDigests()).toEqual({
      '/x/payroll.retry.csv': ['a', 'b'],
    });
  });
});

describe('a row of ours that comes back', () => {
  const db = openEmptyJournal();
  const other = fillJournal(db, { name: 'other' });
  other.row({ cells: ['other 17'], line: 17, problem: 'no' });
  other.row({ cells: ['other'], payout: other.payout({ key: '007' }) });
  const batch = fillJournal(db, { name: 'payroll' });
  const payout = batch.payout({ key: '007', attempt: 2 });
  batch.row({ cells: ['007', 'Wanjiku'], payout });
  batch.row({ cells: ['8', 'Otieno'], line: 17, problem: 'The phone number is missing.' });
  const list = batch.columnList([['Team', '']]);
  batch.row({ cells: ['blue'], columnList: list, payout: batch.payout({ key: '9' }) });
  const { find } = askJournaledRows(db, batch.id);
  const reference = db
    .prepare<[number], string>('SELECT reference FROM payouts WHERE id = ?')
    .pluck()
    .get(payout);

  test('is found by its reference, though its key was damaged', () => {
    expect(find({ payrun_key: '7', payrun_reference: reference ?? '' })).toEqual({
      key: '007',
      columns: payrollColumns,
      cells: ['007', 'Wanjiku'],
      problem: '',
      sound: true,
      payeeInDoubt: false,
      outOfReach: false,
      country: 'KE',
      isForAnother: false,
      isGone: false,
      isSaid: false,
    });
  });

  test('is found by its key where the reference is that of an earlier attempt', () => {
    expect(find({ payrun_key: ' 007 ', payrun_reference: 'older' })?.cells).toEqual(['007', 'Wanjiku']);
  });

  test('is found by its line where it was never a payment, with what was wrong with it', () => {
    expect(find({ payrun_key: 'line:17', payrun_reference: '' })).toMatchObject({
      key: undefined,
      cells: ['8', 'Otieno'],
      problem: 'The phone number is missing.',
      sound: false,
    });
  });

  test('has the columns of its own file', () => {
    expect(find({ payrun_key: '9' })?.columns).toEqual([['Team', '']]);
  });

  test('is not found where it was added by hand or belongs to another batch', () => {
    expect(find({})).toBeUndefined();
    expect(find({ payrun_key: '', payrun_reference: '' })).toBeUndefined();
    expect(find({ payrun_key: 'line:18' })).toBeUndefined();
    expect(find({ payrun_key: 'unheard of', payrun_reference: 'unheard of' })).toBeUndefined();
  });
});

test('the columns of a file are journaled with the fields they were read as', () => {
  expect(fileColumns({ columns: ['Note', 'Net Pay', ''], fieldColumns: { amount: 1 } })).toEqual([
    ['Note', ''],
    ['Net Pay', 'amount'],
    ['', ''],
  ]);
});

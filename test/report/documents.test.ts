import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { payoutStates } from '../../src/domain/payout/payout-state.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { openResultRows } from '../../src/journal/payouts/result-rows.ts';
import { printResults } from '../../src/pipeline/8-write-results.ts';
import { rowDocument } from '../../src/report/row-document.ts';
import { runDocument } from '../../src/report/run-document.ts';
import { bankRow, judgeRow, mobileRow, type Values } from '../domain/row/judge-row.ts';
import { employee, enrolStaff, openPayroll, phoneOf, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { seedBatch } from '../support/seed-journal.ts';

/** What the committed JSON Schema, and not the zod schema it was made from, says of a document. */
function accepts(name: string, document: unknown): boolean {
  const text = readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  return z.fromJSONSchema(JSON.parse(text)).safeParse(document).success;
}

describe('schemas/row.schema.json', () => {
  test.each<[string, Values]>([
    ['mobile money', mobileRow],
    ['a bank account', bankRow],
    ['another wallet', { ...mobileRow, debitCurrency: 'USD', debitCountry: 'NG', narration: 'November' }],
    [
      'a branch and an operator',
      {
        ...mobileRow,
        country: 'UG',
        currency: 'UGX',
        amount: '1000',
        phoneNumber: '0772345629',
        branchCode: '0001',
        operator: 'MTN',
      },
    ],
  ])('accepts a row to %s, and no row with a field missing', (_, values) => {
    const { row } = judgeRow(values);
    expect(row).toBeDefined();
    if (!row) return;
    const document = JSON.parse(JSON.stringify(rowDocument(row)));
    expect(accepts('row', document)).toBe(true);
    for (const field of Object.keys(document)) {
      const { [field]: _left, ...others } = document;
      expect(accepts('row', others), field).toBe(false);
    }
  });

  test('shows the amount as exact text', () => {
    const { row } = judgeRow({ ...mobileRow, amount: '9999999999999.99' });
    expect(row && rowDocument(row).amount).toBe('9999999999999.99');
  });
});

describe('schemas/result-row.schema.json', () => {
  test('accepts the row of a payout in every state', async () => {
    const db = openEmptyJournal();
    const { batch } = await seedBatch(
      db,
      payoutStates.map((state) => ({ key: state, state })),
    );
    let text = '';
    const target = new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        done();
      },
    });
    await printResults(
      { rows: openResultRows(db, batch.id, 'this run'), timeZone: 'Africa/Nairobi' },
      target,
    );
    db.close();
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    expect(rows).toHaveLength(payoutStates.length);
    for (const row of rows) {
      expect(accepts('result-row', row), row['payrun_key']).toBe(true);
      expect(accepts('result-row', { ...row, payrun_status: 'maybe' })).toBe(false);
      expect(accepts('result-row', { ...row, payrun_reference: 'EMP-1' })).toBe(false);
    }
  });

  test('accepts what a run wrote, and schemas/run.schema.json what it said', async () => {
    const service = await startPayrollService('on');
    const payroll = openPayroll(service);
    const rows = [
      ...staff(2),
      employee(3, { phoneNumber: phoneOf(3, '99001') }),
      employee(4, { amount: '0' }),
    ];
    await enrolStaff(service, rows.slice(0, 3));
    const { summary } = await payroll.run(payroll.write('november.csv', rows), {
      policy: { skipInvalid: true },
    });
    const results = payroll.results('november');
    expect(results.map((row) => row['payrun_status'])).toEqual(['paid', 'paid', 'failed', 'invalid']);
    for (const row of results) expect(accepts('result-row', row), row['payrun_key']).toBe(true);
    expect(summary).toBeDefined();
    if (!summary) return;
    const document = JSON.parse(JSON.stringify(runDocument(summary)));
    expect(accepts('run', document)).toBe(true);
    expect(accepts('run', { ...document, exit: 'fine' })).toBe(false);
  });
});

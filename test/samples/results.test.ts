import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { cancel } from '../../src/decisions/cancel.ts';
import { decimalFromMinor, minorFromDecimal } from '../../src/domain/money/money.ts';
import { findCurrency } from '../../src/domain/reference-data/countries.ts';
import { interruptedAfter, openPayroll, type Payroll } from '../support/pay-run.ts';
import { type PayrollService, startPayrollService } from '../support/payroll-service.ts';
import { runPayrun } from '../support/run-payrun.ts';

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const committed = fileURLToPath(new URL('../fixtures/results/', import.meta.url));

/** Cells that are others in every run stand as what they are. References are the same for ever, so they stay. */
const volatile: Readonly<Record<string, string>> = {
  payrun_transaction: '(transaction)',
  payrun_account: '(account)',
  payrun_paid_on: '(day)',
  payrun_submitted_at: '(time)',
  payrun_settled_at: '(time)',
  payrun_event: '(event)',
};

function steadyResults(path: string): string {
  const { delimiter, cells } = cellsOf(path);
  const [header = [], ...rows] = cells;
  const steady = rows.map((row) =>
    row.map((cell, index) => (cell === '' ? '' : (volatile[header[index] ?? ''] ?? cell))),
  );
  return stringify([header, ...steady], { delimiter });
}

function cellsOf(path: string): { delimiter: string; cells: string[][] } {
  const text = readFileSync(path, 'utf8');
  const delimiter = text.slice(0, text.indexOf('\n')).includes(';') ? ';' : ',';
  return { delimiter, cells: parse(text, { bom: true, delimiter }) };
}

const committedResults = (name: string) => readFileSync(join(committed, `${name}.csv`), 'utf8');

/** What the service paid, added up: `KES 585900.75`. */
async function paidSums(service: PayrollService): Promise<string[]> {
  const sums = new Map<string, bigint>();
  const decimalsOf = (currency: string) => findCurrency(currency)?.decimals ?? 0;
  for (const { status, currency, amount } of await service.payouts()) {
    if (status !== 'SUCCESSFUL') continue;
    sums.set(currency, (sums.get(currency) ?? 0n) + (minorFromDecimal(amount, decimalsOf(currency)) ?? 0n));
  }
  return [...sums]
    .map(([currency, minor]) => `${currency} ${decimalFromMinor(minor, decimalsOf(currency))}`)
    .sort();
}

interface OpenedSample {
  readonly service: PayrollService;
  readonly payroll: Payroll;
  readonly file: string;
  readonly results: () => string;
  /** Moves the service's clock on. */
  readonly later: (byMs: number) => void;
}

/** A copy of a sample in a folder of its own, and a service that knows its people, as the embedded one does. */
async function openSample(name: string): Promise<OpenedSample> {
  let shiftMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + shiftMs };
  const service = await startPayrollService('on', { clock, returnAfterMs: 10 * 60_000 });
  const payroll = openPayroll(service);
  const file = join(payroll.folder, `${name}.csv`);
  copyFileSync(join(samples, `${name}.csv`), file);
  const results = () => steadyResults(join(payroll.folder, `${name}.results.csv`));
  return {
    service,
    payroll,
    file,
    results,
    later: (byMs) => {
      shiftMs += byMs;
    },
  };
}

const enrolsFile = true;

describe('each sample is paid as its committed results say', () => {
  test('payroll.csv: everybody', async () => {
    const { service, payroll, file, results } = await openSample('payroll');
    expect((await payroll.run(file, { enrolsFile })).exit).toBe(0);
    expect(results()).toBe(committedResults('payroll'));
    expect(await paidSums(service)).toEqual(['KES 585900.75']);
    expect(await service.books()).toEqual([]);
  });

  test('payroll.csv by the command of the README, on the embedded service', async () => {
    const { payroll, results } = await openSample('payroll');
    const workspace = ['--workspace', 'embedded', '--results', 'payroll.results.csv'];
    const ran = await runPayrun(['run', 'payroll.csv', '--sandbox', '--yes', ...workspace], {
      cwd: payroll.folder,
    });
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('paid now  12  KES 585,900.75');
    expect(results()).toBe(committedResults('payroll'));
  });

  test('mixed.csv: not_sent where it was interrupted, and everybody after the same command again', async () => {
    const { service, payroll, file, results } = await openSample('mixed');
    expect((await payroll.run(file, { enrolsFile, ...interruptedAfter(3) })).exit).toBe(5);
    expect(results()).toBe(committedResults('mixed-interrupted'));

    expect((await payroll.run(file, { enrolsFile })).exit).toBe(0);
    expect(results()).toBe(committedResults('mixed'));
    expect(await paidSums(service)).toEqual([
      'GHS 2300.50',
      'KES 21250.25',
      'NGN 281500.75',
      'TZS 410000.00',
      'UGX 350000',
      'XOF 243000',
    ]);
    expect(await service.books()).toEqual([]);
  });

  test.each([
    ['damaged', ['KES 66450.00', 'NGN 85000.00', 'XOF 95000']],
    ['problems', ['KES 1440.00', 'NGN 100.00']],
  ])('%s.csv: nobody, and with --skip-invalid the sound rows', async (name, sums) => {
    const { service, payroll, file, results } = await openSample(name);
    expect((await payroll.run(file, { enrolsFile })).exit).toBe(65);
    expect(await service.payouts()).toEqual([]);

    expect((await payroll.run(file, { enrolsFile, policy: { skipInvalid: true } })).exit).toBe(3);
    expect(results()).toBe(committedResults(name));
    expect(await paidSums(service)).toEqual(sums);
    expect(await service.books()).toEqual([]);
  });

  test('damaged.csv: the repaired numbers are the ones that are paid', async () => {
    const { service, payroll, file } = await openSample('damaged');
    await payroll.run(file, { enrolsFile, policy: { skipInvalid: true } });
    const paid = (await service.payouts()).map(({ bankCode, number }) => `${bankCode} ${number}`.trim());
    expect(paid.sort()).toEqual([
      '+221772345677',
      '+254110345679',
      '+254701345675',
      '+254712345671',
      '+254733345673',
      '+254757345681',
      '01 1104567890',
      '058 0123456785',
      '11 1120987654',
    ]);
  });

  test('magic.csv: every ending as the table of the sandbox says', async () => {
    const { service, payroll, file, results } = await openSample('magic');
    await service.faults('slow-by=1s,late-by=300ms');
    expect((await payroll.run(file, { enrolsFile, settings: { settleForMs: 1_000 } })).exit).toBe(4);
    expect(results()).toBe(committedResults('magic'));
    expect(await paidSums(service)).toEqual(['KES 7045.00']);
    expect(await service.books()).toEqual([]);
  });

  test('magic.csv: unknown where nothing ever landed, cancelled by a person, and returned ten minutes later', async () => {
    const { service, payroll, file, results, later } = await openSample('magic');
    await service.faults('slow-by=1s,late-by=1h');
    const settings = { settleForMs: 1_000, resends: 0 };
    expect((await payroll.run(file, { enrolsFile, settings })).exit).toBe(4);
    await payroll.decide('magic', () => ({
      choice: { kind: 'named', ids: ['M-13'] },
      rule: (payout) => cancel(payout, 'nobody here knows her', []),
      repeats: undefined,
    }));
    later(11 * 60_000);
    expect((await payroll.resume('magic', { settings })).exit).toBe(4);

    expect(results()).toBe(committedResults('magic-later'));
    expect(await paidSums(service)).toEqual(['KES 5034.00']);
    expect(await service.books()).toEqual([]);
  });

  test('and every status that a row can have stands in one of them', () => {
    const statuses = readdirSync(committed).flatMap((name) => {
      const [header = [], ...rows] = cellsOf(join(committed, name)).cells;
      return rows.map((cells) => cells[header.indexOf('payrun_status')]);
    });
    expect([...new Set(statuses)].sort()).toEqual([
      'cancelled',
      'failed',
      'held',
      'invalid',
      'not_sent',
      'paid',
      'pending',
      'refused',
      'returned',
      'unknown',
    ]);
  });
});

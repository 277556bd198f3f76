import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { exitCode } from '../../src/errors.ts';
import { lockBatch } from '../../src/journal/batch-lock.ts';
import { expectPaidOnce } from '../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  type Payroll,
  patientFlags,
  phoneOf,
  staff,
} from '../support/pay-run.ts';
import { type PayrollService, startPayrollService } from '../support/payroll-service.ts';
import { type Finished, spawnPayrun } from '../support/run-payrun.ts';

const rows = staff(2);
const stuck = employee(2, { phoneNumber: phoneOf(2, '99002') });
const allowed = ['--yes', '--max-total', 'KES=99999'] as const;
const paying = [...allowed, ...patientFlags] as const;
const reached = new Set<number>();

async function opened(
  people: readonly Cells[] = rows,
): Promise<{ service: PayrollService; payroll: Payroll }> {
  const service = await startPayrollService();
  const payroll = openPayroll(service);
  await enrolStaff(service, people);
  payroll.write('november.csv', people);
  return { service, payroll };
}

/** What stops a command is said once, on stderr and without a stack; stdout is for data. */
function expectSaid(ended: Finished, exit: number, words: string): void {
  expect(ended.exit, ended.stderr).toBe(exit);
  expect(ended.stdout).toBe('');
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  reached.add(exit);
}

/** A refusal shows the plan that it is about: that is data. */
function expectShown(ended: Finished, exit: number, words: string): void {
  expect(ended.exit, ended.stderr).toBe(exit);
  expect(ended.stdout).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  reached.add(exit);
}

/** Starts payrun, does something to it once the service has its first payout, and waits for its end. */
async function disturbed(
  { service, payroll }: { service: PayrollService; payroll: Payroll },
  args: readonly string[],
  disturb: (child: ReturnType<typeof spawnPayrun>) => void,
): Promise<Finished> {
  const child = spawnPayrun(args, { cwd: payroll.folder, env: payroll.env });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const closed = once(child, 'close');
  while (child.exitCode === null && (await service.payouts()).length < 2) await systemClock.sleep(30);
  disturb(child);
  const [exit] = (await closed) as [number | null];
  return { exit, ...said };
}

describe('payrun ends with the exit code of the contract', () => {
  test('0: every payout is paid', async () => {
    const { service, payroll } = await opened();
    expectShown(await payroll.payrun(['run', 'november.csv', ...paying]), 0, 'paid now  2');
    await expectPaidOnce(service, rows);
  });

  test('1: a bug, here a journal that somebody has tampered with: shown with its stack, and nothing is sent', async () => {
    const { service, payroll } = await opened();
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));
    await payroll.ask((db) => db.prepare(`UPDATE payouts SET state = 'posted' WHERE key = 'P001'`).run());

    const ended = await payroll.payrun(['resume', 'november', ...patientFlags, '--concurrency', '1']);

    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('payrun: an unexpected error; run the same command again');
    expect(ended.stderr).toMatch(/^ {4}at /m);
    reached.add(1);
    expect((await service.payouts()).filter(({ number }) => number === phoneOf(1))).toEqual([]);
  });

  test('2: a flag that there is not, or that is given twice', async () => {
    const { service, payroll } = await opened();
    const twice = await payroll.payrun(['run', 'november.csv', ...paying, '--settle-for', '1s']);
    expectSaid(twice, 2, '--settle-for is given twice');
    expectSaid(
      await payroll.payrun(['run', 'november.csv', '--yess']),
      2,
      'There is no flag --yess of payrun run. Did you mean --yes?',
    );
    expect(await service.payouts()).toEqual([]);
  });

  test('3: finished, and one has failed', async () => {
    const failing = employee(2, { phoneNumber: phoneOf(2, '99001') });
    const { service, payroll } = await opened([employee(1), failing]);
    expectShown(await payroll.payrun(['run', 'november.csv', ...paying]), 3, 'not paid: failed  1');
    await expectPaidOnceAmong(service, [employee(1)]);
  });

  test('4: finished sending, and one is still on its way', async () => {
    const { service, payroll } = await opened([employee(1), stuck]);
    const ended = await payroll.payrun(['run', 'november.csv', ...allowed, '--settle-for', '1s']);
    expectShown(ended, 4, '1. Carry on:\n     payrun resume november');
    await expectPaidOnceAmong(service, [employee(1)]);
  });

  test('5: stopped early by its deadline, safe to resume', async () => {
    const { service, payroll } = await opened();
    const ended = await payroll.payrun(['run', 'november.csv', ...paying, '--deadline', '1ms']);
    expectShown(ended, 5, 'not paid: not sent yet  2');
    expect(ended.stderr).toContain('The time of --deadline is over');
    expect(await service.payouts()).toEqual([]);
    expect((await payroll.payrun(['resume', 'november', ...patientFlags])).exit).toBe(0);
    await expectPaidOnce(service, rows);
  });

  test('6: a guard refuses: nobody has limited the total', async () => {
    const { service, payroll } = await opened();
    expectShown(await payroll.payrun(['run', 'november.csv', '--yes']), 6, 'REFUSED (limit)');
    expect(await service.payouts()).toEqual([]);
  });

  test('65 and 66: a file with a problem, and a file that is not there', async () => {
    const { service, payroll } = await opened([employee(1), employee(2, { amount: '-3' })]);
    expectShown(await payroll.payrun(['run', 'november.csv', ...paying]), 65, 'line 3, amount');
    expectSaid(await payroll.payrun(['run', 'december.csv', ...paying]), 66, 'There is no file december.csv');
    expect(await service.payouts()).toEqual([]);
  });

  test('69: the service cannot be reached', async () => {
    const { service, payroll } = await opened();
    // A port that nobody is given: one that was let go may be somebody else's by now.
    const env = { PAYRUN_BASE_URL: 'http://127.0.0.1:9' };
    expectSaid(await payroll.payrun(['run', 'november.csv', ...paying], env), 69, 'Nothing was sent');
    expect(await service.payouts()).toEqual([]);
  });

  test('73: there is no place for the results, and it is tried before anything is sent', async () => {
    const { service, payroll } = await opened();
    const ended = await payroll.payrun(['run', 'november.csv', ...paying, '--results', 'nowhere/r.csv']);
    expectSaid(ended, 73, 'nowhere');
    expect(await service.payouts()).toEqual([]);
  });

  test('74: the results cannot be written any more when the money is on its way', async () => {
    const people = [employee(1), stuck];
    const { service, payroll } = await opened(people);
    const results = join(payroll.folder, 'november.results.csv');
    const flags = [...allowed, '--settle-for', '60s'];
    const ended = await disturbed({ service, payroll }, ['run', 'november.csv', ...flags], (child) => {
      mkdirSync(results);
      child.kill('SIGINT');
    });
    expectSaid(ended, 74, 'What was paid is safe in the journal');

    rmSync(results, { recursive: true });
    expect((await payroll.payrun(['results', 'november'])).stdout.trim()).toBe(results);
    expect(payroll.statuses('november')).toEqual([
      expect.stringMatching(/^P001 (paid|pending)$/),
      'P002 pending',
    ]);
    await payroll.payrun(['resume', 'november', '--settle-for', '3s']);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 pending']);
    await expectPaidOnceAmong(service, [employee(1)]);
  });

  test('75: another run holds the batch', async () => {
    const { service, payroll } = await opened();
    const lock = await lockBatch(payroll.workspace, 'november', systemClock);
    try {
      expectSaid(await payroll.payrun(['run', 'november.csv', ...paying]), 75, 'Another payrun is working');
    } finally {
      lock.release();
    }
    expect(await service.payouts()).toEqual([]);
  });

  test('77: the credentials are refused, and never shown', async () => {
    const { service, payroll } = await opened();
    const env = { PAYRUN_API_KEY: 'sk_wrong_0123456789' };
    const ended = await payroll.payrun(['run', 'november.csv', ...paying], env);
    expectSaid(ended, 77, 'Nothing was sent');
    expect(ended.stderr).not.toContain('sk_wrong');
    expect(await service.payouts()).toEqual([]);
  });

  test('78: no workspace where one is looked for, and no service named at all', async () => {
    const { service, payroll } = await opened();
    const elsewhere = { PAYRUN_WORKSPACE: join(payroll.folder, 'empty') };
    expectSaid(await payroll.payrun(['run', 'november.csv', ...paying], elsewhere), 78, 'payrun init');
    const nameless = await payroll.payrun(['run', 'november.csv', ...paying], { PAYRUN_BASE_URL: '' });
    expectSaid(nameless, 78, 'PAYRUN_BASE_URL is not set');
    expect(await service.payouts()).toEqual([]);
  });

  test.each([
    [130, 'SIGINT'],
    [143, 'SIGTERM'],
  ] as const)('%i: interrupted by %s, with the results written and safe to resume', async (exit, signal) => {
    const { service, payroll } = await opened([employee(1), stuck]);
    const flags = [...allowed, '--settle-for', '60s'];
    const ended = await disturbed({ service, payroll }, ['run', 'november.csv', ...flags], (child) =>
      child.kill(signal),
    );
    expectShown(ended, exit, 'payrun resume november');
    expect(payroll.results('november')).toHaveLength(2);
    await expectPaidOnceAmong(service, [employee(1)]);
  });

  test('and the tests above have reached every code of the table', () => {
    const inOrder = (codes: Iterable<number>) => [...codes].sort((one, other) => one - other);
    expect(inOrder(reached)).toEqual(inOrder(Object.values(exitCode)));
  });
});

/** The others were sent too and did not end well: only of these is it said that they were paid. */
async function expectPaidOnceAmong(service: PayrollService, people: readonly Cells[]): Promise<void> {
  const references = (await service.payouts()).map(({ reference }) => reference);
  expect(new Set(references).size).toBe(references.length);
  expect(await service.sums()).toEqual(people.map((row) => `${row['phoneNumber']} ${row['amount']}`));
  expect(await service.books()).toEqual([]);
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNothingTwice, expectPaidOnce } from '../support/paid-once.ts';
import { enrolStaff, staff } from '../support/pay-run.ts';
import { payrollFor, saidBy, startWorkers, untilDone } from '../support/start-worker.ts';
import type { SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

test('what two people bring back while workers pay never lets more be sent than was confirmed', async () => {
  const { service, payroll, rows, file } = await payrollFor(36);
  const even = rows.map((row) => ({ ...row, amount: '1000.00' }));
  // Thirty, and two of the six that are dropped first and brought back later.
  const mostKes = 32_500;
  const leave = async (count: number) => {
    payroll.write('november.csv', even.slice(0, count));
    const flags = ['--yes', '--max-total', `KES=${mostKes}`, '--detach', '--chunk', '3'];
    const ran = await payroll.payrun(['run', file, ...flags]);
    expect(ran.exit, ran.stderr + ran.stdout).toBe(4);
  };
  const dropped = [2, 7, 11, 16, 22, 29].map((number) => `P${String(number).padStart(3, '0')}`);
  const decide = async (what: string, payments: readonly string[]) => {
    const decided = await payroll.payrun([what, 'november', '--payment', ...payments, '--reason', 'seen']);
    expect(decided.exit, decided.stderr + decided.stdout).toBe(0);
  };
  await leave(30);
  await decide('cancel', dropped);
  await leave(36);
  const workers = await startWorkers(payroll, 3, '--concurrency', '2', '--rate', '40');
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThan(1);
  const bringBack = async (payments: readonly string[]) => {
    for (const payment of payments) await decide('retry', [payment]);
  };
  await Promise.all([bringBack(dropped.slice(0, 3)), bringBack(dropped.slice(3))]);
  await untilDone(payroll);
  const status = (await payroll.payrun(['status', 'november'])).stdout;
  expect(status).toContain('Workers gave it back: Batch november was confirmed up to KES 32,500.00');
  expect(status).not.toContain('Nothing was sent');
  const paid = async () => (await service.payouts()).length;
  expect(await paid(), saidBy(workers)).toBeLessThanOrEqual(32);
  expect((await payroll.payrun(['resume', 'november'])).exit).toBe(6);
  expect(await paid()).toBeLessThanOrEqual(32);
  await expectNothingTwice(service, even);
});

test('three who run one file at once leave it to workers once; files that repeat each other are refused but for the first', async () => {
  const { service, payroll, rows, file } = await payrollFor(12);
  const workers = await startWorkers(payroll, 2);
  const desks = ['one', 'two', 'three'].map((name) => ({
    PAYRUN_WORKSPACE: join(payroll.folder, `desk-${name}`),
  }));
  for (const desk of desks) expect((await payroll.payrun(['init'], desk)).exit).toBe(0);
  const same = await Promise.all(
    desks.map((desk) => payroll.payrun(['run', file, ...paying, '--workers', '--chunk', '3'], desk)),
  );
  // Whoever came second watches the same batch, or was told that another has it.
  const told = same.map(({ exit, stderr }) => `${exit} ${stderr}`).join('\n') + saidBy(workers);
  expect(
    same.map(({ exit }) => exit).filter((exit) => exit !== 0 && exit !== 75),
    told,
  ).toEqual([]);
  expect(
    same.map(({ exit }) => exit),
    told,
  ).toContain(0);
  await untilDone(payroll);
  await expectPaidOnce(service, rows);

  const others = staff(20).slice(12);
  await enrolStaff(service, others);
  const copies = desks.map((_, index) => payroll.write(`december-${index}.csv`, others));
  const repeating = await Promise.all(
    copies.map((copy, index) =>
      payroll.payrun(['run', copy, ...paying, '--workers', '--chunk', '3'], desks[index] ?? {}),
    ),
  );
  const exits = repeating.map(({ exit }) => exit).sort();
  expect(exits, repeating.map(({ stdout, stderr }) => stdout + stderr).join('\n')).toEqual([0, 6, 6]);
  for (const { stdout, stderr } of repeating.filter(({ exit }) => exit === 6))
    expect(stdout + stderr).toMatch(/another batch|december-\d/);
  await expectPaidOnce(service, [...rows, ...others]);
});

/** The most calls that were under way at one moment. */
function mostAtOnce(calls: readonly SeenCall[]): number {
  const until = ({ endedMs }: SeenCall) => endedMs ?? Number.POSITIVE_INFINITY;
  return Math.max(
    ...calls.map(({ atMs }) => calls.filter((other) => other.atMs <= atMs && until(other) > atMs).length),
  );
}

test('a worker carries out two chunks at a time, with no more calls at once than it was told; what was sent is settled together', async () => {
  const { service, payroll, rows, file } = await payrollFor(40);
  const workers = await startWorkers(payroll, 1, '--concurrency', '3');
  service.interfere(() => ({
    kind: 'answer-later',
    until: new Promise((resolve) => setTimeout(resolve, 150)),
  }));
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '20'])).exit).toBe(4);
  const before = service.calls.length;
  await untilDone(payroll);
  const calls = service.calls.slice(before);
  expect(mostAtOnce(calls), saidBy(workers)).toBe(3);
  const said = saidBy(workers);
  expect(said.indexOf('chunk 1: begun')).toBeLessThan(said.indexOf('chunk 0: 20 sends'));
  expect(said).toMatch(/chunk 0 and chunk 1: 0 sends, done/);
  await expectPaidOnce(service, rows);
});

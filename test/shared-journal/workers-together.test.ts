import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chunksToDo } from '../../src/journal/chunks.ts';
import { runDocumentSchema } from '../../src/report/schemas/run-document-schema.ts';
import { expectNothingTwice, expectPaidOnce } from '../support/paid-once.ts';
import { enrolStaff, type Payroll, staff } from '../support/pay-run.ts';
import { payrollFor, startWorker, type Worker } from '../support/start-worker.ts';
import { type Interference, isPayout, type SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

async function startWorkers(payroll: Payroll, count: number, ...flags: readonly string[]) {
  const workers = Array.from({ length: count }, () => startWorker(payroll, ...flags));
  for (const worker of workers) await worker.started();
  return workers;
}

const saidBy = (workers: readonly Worker[]) => workers.map(({ said }) => said()).join('\n');

async function untilDone(payroll: Payroll) {
  await expect.poll(() => payroll.ask(chunksToDo), { timeout: 120_000, interval: 1_000 }).toEqual([]);
}

/** The door stands in this process: what comes while it is busy is seen late, and then at once. For how long at most. */
function watchDoor(): () => number {
  let [lastMs, mostMs] = [performance.now(), 0];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    mostMs = Math.max(mostMs, nowMs - lastMs - 10);
    lastMs = nowMs;
  }, 10);
  onTestFinished(() => clearInterval(timer));
  return () => mostMs;
}

/** The most calls in any second. */
function mostInASecond(calls: readonly SeenCall[]): number {
  const times = calls.map(({ atMs }) => atMs);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
}

test('four workers keep one rate together: no second has a tenth more calls, and most of the rate is used', async () => {
  const { service, payroll, rows, file } = await payrollFor(90);
  const workers = await startWorkers(payroll, 4, '--rate', '50');
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '6'])).exit).toBe(4);
  // What planned and accepted it has made its calls; all that come now are workers'.
  const before = service.calls.length;
  const doorLateMs = watchDoor();
  const status = await payroll.payrun(['status', 'november']);
  expect(status.stdout).toContain('  Together they make at most 50 calls a second.');
  await expect.poll(() => service.payoutCalls().length, { timeout: 120_000 }).toBe(90);
  const calls = service.calls.slice(before);
  expect(calls.length, saidBy(workers)).toBeGreaterThan(400);
  expect(mostInASecond(calls)).toBeLessThanOrEqual(55 + Math.ceil((50 * doorLateMs()) / 1000));
  const tookMs = (calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0);
  expect(calls.length / (tookMs / 1000)).toBeGreaterThan(25);
  await untilDone(payroll);
  await expectPaidOnce(service, rows);
});

test('a pause that the service asks one worker for, all take within a second; afterwards they keep the rate', async () => {
  const { service, payroll, rows, file } = await payrollFor(60);
  const pauseMs = 6_000;
  const tooMany: Interference = {
    kind: 'answer',
    status: 429,
    body: { success: false, message: 'Too many requests' },
    headers: { 'retry-after': String(pauseMs / 1000) },
  };
  const workers = await startWorkers(payroll, 3, '--rate', '40');
  let asked: SeenCall | undefined;
  service.interfere((call) => {
    if (asked || !isPayout(call) || service.payoutCalls().length < 10) return undefined;
    asked = call;
    return tooMany;
  });
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '5'])).exit).toBe(4);
  await expect.poll(() => asked?.endedMs, { timeout: 120_000 }).toBeDefined();
  const doorLateMs = watchDoor();
  const fromMs = asked?.endedMs ?? 0;
  await untilDone(payroll);
  const within = (from: number, to: number) =>
    service.calls.filter(({ atMs }) => atMs > fromMs + from && atMs < fromMs + to).length;
  expect(within(1_000 + doorLateMs(), pauseMs), saidBy(workers)).toBe(0);
  const later = service.calls.filter(({ atMs }) => atMs >= fromMs + pauseMs);
  expect(later.length).toBeGreaterThan(40);
  expect(mostInASecond(later)).toBeLessThanOrEqual(44 + Math.ceil((40 * doorLateMs()) / 1000));
  await expectPaidOnce(service, rows);
});

const down = { success: false, message: 'Internal server error' };
const broken: Interference = { kind: 'answer', status: 500, body: down };

test.each<[string, string, (call: SeenCall) => Interference | undefined]>([
  ['answers every payout with 500', '4', (call) => (isPayout(call) ? broken : undefined)],
  ['answers no payout at all', '8', (call) => (isPayout(call) ? { kind: 'ignore' } : undefined)],
  ['drops every connection', '4', () => ({ kind: 'lose-request' })],
])(
  'a service that %s gets twelve sends of each worker at the most, however small its chunks, and all of them stop',
  async (_, chunk, trouble) => {
    const { service, payroll, rows, file } = await payrollFor(60);
    const workers = await startWorkers(payroll, 2);
    let dead = 0;
    service.interfere((call) => {
      if (dead === 0 && service.payoutCalls().length >= 4) dead = service.calls.length;
      // Far beyond what is allowed it comes back: who does not stop has failed, and need not go through all of it.
      const isBack = service.payoutCalls().length > 40;
      return dead > 0 && !isBack ? trouble(call) : undefined;
    });
    const ran = await payroll.payrun(['run', file, ...paying, '--workers', '--chunk', chunk]);
    expect(ran.exit, ran.stderr + saidBy(workers)).toBe(5);
    const stoppedMs = Math.min(
      ...workers.flatMap(({ lines }) =>
        lines.filter(({ text }) => /chunk \d+: \d+ sends?, [^.]+\. \S/.test(text)).map(({ atMs }) => atMs),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, stoppedMs + 5_000 - performance.now()));
    const shown = await payroll.payrun(['status', 'november', '--json']);
    const { work } = runDocumentSchema.parse(JSON.parse(shown.stdout));
    expect(work?.givenBack).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(work?.workers.map(({ doing }) => doing)).toEqual(['nothing', 'nothing']);
    expect(service.calls.filter(({ atMs }) => atMs > stoppedMs + 5_000)).toEqual([]);
    const sends = service.calls.slice(dead - 1).filter(isPayout);
    expect(sends.length, saidBy(workers)).toBeLessThanOrEqual(24);
    service.interfere();
    await expectNothingTwice(service, rows);
  },
);

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

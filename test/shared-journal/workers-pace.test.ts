import { expect, onTestFinished, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { payrollFor, saidBy, startWorkers, untilDone } from '../support/start-worker.ts';
import { type Interference, isPayout, type SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

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

test('four workers keep one rate together: no second has more than a tenth above it', async () => {
  const { service, payroll, rows, file } = await payrollFor(200);
  const workers = await startWorkers(payroll, 4, '--rate', '50');
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '12'])).exit).toBe(4);
  // What planned and accepted it has made its calls; all that come now are workers'.
  const before = service.calls.length;
  const doorLateMs = watchDoor();
  const status = await payroll.payrun(['status', 'november']);
  expect(status.stdout).toContain('  Together they make at most 50 calls a second.');
  await expect.poll(() => service.payoutCalls().length, { timeout: 120_000 }).toBe(200);
  const calls = service.calls.slice(before);
  expect(calls.length, saidBy(workers)).toBeGreaterThan(400);
  expect(mostInASecond(calls)).toBeLessThanOrEqual(55 + Math.ceil((50 * doorLateMs()) / 1000));
  const tookMs = (calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0);
  expect(calls.length / (tookMs / 1000)).toBeGreaterThan(10);
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

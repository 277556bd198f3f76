import { expect, test } from 'vitest';
import { runDocumentSchema } from '../../src/report/schemas/run-document-schema.ts';
import { expectNothingTwice } from '../support/paid-once.ts';
import { payrollFor, saidBy, startWorkers } from '../support/start-worker.ts';
import { type Interference, isPayout, type SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

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

test('what is told is why the first stopped, though another chunk of it only stops with it; what was sent is settled', async () => {
  const { service, payroll, file } = await payrollFor(120);
  const slow = ['--timeout', '8s', '--quiet-period', '16s'];
  const [worker] = await startWorkers(payroll, 1, '--concurrency', '20', ...slow);
  const poor = { success: false, message: 'Insufficient funds', errorCode: 'E-BAL.LOW' };
  let hung = 0;
  service.interfere((call) => {
    const sent = service.payoutCalls().length;
    if (!isPayout(call) || sent <= 3) return undefined;
    if (sent % 4 !== 0 || hung >= 4) return { kind: 'answer', status: 400, body: poor };
    hung += 1;
    return { kind: 'answer-later', until: new Promise((resolve) => setTimeout(resolve, 7_000)) };
  });
  const flags = ['--yes', '--max-total', 'KES=9000000', ...slow, '--workers', '--chunk', '60'];
  const ran = await payroll.payrun(['run', file, ...flags]);
  expect(ran.exit, ran.stderr + worker?.said()).toBe(5);
  expect(ran.stderr + ran.stdout).toMatch(/refused 12 payouts in a row with E-BAL.LOW/);
  const { stdout } = await payroll.payrun(['status', 'november']);
  expect(stdout).toContain('E-BAL.LOW');
  const paid = payroll.results('november').filter((row) => row['payrun_status'] === 'paid');
  expect(paid).toHaveLength((await service.payouts()).length);
  expect(paid.length).toBeGreaterThanOrEqual(3);
});

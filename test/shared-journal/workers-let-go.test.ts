import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { payrollFor, startWorker } from '../support/start-worker.ts';
import { isLookUp, isPayout, type SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

test('whoever decides about a batch gets it while workers are at it; they go on afterwards', async () => {
  const { service, payroll, rows, file } = await payrollFor(40);
  // So that much is left to do for long, also on a machine that is busy.
  service.interfere((call) => (isPayout(call) ? { kind: 'answer-later', until: wait(500) } : undefined));
  const worker = startWorker(payroll, '--concurrency', '1', '--rate', '6');
  await worker.started();
  await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '40']);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThan(2);
  const last = rows.at(-1)?.['paymentId'] ?? '';
  const cancelled = await payroll.payrun([
    ...['cancel', 'november', '--payment', last, '--reason', 'left the company'],
  ]);
  expect(cancelled.exit, cancelled.stderr + cancelled.stdout).toBe(0);
  expect(service.payoutCalls().length).toBeLessThan(39);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBe(39);
  await expect
    .poll(async () => (await payroll.payrun(['status', 'november'])).stdout, { timeout: 60_000 })
    .toContain('Workers have nothing left to do of it (1 chunk).');
  await expectPaidOnce(service, rows.slice(0, -1));
});

test('a worker that gets its chunk back waits for what it sent itself, though somebody had all of the batch meanwhile', async () => {
  const { service, payroll, rows, file } = await payrollFor(14);
  const worker = startWorker(payroll, '--concurrency', '1');
  await worker.started();
  let isLost = false;
  service.interfere((call) => {
    if (!isPayout(call)) return undefined;
    // Long after it took the chunk, a connection drops, and the payout comes to the service well within the quiet period.
    if (service.payoutCalls().length <= 12) return { kind: 'answer-later', until: wait(1_600) };
    if (isLost) return undefined;
    isLost = true;
    return { kind: 'land-later', byMs: 9_000 };
  });
  const careful = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '12s'];
  expect((await payroll.payrun(['run', file, ...careful, '--detach'])).exit).toBe(4);
  await expect.poll(() => isLost, { timeout: 120_000 }).toBe(true);
  expect((await payroll.payrun(['results', 'november'])).exit).toBe(0);
  await expect
    .poll(async () => (await payroll.payrun(['status', 'november'])).stdout, { timeout: 120_000 })
    .toContain('Workers have nothing left to do of it (1 chunk).');
  await service.landed();
  expect(service.payoutCalls()).toHaveLength(14);
  await expectPaidOnce(service, rows);
});

test('a batch that was not handed over before Ctrl-C is not said to be with the workers', async () => {
  const { service, payroll, file } = await payrollFor(60);
  let lookUps = 0;
  const planned = new Set<string | undefined>();
  service.interfere((call) => {
    if (!isLookUp(call)) return undefined;
    // Once for the plan; once more means that the file is accepted.
    if (planned.has(call.reference)) lookUps += 1;
    planned.add(call.reference);
    return lookUps > 0 ? { kind: 'answer-later', until: wait(1_000) } : undefined;
  });
  const run = spawnPayrun(['run', file, ...paying, '--detach', '--concurrency', '2'], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  run.stdin.end();
  let said = '';
  for (const stream of [run.stdout, run.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  const ended = new Promise((resolve) => run.once('close', resolve));
  await expect.poll(() => lookUps, { timeout: 60_000 }).toBeGreaterThan(2);
  run.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said).not.toContain('is with the workers');
  expect(said).toContain('Carry on');
  expect(service.payoutCalls()).toEqual([]);
});

test('whoever watches takes the batch back with Ctrl-C; what was under way ends, and the results say what was paid', async () => {
  const { service, payroll, file } = await payrollFor(40);
  const worker = startWorker(payroll, '--concurrency', '1', '--rate', '8');
  await worker.started();
  const watching = spawnPayrun(['run', file, ...paying, '--workers', '--chunk', '40'], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  watching.stdin.end();
  watching.stdout.resume();
  watching.stderr.resume();
  const ended = new Promise((resolve) => watching.once('exit', resolve));
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThan(2);
  watching.kill('SIGINT');
  expect(await ended).toBe(130);
  const sent = service.payoutCalls().length;
  expect(sent).toBeLessThan(40);
  const lines = readFileSync(join(payroll.folder, 'november.results.csv'), 'utf8').split('\n');
  expect(lines.filter((line) => /,(paid|pending),/.test(line))).toHaveLength(sent);
  await wait(3_000);
  expect(service.payoutCalls()).toHaveLength(sent);
});

test('what stops one worker closes the batch for all, and whoever watches is told why', async () => {
  const { service, payroll, file } = await payrollFor(40);
  const poor = { success: false, message: 'Insufficient funds', errorCode: 'E-BAL.LOW' };
  service.interfere((call) => (isPayout(call) ? { kind: 'answer', status: 400, body: poor } : undefined));
  const workers = [startWorker(payroll, '--concurrency', '1'), startWorker(payroll, '--concurrency', '1')];
  for (const worker of workers) await worker.started();
  const ran = await payroll.payrun(['run', file, ...paying, '--workers', '--chunk', '20']);
  expect(ran.exit, ran.stderr + workers.map(({ said }) => said()).join()).toBe(5);
  // Twelve in a row for each of them, at the most.
  expect(service.payoutCalls().length).toBeLessThanOrEqual(26);
  const sent = service.payoutCalls().length;
  await wait(3_000);
  expect(service.payoutCalls()).toHaveLength(sent);
  const status = await payroll.payrun(['status', 'november']);
  expect(status.stdout).toContain('Workers gave it back: ');
  for (const { kill } of workers) await kill('SIGTERM');
  service.interfere();
  const brief = ['--timeout', '2s', '--quiet-period', '4s'];
  expect((await payroll.payrun(['resume', 'november', ...brief])).exit).not.toBe(5);
  expect((await payroll.payrun(['status', 'november'])).stdout).not.toContain('Workers gave it back');
});

test('a worker in the middle of a chunk lets go of a batch that another had to give back', async () => {
  const { service, payroll, file } = await payrollFor(40);
  const poor = { success: false, message: 'Insufficient funds', errorCode: 'E-BAL.LOW' };
  let poorOne: string | undefined;
  const byOther = () => service.payoutCalls().filter(({ token }) => token !== poorOne).length;
  service.interfere((call) => {
    if (!isPayout(call)) return undefined;
    poorOne ??= call.token;
    if (call.token === poorOne) return { kind: 'answer', status: 400, body: poor };
    return { kind: 'answer-later', until: wait(400) };
  });
  const workers = [startWorker(payroll, '--concurrency', '1'), startWorker(payroll, '--concurrency', '1')];
  for (const worker of workers) await worker.started();
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '20'])).exit).toBe(4);
  const isStopped = () => workers.every(({ said }) => / sends?, (?!done)/.test(said()));
  await expect.poll(isStopped, { timeout: 60_000 }).toBe(true);
  // All of its own would have taken it eight seconds.
  expect(byOther()).toBeLessThan(20);
  expect(service.payoutCalls().length - byOther()).toBe(12);
});

test('a list that could not be read back stops a batch, and not the worker: it pays the next', async () => {
  const { service, payroll, rows } = await payrollFor(6);
  const worker = startWorker(payroll, '--concurrency', '2');
  await worker.started();
  const isAccounts = (call: SeenCall, method: string) =>
    call.method === method && call.path === '/external-accounts';
  let isMade = false;
  service.interfere((call) => {
    isMade ||= isAccounts(call, 'POST');
    if (!isMade || !isAccounts(call, 'GET')) return undefined;
    return { kind: 'answer', status: 400, body: { success: false, message: 'not now', errorCode: 'E-X' } };
  });
  const first = payroll.write('october.csv', rows.slice(0, 3));
  expect((await payroll.payrun(['run', first, ...paying, '--workers'])).exit).not.toBe(0);
  service.interfere();
  const second = payroll.write('november.csv', rows.slice(3));
  const ran = await payroll.payrun(['run', second, ...paying, '--workers']);
  expect(ran.exit, ran.stderr + worker.said()).toBe(0);
  await expectPaidOnce(service, rows.slice(3));
});

test('a payout that waits for a person keeps nobody else from being settled: neither its own chunk nor the others', async () => {
  const { service, payroll, file } = await payrollFor(8);
  const worker = startWorker(payroll);
  await worker.started();
  let lost: SeenCall | undefined;
  service.interfere((call) => {
    if (lost || !isPayout(call)) return undefined;
    lost = call;
    return { kind: 'lose-request' };
  });
  const once = [...paying, '--resends', '0', '--detach', '--chunk', '4'];
  expect((await payroll.payrun(['run', file, ...once])).exit).toBe(4);
  const states = () =>
    payroll.ask((db) =>
      db
        .prepare<[], string>(`SELECT state || ' ' || count(*) FROM payouts GROUP BY state ORDER BY state`)
        .pluck()
        .all(),
    );
  await expect.poll(states, { timeout: 60_000, interval: 1_000 }).toEqual(['paid 7', 'unclear 1']);
  expect(service.payoutCalls()).toHaveLength(8);
});

test('who stops while somebody wants the batch goes on with it afterwards, once the service answers again', async () => {
  const { service, payroll, rows, file } = await payrollFor(60);
  // So long are the first sends under way at the least: somebody has to want the batch before they are all unclear.
  const slow = ['--timeout', '12s', '--quiet-period', '24s'];
  const worker = startWorker(payroll, '--concurrency', '20', ...slow);
  await worker.started();
  let ignored = 0;
  let isHealthy = false;
  service.interfere((call) => {
    if (!isPayout(call) || isHealthy || service.payoutCalls().length <= 3) return undefined;
    ignored += 1;
    return { kind: 'ignore' };
  });
  const flags = ['--yes', '--max-total', 'KES=9000000', ...slow, '--detach', '--chunk', '60'];
  expect((await payroll.payrun(['run', file, ...flags])).exit).toBe(4);
  await expect.poll(() => ignored, { timeout: 60_000, interval: 50 }).toBeGreaterThanOrEqual(12);
  expect((await payroll.payrun(['results', 'november'])).exit).toBe(0);
  isHealthy = true;
  const states = () =>
    payroll.ask((db) => db.prepare<[], string>('SELECT DISTINCT state FROM payouts').pluck().all());
  await expect.poll(states, { timeout: 240_000, interval: 1_000 }).toEqual(['paid']);
  await expectPaidOnce(service, rows);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { payrollFor, startWorker } from '../support/start-worker.ts';
import { isLookUp, isPayout, type SeenCall } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

test('workers on several machines pay a batch in chunks; whoever left it to them is told, and writes the results', async () => {
  const { service, payroll, rows, file } = await payrollFor(24);
  const workers = [startWorker(payroll, '--concurrency', '2'), startWorker(payroll, '--concurrency', '2')];
  const ran = await payroll.payrun(['run', file, ...paying, '--workers', '--chunk', '4']);
  expect(ran.exit, ran.stderr + workers.map(({ said }) => said()).join()).toBe(0);
  await expectPaidOnce(service, rows);
  expect(ran.stdout).toMatch(/paid now +24/);
  expect(readFileSync(join(payroll.folder, 'november.results.csv'), 'utf8').split('\n')).toHaveLength(26);
  for (const { said } of workers) expect(said()).toMatch(/chunk \d: begun/);
  for (const { kill, ended } of workers) {
    await kill('SIGTERM');
    expect(await ended()).toBe(0);
  }
  expect((await payroll.payrun(['audit', '--service'])).exit).toBe(0);
});

test('who saw the batch handed over sends without a look-up; who came later looks first', async () => {
  const { service, payroll, rows, file } = await payrollFor(40);
  const lookUps = () =>
    service.calls.filter(({ path, reference }) => path.startsWith('/transactions?') && reference).length;
  const health = join(payroll.folder, 'health.json');
  const there = startWorker(payroll, '--concurrency', '2', '--health-file', health);
  await expect.poll(() => existsSync(health), { timeout: 60_000 }).toBe(true);
  // The eleventh payout stops it.
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 11 ? { kind: 'ignore' } : undefined,
  );
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '20'])).exit).toBe(4);
  const atHandOver = lookUps();
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(11);
  await there.kill('SIGKILL');
  service.interfere();
  // Those that prove that the service can be searched, and no more.
  expect(lookUps() - atHandOver).toBeLessThan(8);
  const before = lookUps();
  const sent = service.payoutCalls().length;
  startWorker(payroll, '--concurrency', '2');
  await expect
    .poll(async () => (await payroll.payrun(['status', 'november'])).stdout, { timeout: 90_000 })
    .toContain('Workers have nothing left to do of it (2 chunks).');
  expect(lookUps() - before).toBeGreaterThanOrEqual(40 - sent);
  await expectPaidOnce(service, rows);
});

test('a machine that dies with a chunk is replaced: nobody is paid twice, and nobody is forgotten', async () => {
  const { service, payroll, rows, file } = await payrollFor(12);
  // The fifth payout is lost, and the machine that sent it with it.
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 5 ? { kind: 'ignore' } : undefined,
  );
  const first = startWorker(payroll, '--concurrency', '1');
  await first.started();
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '3'])).exit).toBe(4);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBe(5);
  await first.kill('SIGKILL');
  service.interfere();
  const second = startWorker(payroll);
  const watched = await payroll.payrun(['run', file, ...paying, '--workers']);
  expect(watched.exit, watched.stderr + second.said()).toBe(0);
  await expectPaidOnce(service, rows);
});

test('who takes a chunk over knows the accounts that were made in it, though its own list is older', async () => {
  const { service, payroll, rows } = await payrollFor(6);
  const heir = startWorker(payroll, '--concurrency', '1');
  await heir.started();
  const first = payroll.write('october.csv', rows.slice(0, 2));
  expect((await payroll.payrun(['run', first, ...paying, '--workers'])).exit).toBe(0);
  // Too short to be ended by others.
  await heir.kill('SIGSTOP');
  const sent = service.payoutCalls().length;
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === sent + 2 ? { kind: 'ignore' } : undefined,
  );
  const gone = startWorker(payroll, '--concurrency', '1');
  await gone.started();
  const late = payroll.write('november.csv', rows.slice(2));
  expect((await payroll.payrun(['run', late, ...paying, '--detach'])).exit).toBe(4);
  await expect.poll(() => service.payoutCalls().length, { timeout: 15_000 }).toBe(sent + 2);
  await gone.kill('SIGKILL');
  service.interfere();
  await heir.kill('SIGCONT');
  const watched = await payroll.payrun(['run', late, ...paying, '--workers']);
  expect(watched.exit, watched.stderr + heir.said()).toBe(0);
  expect(service.calls.filter(({ path }) => path.startsWith('/external-accounts/')).length).toBeGreaterThan(
    0,
  );
  await expectPaidOnce(service, rows);
});

test('a worker that is frozen is ended by another after a while; woken, it sends nothing', async () => {
  const { service, payroll, rows, file } = await payrollFor(8);
  const frozen = startWorker(payroll, '--concurrency', '1');
  await frozen.started();
  // It stands still with a call under way, whose answer it does not see.
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 3
      ? { kind: 'answer-later', until: frozen.kill('SIGSTOP') }
      : undefined,
  );
  expect((await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '4'])).exit).toBe(4);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBe(3);
  const other = startWorker(payroll, '--concurrency', '2');
  await expect
    .poll(() => other.said(), { timeout: 60_000 })
    .toContain('1 worker did not answer any more and was ended');
  const watched = await payroll.payrun(['run', file, ...paying, '--workers']);
  expect(watched.exit, watched.stderr + other.said()).toBe(0);
  const sent = service.payoutCalls().length;
  await frozen.kill('SIGCONT');
  expect(await frozen.ended()).toBe(74);
  expect(service.payoutCalls()).toHaveLength(sent);
  await expectPaidOnce(service, rows);
});

test('told to stop, a worker ends what is under way and gives its chunk back at once; its health file was kept', async () => {
  const { service, payroll, rows, file } = await payrollFor(30);
  const health = join(payroll.folder, 'health.json');
  const first = startWorker(payroll, '--concurrency', '1', '--health-file', health);
  await first.started();
  await payroll.payrun(['run', file, ...paying, '--detach', '--chunk', '15']);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThan(2);
  await first.kill('SIGTERM');
  expect(await first.ended(), first.said()).toBe(0);
  expect(JSON.parse(readFileSync(health, 'utf8'))).toHaveProperty('doing');
  const sent = service.payoutCalls().length;
  expect(sent).toBeLessThan(30);
  const status = await payroll.payrun(['status', 'november']);
  expect(status.stdout).toMatch(/Left to workers: 2 of 2 chunks to do\.\n {2}No worker is there/);
  startWorker(payroll, '--concurrency', '4');
  const watched = await payroll.payrun(['run', file, ...paying, '--workers']);
  expect(watched.exit, watched.stderr).toBe(0);
  await expectPaidOnce(service, rows);
});

test('whoever decides about a batch gets it while workers are at it; they go on afterwards', async () => {
  const { service, payroll, rows, file } = await payrollFor(40);
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
    if (service.payoutCalls().length <= 12)
      return { kind: 'answer-later', until: new Promise((resolve) => setTimeout(resolve, 1_600)) };
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
  service.interfere((call) => {
    if (!isLookUp(call)) return undefined;
    lookUps += 1;
    return { kind: 'answer-later', until: new Promise((resolve) => setTimeout(resolve, 1_000)) };
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
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(service.payoutCalls()).toHaveLength(sent);
});

test('workers need a journal and a service that all of them share', async () => {
  const { payroll, file } = await payrollFor(1);
  const alone = { PAYRUN_JOURNAL_URL: '', PAYRUN_WORKSPACE: join(payroll.folder, 'alone') };
  await payroll.payrun(['init'], alone);
  for (const words of [
    ['worker'],
    ['run', file, ...paying, '--workers'],
    ['run', file, '--sandbox', '--yes', '--detach'],
  ]) {
    const refused = await payroll.payrun(words, alone);
    expect(refused.exit, words.join(' ')).toBe(78);
    expect(refused.stderr).toMatch(/Workers (share a journal|need a service)/);
  }
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
  await new Promise((resolve) => setTimeout(resolve, 3_000));
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
    return { kind: 'answer-later', until: new Promise((resolve) => setTimeout(resolve, 400)) };
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

test('a rate that the run was told is kept by workers who were told none; left to them alone, it is not carried on here', async () => {
  const { service, payroll, file } = await payrollFor(30);
  const worker = startWorker(payroll);
  await worker.started();
  const left = await payroll.payrun(['run', file, ...paying, '--detach', '--rate', '10']);
  expect(left.exit, left.stderr).toBe(4);
  expect(left.stdout + left.stderr).toContain('Batch november is with the workers');
  expect(left.stdout).not.toMatch(/nothing was paid|Carry on|Results:/);
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBeGreaterThan(0);
  const status = await payroll.payrun(['status', 'november']);
  expect(status.stdout).toContain('Together they make at most 10 calls a second.');
  expect(status.stdout).toContain('Next: wait for the workers, or take it from them and carry on here: ');
  await expect.poll(() => service.payoutCalls().length, { timeout: 60_000 }).toBe(30);
  const begun = service.payoutCalls().map(({ atMs }) => atMs);
  expect(Math.max(...begun) - Math.min(...begun)).toBeGreaterThan(2_000);
  await expect
    .poll(async () => (await payroll.payrun(['status', 'november'])).stdout, { timeout: 60_000 })
    .toContain('Its results are written by: ');
  const again = await payroll.payrun(['run', file, ...paying, '--detach']);
  expect([again.exit, again.stdout]).toEqual([
    0,
    expect.stringContaining('nothing was paid: all 30 were paid'),
  ]);
  expect(again.stdout + again.stderr).not.toContain('is with the workers');
});

test('what was said when the batch was left to workers binds them, however they were started', async () => {
  const { service, payroll, file } = await payrollFor(3);
  // Accepted and paid, and never heard of.
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 2 ? { kind: 'ignore' } : undefined,
  );
  const worker = startWorker(payroll, '--resends', '10');
  await worker.started();
  const careful = ['--yes', '--max-total', 'KES=90000', '--timeout', '2s', '--quiet-period', '4s'];
  const ran = await payroll.payrun(['run', file, ...careful, '--resends', '0', '--workers', '--json-lines']);
  expect(ran.exit, ran.stderr).toBe(4);
  expect(service.payoutCalls()).toHaveLength(3);
  // What became of it is told as that of a run is, though others did it.
  const told = ran.stderr.split('\n').filter((line) => line.startsWith('{"kind":"by-workers"'));
  expect(JSON.parse(told.at(-1) ?? '{}')).toMatchObject({
    moved: { paid: 2 },
    sent: [{ currency: 'KES', amount: expect.stringMatching(/^2\d{3}\.00$/) }],
  });
});

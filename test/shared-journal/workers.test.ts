import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { payrollFor, startWorker } from '../support/start-worker.ts';
import { isPayout } from '../support/watched-service.ts';

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

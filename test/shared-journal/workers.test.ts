import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { enrolStaff, openPayroll, type Payroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { isPayout, watchService } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

async function payrollFor(people: number) {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(people);
  await enrolStaff(service, rows);
  await payroll.store.make();
  return { service, payroll, rows, file: payroll.write('november.csv', rows) };
}

/** A worker as on a machine of its own. */
function startWorker(payroll: Payroll, ...flags: readonly string[]) {
  const workspace = join(payroll.folder, `machine-${randomUUID()}`);
  const said = { text: '' };
  const ready = payroll.payrun(['init'], { PAYRUN_WORKSPACE: workspace });
  const child = ready.then(() => {
    const words = ['worker', '--timeout', '2s', '--quiet-period', '4s', ...flags];
    const started = spawnPayrun(words, {
      cwd: payroll.folder,
      env: { ...payroll.env, PAYRUN_WORKSPACE: workspace },
    });
    started.stdin.end();
    started.stdout.resume();
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.text += text;
    });
    onTestFinished(() => void started.kill('SIGKILL'));
    return started;
  });
  return {
    said: () => said.text,
    kill: async (signal: NodeJS.Signals) => (await child).kill(signal),
    ended: async () => {
      const one = await child;
      return one.exitCode ?? new Promise<number | null>((resolve) => one.once('exit', resolve));
    },
    started: () => expect.poll(() => said.text, { timeout: 60_000 }).toContain('Working for batches'),
  };
}

test('workers on several machines pay a batch in chunks; whoever left it to them is told, and writes the results', async () => {
  const { service, payroll, rows, file } = await payrollFor(24);
  const workers = [startWorker(payroll, '--concurrency', '2'), startWorker(payroll, '--concurrency', '2')];
  const ran = await payroll.payrun(['run', file, ...paying, '--workers', '--chunk', '4']);
  expect(ran.exit, ran.stderr + workers.map(({ said }) => said()).join()).toBe(0);
  await expectPaidOnce(service, rows);
  expect(readFileSync(join(payroll.folder, 'november.results.csv'), 'utf8').split('\n')).toHaveLength(26);
  for (const { said } of workers) expect(said()).toMatch(/chunk \d: begun/);
  for (const { kill, ended } of workers) {
    await kill('SIGTERM');
    expect(await ended()).toBe(0);
  }
  expect((await payroll.payrun(['audit', '--service'])).exit).toBe(0);
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

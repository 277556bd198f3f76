import { expect, test } from 'vitest';
import { expectPaidOnce } from '../support/paid-once.ts';
import { payrollFor, startWorker } from '../support/start-worker.ts';
import { isPayout } from '../support/watched-service.ts';

const paying = ['--yes', '--max-total', 'KES=9000000', '--timeout', '2s', '--quiet-period', '4s'];

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

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { putValue, readValue } from '../../src/journal/key-values.ts';
import { connectPostgres } from '../../src/journal/shared/connect-postgres.ts';
import { closeJournal, sharedOf } from '../../src/journal/shared/shared-of.ts';
import { readSharedUrl } from '../../src/journal/shared/shared-url.ts';
import { expectPaidOnce } from '../support/paid-once.ts';
import { enrolStaff, interruptedAfter, openPayroll, type Ran, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { findPostgres, startPostgres } from '../support/postgres.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { newSharedSchema } from '../support/shared-schema.ts';
import { isPayout, watchService } from '../support/watched-service.ts';

const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'payrun' AND pid <> pg_backend_pid()`;

test('a write that Postgres did not confirm has not happened here either, and nothing is written after it', async () => {
  const schema = newSharedSchema();
  const db = await schema.open();
  onTestFinished(() => closeJournal(db));
  const journal = createJournal(db, systemClock, { run: 'r', operator: 'x' });
  await journal.write(() => putValue(db, 'before', '1'));
  await schema.ask(`ALTER TABLE facts ADD CHECK (key <> 'refused')`);
  await expect(journal.write(() => putValue(db, 'refused', '1'))).rejects.toMatchObject({
    code: 'journal-write-failed',
    exit: 74,
  });
  expect([readValue(db, 'before'), readValue(db, 'refused')]).toEqual(['1', undefined]);
  await expect(journal.write(() => putValue(db, 'after', '1'))).rejects.toMatchObject({ exit: 74 });
  await expect(sharedOf(db)?.catchUp()).rejects.toMatchObject({ exit: 74 });
  const again = await schema.open();
  onTestFinished(() => closeJournal(again));
  expect(['before', 'refused', 'after'].map((key) => readValue(again, key))).toEqual([
    '1',
    undefined,
    undefined,
  ]);
});

test('another machine takes over: it waits for what might still leave beside its quiet period, then pays once', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(3);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  await payroll.store.make();
  // The second payout is lost, and its machine with it.
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 2 ? { kind: 'ignore' } : undefined,
  );
  const limits = ['--yes', '--max-total', 'KES=9000', '--concurrency', '1'];
  const gone = spawnPayrun(['run', file, ...limits, '--timeout', '60s', '--quiet-period', '10m'], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  gone.stdin.end();
  gone.stdout.resume();
  gone.stderr.resume();
  await expect.poll(() => service.payoutCalls().length).toBe(2);
  gone.kill('SIGKILL');
  service.interfere();
  const beganMs = performance.now();

  const flags = ['--timeout', '500ms', '--quiet-period', '1s', '--settle-for', '60s'];
  const other = { PAYRUN_WORKSPACE: `${payroll.folder}/other-machine` };
  expect(await payroll.payrun(['run', file, ...limits, ...flags], other)).toMatchObject({ exit: 78 });
  expect((await payroll.payrun(['init'], other)).exit).toBe(0);
  const taken = await payroll.payrun(['run', file, ...limits, ...flags], other);
  expect(taken.exit, taken.stderr).toBe(0);
  const [, lost, ...later] = service.payoutCalls();
  const again = later.find((call) => call.reference === lost?.reference);
  expect((again?.atMs ?? 0) - beganMs).toBeGreaterThanOrEqual(6_000);
  await expectPaidOnce(service, rows);
});

test('a session that Postgres ended in mid-run ends the run with 74; the same command pays the rest, once', async () => {
  // A server of its own: whose session is ended cannot be told from outside.
  const cluster = await startPostgres(findPostgres() ?? '');
  onTestFinished(() => cluster.remove());
  vi.stubEnv('PAYRUN_TEST_POSTGRES', cluster.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(12);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const schema = newSharedSchema();
  service.interfere((call) =>
    isPayout(call) && service.payoutCalls().length === 4
      ? { kind: 'answer-later', until: schema.ask(endOthers) }
      : undefined,
  );
  const run = ['run', file, '--yes', '--max-total', 'KES=90000', '--settle-for', '60s'];
  const ended = await payroll.payrun([...run, '--timeout', '30s', '--concurrency', '1']);
  expect(ended.exit, ended.stderr).toBe(74);
  expect(ended.stderr).toContain('The shared journal is gone');
  expect(service.payoutCalls()).toHaveLength(4);
  service.interfere();
  const again = await payroll.payrun([...run, '--timeout', '1s', '--quiet-period', '2s']);
  expect(again.exit, again.stderr).toBe(0);
  await expectPaidOnce(service, rows);
});

test('at a server that may lack the last commits, what is on its way has time to land before anything is looked up', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(4);
  await enrolStaff(service, rows);
  await payroll.run(payroll.write('november.csv', rows), interruptedAfter(1));
  const access = readSharedUrl(payroll.env['PAYRUN_JOURNAL_URL'] ?? '');
  const connection = await connectPostgres(access);
  onTestFinished(() => connection.close());
  await connection.ask(`UPDATE ${access.schema}.holders SET cluster = 'before the standby took over'`);
  const waits = (ran: Ran) =>
    ran.events.filter((event) => event.kind === 'waiting' && /must land first/.test(event.why));
  const settings = { quietPeriodMs: 2_000, timeoutMs: 1_000 };
  const startedMs = performance.now();

  const resumed = await payroll.resume('november', { settings, clock: systemClock });

  expect(resumed.exit).toBe(0);
  expect(waits(resumed)).toHaveLength(1);
  const later = service.payoutCalls().slice(1);
  expect(later).toHaveLength(3);
  for (const call of later) expect(call.atMs - startedMs).toBeGreaterThanOrEqual(2_000);
  await expectPaidOnce(service, rows);
  expect(waits(await payroll.resume('november', { settings }))).toEqual([]);
});

/** The same journal once more, as a dump of it that was brought back into another database of the same server. */
async function restoredBeside(url: string): Promise<string> {
  const database = `r_${randomUUID().replaceAll('-', '')}`;
  const access = readSharedUrl(url);
  const connection = await connectPostgres(access);
  await connection.ask(`CREATE DATABASE ${database}`);
  await connection.close();
  const program = (name: string) => join(findPostgres() ?? '', name);
  const server = ['-h', access.host, '-p', String(access.port), '-U', access.user ?? ''];
  const schemas = ['-n', access.schema];
  const dump = execFileSync(program('pg_dump'), [...server, '-Fc', ...schemas, access.database]);
  execFileSync(program('pg_restore'), [...server, '-d', database], { input: dump });
  return url.replace(/\/[^/?]+\?/, `/${database}?`);
}

const waitsForLanding = /must land first/;

test('a dump brought back on the same server may lack the last commits: known batches and new ones wait before they are looked up', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(4);
  await enrolStaff(service, rows);
  const first = payroll.write('november.csv', rows);
  const flags = ['--yes', '--max-total', 'KES=90000', '--timeout', '500ms', '--quiet-period', '1s'];
  const url = payroll.env['PAYRUN_JOURNAL_URL'] ?? '';
  await payroll.store.make();
  const paid = await payroll.payrun(['run', first, ...flags, '--settle-for', '60s']);
  expect(paid.exit, paid.stderr).toBe(0);
  expect(paid.stderr).not.toMatch(waitsForLanding);
  const restored = { PAYRUN_JOURNAL_URL: await restoredBeside(url) };

  // Accepted and paid after the dump was taken: the restored journal has never heard of it, and it is not shown yet.
  const bonus = rows.map((row) => ({ ...row, paymentId: `B-${row['paymentId']}`, amount: '77.00' }));
  const second = payroll.write('bonus.csv', bonus);
  expect((await payroll.payrun(['run', second, ...flags, '--settle-for', '60s'])).exit).toBe(0);
  const again = await payroll.payrun(['run', second, ...flags, '--settle-for', '60s'], restored);
  // Before it is looked up: what was found made it wait in any case.
  expect(again.stderr).toContain('already holds');
  expect(again.stderr.split('already holds')[0]).toMatch(waitsForLanding);
  await expectPaidOnce(service, [...rows, ...bonus]);

  const fact = await payroll.payrun(['run', second, ...flags], restored);
  expect(fact.stderr).not.toMatch(waitsForLanding);
});

test('a journal that was brought back as it was before its first batch waits too: whatever it paid is forgotten', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(4);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const flags = ['--yes', '--max-total', 'KES=90000', '--timeout', '500ms', '--quiet-period', '1s'];
  await payroll.store.make();
  const restored = { PAYRUN_JOURNAL_URL: await restoredBeside(payroll.env['PAYRUN_JOURNAL_URL'] ?? '') };
  expect((await payroll.payrun(['run', file, ...flags, '--settle-for', '60s'])).exit).toBe(0);
  const again = await payroll.payrun(['run', file, ...flags, '--settle-for', '60s'], restored);
  expect(again.stderr).toContain('already holds');
  expect(again.stderr.split('already holds')[0]).toMatch(waitsForLanding);
  await expectPaidOnce(service, rows);
});

test('a batch that was under way when the dump was taken waits too, wherever it is brought back', async () => {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(4);
  await enrolStaff(service, rows);
  await payroll.run(payroll.write('november.csv', rows), interruptedAfter(1));
  const restored = await restoredBeside(payroll.env['PAYRUN_JOURNAL_URL'] ?? '');
  const flags = ['--timeout', '500ms', '--quiet-period', '1s', '--settle-for', '60s'];
  const resumed = await payroll.payrun(['resume', 'november', ...flags], { PAYRUN_JOURNAL_URL: restored });
  expect(resumed.exit, resumed.stderr).toBe(0);
  expect(resumed.stderr).toMatch(waitsForLanding);
  await expectPaidOnce(service, rows);
});

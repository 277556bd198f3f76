import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPostgres } from '../../src/journal/shared/connect-postgres.ts';
import { closeJournal } from '../../src/journal/shared/shared-of.ts';
import { readSharedUrl } from '../../src/journal/shared/shared-url.ts';
import { enrolStaff, openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { findPostgres, type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { newSharedSchema } from '../support/shared-schema.ts';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await startPostgres(findPostgres() ?? '');
});

afterAll(() => cluster.remove());

async function asked(statements: string): Promise<void> {
  const connection = await connectPostgres(readSharedUrl(cluster.url));
  await connection.ask(statements);
  await connection.close();
}

/** One person's pay, with the journal there. */
async function runOver(url: string) {
  const service = await startPayrollService('off');
  const payroll = openPayroll(service);
  const rows = staff(1);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const ran = await payroll.payrun(['run', file, '--yes', '--max-total', 'KES=9000'], {
    PAYRUN_JOURNAL_URL: url,
  });
  return { ...ran, payouts: await service.payouts() };
}

test('a session keeps what it confirms, whatever the server’s own setting is', async () => {
  await asked('ALTER ROLE payrun SET synchronous_commit = off');
  const connection = await connectPostgres(readSharedUrl(cluster.url));
  const [rows] = await connection.ask('SHOW synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  await connection.close();
});

test('a role that may not bring the tables of an older version up to date is told who may, and nothing is sent', async () => {
  await asked('CREATE ROLE clerk LOGIN');
  const owned = newSharedSchema(cluster.url);
  await closeJournal(await owned.open());
  await owned.ask(
    `GRANT USAGE ON SCHEMA ${owned.schema} TO clerk; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${owned.schema} TO clerk;
     DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)`,
  );
  const { hostname, port } = new URL(cluster.url);
  const url = `postgres://clerk@${hostname}:${port}/postgres?schema=${owned.schema}`;
  const ran = await runOver(url);
  expect(ran.exit).toBe(73);
  expect(ran.stderr).toContain('was made by an older payrun, and this role may not change it');
  expect(ran.stderr).toContain('Run payrun init once as the owner of its tables.');
  expect(ran.payouts).toEqual([]);
});

test('a server that may lose what it has confirmed is refused (78), and nothing is sent', async () => {
  await asked('ALTER SYSTEM SET fsync = off');
  await cluster.stop('fast');
  await cluster.start();
  const ran = await runOver(cluster.url);
  expect(ran.exit).toBe(78);
  expect(ran.stderr).toContain('fsync = off');
  expect(ran.payouts).toEqual([]);
});

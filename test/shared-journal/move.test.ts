import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openPayrun } from '../../src/index.ts';
import { lockBatch } from '../../src/journal/batch-lock.ts';
import { openFile, openJournal } from '../../src/journal/open-journal.ts';
import { closeJournal } from '../../src/journal/shared/shared-of.ts';
import { journalPath, makeWorkspace } from '../../src/workspace.ts';
import { dumpOf } from '../support/journal-dump.ts';
import { csvOf, enrolStaff, openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { runPayrun } from '../support/run-payrun.ts';
import { seedBatch } from '../support/seed-journal.ts';
import { newSharedSchema } from '../support/shared-schema.ts';

async function workspaceWithBatch() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  makeWorkspace(workspace);
  const path = journalPath(workspace, 'live');
  const db = openJournal(path);
  await seedBatch(db, [
    { key: 'P1', state: 'paid' },
    { key: 'P2', state: 'held', number: '+254712000002' },
    { key: 'P3', state: 'unclear', number: '+254712000003' },
  ]);
  db.close();
  const target = newSharedSchema();
  const payrun = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runPayrun(args, { cwd: folder, env: { PAYRUN_WORKSPACE: workspace, TZ: 'UTC', ...env } });
  return { workspace, path, target, payrun, shared: { PAYRUN_JOURNAL_URL: target.url } };
}

test('a journal is moved whole; then the file refuses, and with the URL everything is as it was', async () => {
  const { path, target, payrun, shared } = await workspaceWithBatch();
  const [status, audit] = [await payrun(['status', 'payroll']), await payrun(['audit'])];
  const moved = await payrun(['journal', 'move', target.url]);
  const file = openFile(path);
  file.exec(`BEGIN; DELETE FROM facts WHERE key = 'moved-to'`);
  const before = dumpOf(file);
  file.exec('ROLLBACK');
  file.close();

  expect(moved).toMatchObject({ exit: 0, stderr: '' });
  expect(moved.stdout).toContain('Moved 1 batch with 3 payouts');
  const there = await target.open();
  expect(dumpOf(there)).toEqual(before);
  await closeJournal(there);
  const refused = await payrun(['status', 'payroll']);
  expect(refused.exit).toBe(78);
  expect(refused.stderr).toContain('Set PAYRUN_JOURNAL_URL');
  expect((await payrun(['status', 'payroll'], shared)).stdout).toBe(status.stdout);
  expect((await payrun(['audit'], shared)).stdout).toBe(audit.stdout);
  // Another journal is another memory.
  const other = newSharedSchema();
  await closeJournal(await other.open());
  const elsewhere = await payrun(['status', 'payroll'], { PAYRUN_JOURNAL_URL: other.url });
  expect(elsewhere.exit).toBe(78);
  expect(elsewhere.stderr).toContain('is another, which does not know what was paid');
});

test('a move that was cut off before its end is finished by the same command; until then nobody works on it', async () => {
  const { path, target, payrun, shared } = await workspaceWithBatch();
  expect((await payrun(['journal', 'move'], shared)).exit).toBe(0);
  // As if it had been cut off after everything arrived, and before the file was told.
  await target.ask(`UPDATE journal SET arriving = (SELECT value FROM facts WHERE key = 'move-token')`);
  const file = openFile(path);
  file.exec(`DELETE FROM facts WHERE key = 'moved-to'`);
  file.close();
  expect((await payrun(['status', 'payroll'])).exit).toBe(4);
  const early = await payrun(['status', 'payroll'], shared);
  expect(early.exit).toBe(78);
  expect(early.stderr).toContain('was not finished');
  expect((await payrun(['journal', 'move'], shared)).exit).toBe(0);
  expect((await payrun(['status', 'payroll'], shared)).exit).toBe(4);
  // As if between the two.
  await target.ask(`UPDATE journal SET arriving = (SELECT value FROM facts WHERE key = 'move-token')`);
  expect((await payrun(['status', 'payroll'])).exit).toBe(78);
  expect((await payrun(['journal', 'move'], shared)).exit).toBe(0);
  expect((await payrun(['status', 'payroll'], shared)).exit).toBe(4);
});

test('a batch that is at work, a journal that is in use, and a password on the command line are refused', async () => {
  const { workspace, target, payrun } = await workspaceWithBatch();
  const lock = await lockBatch(workspace, 'payroll', systemClock);
  expect((await payrun(['journal', 'move', target.url])).exit).toBe(75);
  lock.release();
  const used = newSharedSchema();
  const db = await used.open();
  await seedBatch(db, [{ key: 'P1' }], { name: 'another' });
  await closeJournal(db);
  const refused = await payrun(['journal', 'move', used.url]);
  expect(refused.exit).toBe(78);
  await target.open().then(closeJournal);
  await target.ask(`UPDATE journal SET arriving = 'of another workspace'`);
  expect((await payrun(['journal', 'move', target.url])).exit).toBe(78);
  expect((await target.ask('SELECT arriving FROM journal'))[1]).toEqual([
    { arriving: 'of another workspace' },
  ]);
  expect(refused.stderr).toContain('two memories are not made into one');
  const typed = await payrun(['journal', 'move', target.url.replace('payrun@', 'payrun:hunter2@')]);
  expect(typed.exit).toBe(2);
  expect(typed.stderr).not.toContain('hunter2');
  expect((await payrun(['status', 'payroll'])).exit).toBe(4);
  expect((await payrun(['journal', 'move'])).exit).toBe(2);
});

test('a workspace with a journal of its own does not begin another in Postgres, and is moved as it is told', async () => {
  const { payrun, shared } = await workspaceWithBatch();
  for (const command of [['init'], ['status', 'payroll']]) {
    const refused = await payrun(command, shared);
    expect(refused.exit).toBe(78);
    expect(refused.stderr).toContain('payrun journal move');
  }
  expect((await payrun(['journal', 'move'], shared)).exit).toBe(0);
  expect((await payrun(['status', 'payroll'], shared)).exit).toBe(4);
});

test('without the URL a workspace of a shared journal pays nothing; a URL without a journal neither', async () => {
  const service = await startPayrollService('off');
  const payroll = openPayroll(service);
  const rows = staff(2);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  const run = ['run', file, '--yes', '--max-total', 'KES=9000', '--settle-for', '60s'];
  expect((await payroll.payrun(run)).exit).toBe(0);
  const lost = await payroll.payrun(run, { PAYRUN_JOURNAL_URL: '' });
  expect(lost.exit).toBe(78);
  const empty = newSharedSchema();
  const wrong = await payroll.payrun(run, { PAYRUN_JOURNAL_URL: empty.url });
  expect(wrong.exit).toBe(78);
  expect(wrong.stderr).toContain('is another, which does not know what was paid');
  const away = await payroll.payrun(run, { PAYRUN_JOURNAL_URL: 'postgres://payrun@127.0.0.1:1/postgres' });
  expect(away.exit).toBe(73);
  expect(await service.payouts()).toHaveLength(2);
});

test('a journal that was moved while a person was reading the plan takes in no file', async () => {
  const { workspace, target } = await workspaceWithBatch();
  const service = await startPayrollService('off');
  const rows = staff(1);
  await enrolStaff(service, rows);
  const { url: baseUrl, apiKey, publicKey } = service;
  const open = () => openPayrun({ workspace, service: { baseUrl, apiKey, publicKey } });
  const [payrun, mover] = [open(), open()];
  onTestFinished(() => payrun.close());
  onTestFinished(() => mover.close());
  const file = join(workspace, '..', 'november.csv');
  writeFileSync(file, csvOf(rows));
  const running = payrun.run(file, {
    confirm: async () => {
      await mover.moveJournal(target.url);
      return true;
    },
  });
  await expect(running).rejects.toMatchObject({ code: 'journal-moved', exit: 78 });
  expect(await service.payouts()).toEqual([]);
});

test('who opened the file before it was moved decides nothing in it any more', async () => {
  const { workspace, target, payrun } = await workspaceWithBatch();
  const early = openPayrun({ workspace });
  onTestFinished(() => early.close());
  expect(await early.status('payroll')).toMatchObject({ batch: 'payroll' });
  expect((await payrun(['journal', 'move', target.url])).exit).toBe(0);
  const decided = early.cancel('payroll', { payments: ['P2'], reason: 'left us' });
  await expect(decided).rejects.toMatchObject({ code: 'journal-moved', exit: 78 });
  // Once more is not once again.
  const again = await payrun(['journal', 'move', target.url]);
  expect([again.exit, again.stdout]).toEqual([78, '']);
  expect(again.stderr).toContain('was moved to');
});

test('a workspace makes no journal while its own stands elsewhere or is not moved, and says where it is', async () => {
  const { target, payrun, shared } = await workspaceWithBatch();
  const isThere = async ({ ask, schema }: typeof target) =>
    (await ask(`SELECT to_regclass('${schema}.journal') IS NOT NULL AS "isThere"`))[1]?.[0]?.['isThere'];
  // Not moved yet: nothing is begun there.
  const early = await payrun(['init'], shared);
  expect(early.exit).toBe(78);
  expect(early.stderr).toContain('Take it there with: payrun journal move');
  expect(await isThere(target)).toBe(false);

  await payrun(['journal', 'move'], shared);
  const other = newSharedSchema();
  const elsewhere = { PAYRUN_JOURNAL_URL: other.url };
  for (const command of [['init'], ['status'], ['resume', 'payroll']]) {
    const refused = await payrun(command, elsewhere);
    expect(refused.exit, command.join(' ')).toBe(78);
    expect(refused.stderr).toContain(`The journal of this workspace stands at `);
    expect(await isThere(other)).toBe(false);
  }
  expect(await isThere(target)).toBe(true);
  const again = await payrun(['init'], shared);
  expect(again.stdout).toMatch(
    /^The workspace is already there: .+\nIts journal: postgres:\/\/\S+ \(schema /,
  );

  await target.ask(`DROP SCHEMA ${target.schema} CASCADE`);
  const gone = await payrun(['status'], shared);
  expect(gone.exit).toBe(78);
  expect(gone.stderr).toContain('it is not there any more');
});

test('on a machine without a workspace, what looks back works and what pays says how to make one', async () => {
  const { payrun, shared, workspace } = await workspaceWithBatch();
  await payrun(['journal', 'move'], shared);
  const fresh = { ...shared, PAYRUN_WORKSPACE: `${workspace}-fresh` };
  expect((await payrun(['status', 'payroll'], fresh)).stdout).toContain('payroll');
  const service = {
    PAYRUN_BASE_URL: 'http://127.0.0.1:9',
    PAYRUN_API_KEY: 'sk_live_x',
    PAYRUN_PUBLIC_KEY: 'pk_live_x',
  };
  const resumed = await payrun(['resume', 'payroll'], { ...fresh, ...service });
  expect(resumed.exit).toBe(78);
  expect(resumed.stderr).toContain('make it with: payrun init');
  const made = await payrun(['init'], fresh);
  expect(made.stdout).toMatch(/^Made the workspace: .+\nIts journal: postgres:/);
});

test('a server that cannot be used says why, and that this command sent nothing', async () => {
  const { target, payrun, workspace } = await workspaceWithBatch();
  const at = (url: string) =>
    payrun(['status'], { PAYRUN_JOURNAL_URL: url, PAYRUN_WORKSPACE: `${workspace}-x` });
  const missing = await at(target.url.replace(/\/[^/?]+(\?|$)/, '/no_such_database$1'));
  expect(missing.exit).toBe(73);
  expect(missing.stderr).toContain('createdb makes one');
  expect(missing.stderr).toContain('This command sent nothing; what was sent before stands in the journal.');
});

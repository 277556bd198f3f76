import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts';
import { readResults } from '../../support/pay-run.ts';
import { speakTo } from '../../support/payroll-service.ts';
import { runPayrun } from '../../support/run-payrun.ts';

/** Workspace and service as a run of schema 4 left them that was killed with sends under way, lost and refused. */
const fixture = fileURLToPath(new URL('../../fixtures/journals/killed-by-schema-4/', import.meta.url));

test('a batch that a version without codes was killed over is carried on: nobody is paid twice, nobody is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-before-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workspace = join(folder, 'workspace');
  cpSync(fixture, workspace, { recursive: true });
  rmSync(join(workspace, 'killed.csv'));
  const results = join(folder, 'killed.results.csv');
  const place = ['--sandbox', '--workspace', workspace];

  const resumed = await runPayrun(
    [
      ...['resume', 'killed', ...place, '--results', results],
      ...['--timeout', '2s', '--quiet-period', '4s', '--settle-for', '2s'],
    ],
    { cwd: folder },
  );

  expect(resumed.stderr).not.toContain('at file:');
  expect(resumed.exit).toBe(4);
  const rows = readResults(results).map((row) => [
    row['paymentId'],
    row['payrun_status'],
    row['payrun_code'],
    row['payrun_reason'],
  ]);
  // By the day of the test the service has long taken the third one back.
  expect(rows.filter(([id]) => id !== 'M-03')).toEqual([
    ['M-00', 'paid', '', ''],
    ['M-01', 'failed', 'failed', 'the service says it failed'],
    ['M-02', 'pending', '', ''],
    ['M-04', 'held', 'no-account', 'the account does not exist'],
    ['M-05', 'refused', 'refused', 'E-API-P.S-42: Payout refused by the provider.'],
    ['M-06', 'paid', '', ''],
    ['M-07', 'paid', '', ''],
    ['M-08', 'paid', '', ''],
    ['M-10', 'paid', '', ''],
    ['M-11', 'paid', '', ''],
    ['M-12', 'held', 'name-close', 'close: one letter differs: Wanjiku / WANAIKU'],
    ['M-13', 'held', 'name-mismatch', 'mismatch: no word agrees'],
    ['M-14', 'held', 'name-unchecked', 'unchecked: the service gave no name, only "OK"'],
    ['M-15', 'held', 'name-unchecked', 'unchecked: the service gave no name'],
    ['M-16', 'held', 'name-unchecked', 'unchecked: the service cannot check names on this rail'],
    ...['N-01', 'N-02', 'N-03', 'N-04', 'N-05', 'N-06'].map((id) => [id, 'paid', '', '']),
  ]);

  const audited = await runPayrun(['audit', 'killed', ...place, '--service', '--json'], { cwd: folder });
  expect(JSON.parse(audited.stdout)).toMatchObject({ findings: [] });

  const sandbox = await startSandbox({ statePath: join(workspace, 'sandbox.db') });
  onTestFinished(() => sandbox.close());
  const service = await speakTo(sandbox, 'on');
  const payouts = await service.payouts();
  expect(payouts).toHaveLength(15);
  expect(new Set(payouts.map(({ reference }) => reference)).size).toBe(15);
});

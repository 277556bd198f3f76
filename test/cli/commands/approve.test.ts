import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { planSchema } from '../../../src/report/plan-document.ts';
import { planFileReport } from '../../../src/report/plan-file-report.ts';
import { approvalSchema } from '../../../src/report/schemas/approval-schema.ts';
import { runInProcess } from '../../support/run-in-process.ts';

const header = 'paymentId,accountName,country,currency,amount,phoneNumber';
let folder = '';
let where: readonly string[] = [];
let secret: readonly string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-approve-'));
  where = ['--sandbox', '--workspace', join(folder, 'workspace')];
  return () => rmSync(folder, { recursive: true, force: true });
});

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const keyOf = (name: string) => join(folder, `${name}.key`);

async function newKey(name: string): Promise<string> {
  const made = await runInProcess(['keys', 'new', '--out', keyOf(name), '--name', name, ...secret]);
  expect(made).toMatchObject({ exit: 0 });
  return made.stdout.trim();
}

describe('payrun keys, plan --key, approve, run --plan', () => {
  test('two people pay a file: keys, plan, approval, run', async () => {
    secret = ['--passphrase-file', put('passphrase', 'correct horse battery\n')];
    const approvers = [await newKey('Grace'), await newKey('Juma')];
    expect(approvers[0]).toMatch(/^ed25519:[\w-]{43} Grace$/);
    expect(statSync(keyOf('Grace')).mode & 0o777).toBe(0o600);
    expect(readFileSync(keyOf('Grace'), 'utf8')).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    const again = await runInProcess(['keys', 'new', '--out', keyOf('Grace'), ...secret]);
    expect(again).toMatchObject({ exit: 73 });

    await runInProcess(['init', ...where]);
    put('workspace/payrun.config.json', JSON.stringify({ approvals: 1, approvers }));
    const file = put(
      'november.csv',
      `${header}\nE1,Mary Wanjiku,KE,KES,1500.00,+254700000001\nE2,Peter Mutua,KE,KES,2500.50,+254712099013\n`,
    );
    const plan = join(folder, 'plan.json');
    const planned = await runInProcess([
      'plan',
      file,
      '--out',
      plan,
      '--key',
      keyOf('Grace'),
      ...secret,
      ...where,
    ]);
    expect(planned).toMatchObject({ exit: 0 });
    expect(planned.stdout).toContain('Next: somebody else approves it: payrun approve ');

    const approve = (name: string, ...more: readonly string[]) =>
      runInProcess(['approve', plan, '--key', keyOf(name), ...secret, ...more]);
    expect(await approve('Juma')).toMatchObject({ exit: 6 });
    expect(await approve('Juma', '--confirm-total', 'KES=4000.51')).toMatchObject({ exit: 6 });
    const own = await approve('Grace', '--confirm-total', 'KES=4000.50');
    expect(own).toMatchObject({ exit: 6 });
    expect(own.stderr).toContain('You have planned it: somebody else has to approve it.');
    expect(await runInProcess(['run', '--plan', plan, '--yes', ...where])).toMatchObject({ exit: 6 });

    const approved = await approve('Juma', '--confirm-total', 'KES=4000.50');
    expect(approved).toMatchObject({ exit: 0 });
    expect(approved.stderr).toContain('planned by   Grace on ');
    expect(approved.stderr).toContain('KES 4,000.50 would be sent now');
    expect(approved.stderr).toContain('Names: 1 matches, 1 does not match.');
    const path = approved.stdout.trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const approval = approvalSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    expect(approval).toMatchObject({
      batch: 'november',
      totals: { KES: '4000.50' },
      approver: { name: 'Juma' },
    });
    // The approval lies beside the plan, and is found there.
    const paid = await runInProcess(['run', '--plan', plan, '--yes', ...where]);
    expect(paid).toMatchObject({ exit: 3 });
    // What is left to do is no run that would be refused.
    expect(paid.stdout).toMatch(/^ {5}payrun plan \S+retry\.csv --out PLAN\.json --key KEY /m);
    const released = await runInProcess([
      'release',
      'november',
      '--payment',
      'E2',
      '--reason',
      'x',
      ...where,
    ]);
    expect(released).toMatchObject({ exit: 6 });
    expect(released.stderr).toContain('One person cannot release payment E2 (Peter Mutua)');
    const retried = await runInProcess(['retry', 'november', '--reason', 'x', ...where]);
    expect(retried).toMatchObject({ exit: 6 });
    expect(retried.stderr).toContain('One person cannot bring payouts of batch november back');
  });

  test('a key is opened by its own passphrase, from files that nobody else can read', async () => {
    const sign = ['approve', join(folder, 'plan.json'), '--confirm-total', 'KES=4000.50', '--key'];
    const wrong = put('wrong', 'correct horse batterz\n');
    const said = await runInProcess([...sign, keyOf('Juma'), '--passphrase-file', wrong]);
    expect(said).toMatchObject({ exit: 78 });
    expect(said.stderr).toContain(`The passphrase does not open ${keyOf('Juma')}.`);
    const plain = put('plain.key', '-----BEGIN PRIVATE KEY-----\n');
    expect((await runInProcess([...sign, plain, ...secret])).stderr).toContain('is no private key of payrun');
    chmodSync(keyOf('Juma'), 0o640);
    onTestFinished(() => chmodSync(keyOf('Juma'), 0o600));
    expect((await runInProcess([...sign, keyOf('Juma'), ...secret])).stderr).toContain(
      'can be read by others',
    );
    const short = await runInProcess([
      'keys',
      'new',
      '--out',
      join(folder, 'short.key'),
      '--passphrase-file',
      put('short', 'short'),
    ]);
    expect(short).toMatchObject({ exit: 78 });
    expect(existsSync(join(folder, 'short.key'))).toBe(false);
    // Nobody is at a terminal here.
    expect(await runInProcess([...sign, plain])).toMatchObject({ exit: 2 });
  });

  test('a plan that was changed is not approved, and nothing in it begins a line of the report', async () => {
    const text = readFileSync(join(folder, 'plan.json'), 'utf8');
    const changed = put('changed.json', text.replace('"rows": 2', '"rows": 3'));
    const said = await runInProcess(['approve', changed, '--key', keyOf('Juma'), ...secret]);
    expect(said).toMatchObject({ exit: 65 });
    const document = planSchema.parse(JSON.parse(text));
    const hostile = 'x\nNames: 400 match\u001b[2J';
    const report = planFileReport({
      document: {
        ...document,
        batch: hostile,
        file: hostile,
        problems: {
          ...document.problems,
          first: [{ line: 1, column: null, code: 'c', message: hostile, value: '', blocking: false }],
        },
        names: document.names && {
          ...document.names,
          first: [{ line: 1, name: hostile, resolved: hostile, verdict: hostile, reason: hostile }],
        },
        diff: null,
        guards: [{ code: hostile, message: hostile }],
        approvals: null,
        approvalsBefore: { needed: 1, approvers: [{ key: 'k', name: hostile }] },
      },
    });
    expect(report.split('\n').filter((line) => line.startsWith('Names: 400'))).toEqual([]);
    expect(report).toContain('WHO MAY APPROVE IS LOOSENED');
  });

  test('a configuration that could never be fulfilled, or says half of it, is refused', async () => {
    const [first = '', second = ''] = JSON.parse(
      readFileSync(join(folder, 'workspace/payrun.config.json'), 'utf8'),
    ).approvers as string[];
    const refused: readonly [object, string][] = [
      [{ approvals: 2, approvers: [first, second] }, 'needs at least 3 approvers'],
      [{ approvals: 1 }, 'needs at least 2 approvers'],
      [{ approvers: [first, second] }, 'does not say how many'],
      [{ approvals: 1, approvers: [first, `${first} again`] }, 'lists a key twice'],
      [{ approvals: 1, approvers: [first, 'ed25519:AAAA Eve'] }, 'payrun keys new'],
    ];
    for (const [config, says] of refused) {
      const path = put('other.json', JSON.stringify(config));
      const said = await runInProcess(['status', '--config', path, ...where]);
      expect(said).toMatchObject({ exit: 78 });
      expect(said.stderr).toContain(says);
    }
  });
});

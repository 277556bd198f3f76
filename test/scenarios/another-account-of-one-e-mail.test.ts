import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { expectNothingTwice, expectPaidOnce, expectResultsAgree } from '../support/paid-once.ts';
import { type Cells, enrolStaff, fastFlags, openPayroll, type Payroll, staff } from '../support/pay-run.ts';
import { dedupeModes } from '../support/payroll-service.ts';
import { spawnPayrun } from '../support/run-payrun.ts';
import { type SeveralAccounts, startSeveralAccounts } from '../support/several-accounts.ts';
import {
  type Interference,
  isPayout,
  type SeenCall,
  type WatchedService,
} from '../support/watched-service.ts';

describe.each(dedupeModes)('A batch begun with one account of an e-mail, dedupe %s', (dedupe) => {
  test('is not carried on with another account of it: 6, which names both, and nobody is paid twice', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first, second } = accounts;
    const other = openPayroll(second, payroll.folder);

    const resumed = await other.payrun(['resume', 'november', '--json', ...fastFlags]);
    const ran = await other.payrun(['run', 'november.csv', '--yes', '--max-total', 'KES=9000', ...fastFlags]);
    const planned = await other.payrun(['plan', 'november.csv']);

    expect(resumed.exit).toBe(6);
    const { code, message } = JSON.parse(resumed.stdout).error;
    expect(code).toBe('wrong-environment');
    for (const said of [message, ran.stdout, planned.stdout]) {
      expect(said).toContain(
        `the public key of the profile was ${first.publicKey} and is ${second.publicKey} now`,
      );
      expect(said).toContain('payrun rebind november --reason');
      expect(said).not.toContain(first.apiKey);
      expect(said).not.toContain(second.apiKey);
    }
    expect([ran.exit, planned.exit]).toEqual([6, 6]);
    expect(await second.payouts()).toEqual([]);

    expect((await payroll.payrun(['resume', 'november', ...fastFlags])).exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    expect(await second.payouts()).toEqual([]);
    await expectPaidOnce(first, rows);
  });

  test('cannot be rebound to another account of it, which does not show what was sent', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first, second } = accounts;
    const other = openPayroll(second, payroll.folder);
    const before = eventsOf(payroll);

    const refused = await other.payrun(['rebind', 'november', '--reason', 'new keys', '--json']);

    expect(refused.exit).toBe(6);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { code: 'rebind-unproven', exit: 6 },
      missing: ['P001', 'P002', 'P003'].map((payment) => ({ payment, why: 'not-found' })),
    });
    expect(eventsOf(payroll)).toEqual(before);
    expect((await other.payrun(['resume', 'november', ...fastFlags])).exit).toBe(6);
    expect(await second.payouts()).toEqual([]);
    await expectNothingTwice(first, rows);
  });

  test('is rebound once its e-mail has changed, and then finished', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first } = accounts;
    await first.control('PUT', 'profile', { email: 'wages@example.com' });
    const changed = 'the e-mail of the profile was payroll@example.com and is wages@example.com now';
    const guarded = await payroll.payrun(['resume', 'november', ...fastFlags]);
    expect(guarded.exit).toBe(6);
    expect(guarded.stderr).toContain(changed);
    const sent = first.payoutCalls().length;

    const rebound = await payroll.payrun(['rebind', 'november', '--reason', 'the firm has a new name'], {
      PAYRUN_OPERATOR: 'amina',
    });

    expect(rebound.exit).toBe(0);
    expect(rebound.stdout).toContain(changed);
    expect(rebound.stdout).toContain('3 payouts');
    expect(first.payoutCalls()).toHaveLength(sent);
    expect(eventsOf(payroll).at(-1)).toMatchObject({
      operator: 'amina',
      why: 'rebound: the firm has a new name',
      from: expect.stringContaining('payroll@example.com'),
      to: expect.stringContaining('wages@example.com'),
    });
    expect((await payroll.payrun(['audit', 'november'])).exit).toBe(0);
    expect((await payroll.payrun(['resume', 'november', ...fastFlags])).exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    await expectPaidOnce(first, rows);
  });

  test('goes on with a new API key, and after a rebind with a new public key', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first } = accounts;
    const newPublic = accounts.rotated({ apiKey: 'sk_new', publicKey: 'pk_new' });
    const rotated = openPayroll(newPublic, payroll.folder);

    const guarded = await rotated.payrun(['resume', 'november', ...fastFlags]);
    expect(guarded.exit).toBe(6);
    expect(guarded.stderr).toContain(
      `the configured public key (PAYRUN_PUBLIC_KEY) was ${first.publicKey} and is pk_new now`,
    );
    expect((await rotated.payrun(['rebind', 'november', '--reason', 'keys of December'])).exit).toBe(0);
    const newSecret = accounts.rotated({ apiKey: 'sk_newer', publicKey: 'pk_new' });
    const resumed = await openPayroll(newSecret, payroll.folder).payrun(['resume', 'november', ...fastFlags]);

    expect(resumed.exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    await expectPaidOnce(first, rows);
  });
});

/** Four people: the first is accepted, the replies for the next two never come, and the run is killed before the last. */
async function killedBatch(
  dedupe: (typeof dedupeModes)[number],
): Promise<{ accounts: SeveralAccounts; rows: Cells[]; payroll: Payroll }> {
  const accounts = await startSeveralAccounts(dedupe);
  const { first, second } = accounts;
  const payroll = openPayroll(first);
  const rows = staff(4);
  await enrolStaff(first, rows);
  await enrolStaff(second, rows);
  payroll.write('november.csv', rows);
  first.interfere((call) => killingRun(first, call));
  const flags = ['--concurrency', '1', '--timeout', '60s', '--quiet-period', '10m'];
  const child = spawnPayrun(['run', 'november.csv', '--yes', '--max-total', 'KES=9000', ...flags], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, 'close');
  await vi.waitUntil(async () => (await first.payouts()).length === 3, { timeout: 60_000 });
  child.kill('SIGKILL');
  await ended;
  first.interfere();
  expect(first.payoutCalls()).toHaveLength(3);
  return { accounts, rows, payroll };
}

/** The service carries all three out; the second answer is lost, the third is still awaited when the run is gone. */
function killingRun(first: WatchedService, call: SeenCall): Interference | undefined {
  const place = isPayout(call) ? first.payoutCalls().indexOf(call) + 1 : 0;
  if (place === 2) return { kind: 'lose-reply' };
  return place === 3 ? { kind: 'answer-later', until: new Promise(() => {}) } : undefined;
}

function eventsOf(payroll: Payroll) {
  return payroll.ask((db) =>
    db
      .prepare<[], { operator: string; from: string; to: string; why: string }>(
        'SELECT operator, from_state AS "from", to_state AS "to", why FROM events ORDER BY seq',
      )
      .all(),
  );
}

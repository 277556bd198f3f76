import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { publicKeyMark } from '../../../src/domain/environment/public-key-mark.ts';
import { storedEnvironment } from '../../support/known-environment.ts';
import { expectNothingTwice, expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import {
  type Cells,
  enrolStaff,
  fastFlags,
  interruptedAfter,
  openPayroll,
  type Payroll,
  staff,
} from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, type PayrollService } from '../../support/payroll-service.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import { type SeveralAccounts, startSeveralAccounts } from '../../support/several-accounts.ts';
import {
  type Interference,
  isPayout,
  type SeenCall,
  type WatchedService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)('A batch begun with one account of an e-mail, dedupe %s', (dedupe) => {
  test('is not carried on with another account of it: 6, which names both, and nobody is paid twice', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first, second } = accounts;
    const other = openPayroll(second, payroll.folder);

    const resumed = await other.command(['resume', 'november', '--json', ...fastFlags]);
    const ran = await other.run(`${payroll.folder}/november.csv`);

    expect(resumed.exit).toBe(6);
    const { code, message } = JSON.parse(resumed.stdout).error;
    expect([code, ran.exit, ran.code]).toEqual(['wrong-environment', 6, 'environment']);
    for (const said of [message, ran.message]) {
      expect(said).toContain(
        `the public key of the profile was ${markOf(first)} and is ${markOf(second)} now`,
      );
      expect(said).toContain('payrun rebind november --reason');
      for (const { apiKey, publicKey } of [first, second]) {
        expect(said).not.toContain(apiKey);
        expect(said).not.toContain(publicKey);
      }
    }
    expect(await second.payouts()).toEqual([]);

    expect((await payroll.resume('november')).exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    expect(await second.payouts()).toEqual([]);
    await expectPaidOnce(first, rows);
  });

  test('cannot be rebound to another account of it, which does not show what was sent', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first, second } = accounts;
    const other = openPayroll(second, payroll.folder);
    const before = await eventsOf(payroll);

    const refused = await other.command(['rebind', 'november', '--reason', 'new keys', '--json']);
    const ran = await other.run(`${payroll.folder}/november.csv`, { confirmRebind: async () => true });

    expect(refused.exit).toBe(6);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: { code: 'rebind-unproven', exit: 6 },
      missing: ['P001', 'P002', 'P003'].map((payment) => ({ payment, why: 'not-found' })),
    });
    expect(ran.exit).toBe(6);
    expect(ran.message).toContain('payment P002 (submitting): the service does not find it');
    expect(await eventsOf(payroll)).toEqual(before);
    expect((await other.resume('november')).exit).toBe(6);
    expect(await second.payouts()).toEqual([]);
    await expectNothingTwice(first, rows);
  });

  test('is rebound once its e-mail has changed, and then finished', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first } = accounts;
    await first.control('PUT', 'profile', { email: 'wages@example.com' });
    const changed = 'the e-mail of the profile was payroll@example.com and is wages@example.com now';
    expect(await payroll.resume('november')).toMatchObject({
      exit: 6,
      message: expect.stringContaining(changed),
    });
    const sent = first.payoutCalls().length;

    const rebound = await payroll.command(['rebind', 'november', '--reason', 'the firm has a new name'], {
      PAYRUN_OPERATOR: 'amina',
    });

    expect(rebound.exit).toBe(0);
    expect(rebound.stdout).toContain(changed);
    expect(rebound.stdout).toContain('All 3 payouts that were sent are found there.');
    expect(first.payoutCalls()).toHaveLength(sent);
    expect((await eventsOf(payroll)).at(-1)).toMatchObject({
      operator: 'amina',
      why: 'rebound: the firm has a new name',
      from: expect.stringContaining('payroll@example.com'),
      to: expect.stringContaining('wages@example.com'),
    });
    expect((await payroll.command(['audit', 'november'])).exit).toBe(0);
    expect((await payroll.resume('november')).exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    await expectPaidOnce(first, rows);
  });

  test('goes on with a new API key, and after a yes at the terminal with a new public key', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first } = accounts;
    const file = `${payroll.folder}/november.csv`;
    const newPublic = accounts.rotated({ apiKey: 'sk_new', publicKey: 'pk_new' });
    const rotated = openPayroll(newPublic, payroll.folder);
    const changed = `the configured public key (PAYRUN_PUBLIC_KEY) was ${markOf(first)} and is ${markOf(newPublic)} now`;
    const before = await eventsOf(payroll);

    const declined = await rotated.run(file, { confirmRebind: async () => false });
    expect([declined.exit, declined.code, await eventsOf(payroll)]).toEqual([6, 'declined', before]);
    let asked = '';
    const ran = await rotated.run(file, {
      ...interruptedAfter(0),
      confirmRebind: async (question) => {
        asked = `${question.changed}, ${question.found} found`;
        return true;
      },
    });
    expect(ran.exit).toBe(5);
    expect(asked).toContain(changed);
    expect(asked).toContain('3 found');
    expect(await eventsOf(payroll)).toContainEqual(
      expect.objectContaining({ operator: 'tester', why: 'rebound: a yes at the terminal' }),
    );
    const newSecret = accounts.rotated({ apiKey: 'sk_newer', publicKey: 'pk_new' });
    const resumed = await openPayroll(newSecret, payroll.folder).resume('november');

    expect(resumed.exit).toBe(0);
    await expectResultsAgree(first, payroll.results('november'));
    await expectPaidOnce(first, rows);
  });
});

describe.each(dedupeModes)('A batch begun by a version that kept no keys, dedupe %s', (dedupe) => {
  test('is not carried on with another account of the e-mail, and with its own it is', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe);
    const { first, second } = accounts;
    await forgetKeys(payroll, first);
    const other = openPayroll(second, payroll.folder);

    const resumed = await other.resume('november');
    const ran = await other.run(`${payroll.folder}/november.csv`);

    expect([resumed.exit, resumed.code, ran.exit, ran.code]).toEqual([
      6,
      'wrong-environment',
      6,
      'environment',
    ]);
    for (const { message } of [resumed, ran]) {
      expect(message).toContain('payment P003 (submitting): the service does not find it');
    }
    expect(await second.payouts()).toEqual([]);
    expect((await payroll.resume('november')).exit).toBe(0);
    expect(await other.resume('november')).toMatchObject({
      exit: 6,
      message: expect.stringContaining(`was ${markOf(first)} and is ${markOf(second)} now`),
    });
    await expectResultsAgree(first, payroll.results('november'));
    expect(await second.payouts()).toEqual([]);
    await expectPaidOnce(first, rows);
  });

  test('sends again what never arrived, where its run is known by a payout that did', async () => {
    const { accounts, rows, payroll } = await killedBatch(dedupe, 'never-arrives');
    const { first } = accounts;
    await forgetKeys(payroll, first);

    expect((await payroll.resume('november', { clock: systemClock })).exit).toBe(0);

    expect(await eventsOf(payroll)).toContainEqual(
      expect.objectContaining({ why: 'the account is known by its keys from now on' }),
    );
    await expectResultsAgree(first, payroll.results('november'));
    await expectPaidOnce(first, rows);
  });

  test('goes to the account of today where nothing that was sent is open', async () => {
    const accounts = await startSeveralAccounts(dedupe);
    const payroll = openPayroll(accounts.first);
    const rows = staff(2);
    await enrolStaff(accounts.first, rows);
    await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));
    await forgetKeys(payroll, accounts.first);

    expect((await payroll.run(`${payroll.folder}/november.csv`)).exit).toBe(0);

    const other = openPayroll(accounts.second, payroll.folder);
    expect(await other.resume('november')).toMatchObject({ exit: 6, code: 'wrong-environment' });
    expect(await accounts.second.payouts()).toEqual([]);
    await expectPaidOnce(accounts.first, rows);
  });
});

function markOf({ publicKey }: PayrollService): string {
  return publicKeyMark(publicKey);
}

/** As a journal of before is brought forward: it knows the place and the e-mail. */
async function forgetKeys(payroll: Payroll, { url }: WatchedService): Promise<void> {
  await payroll.ask((db) =>
    db
      .prepare('UPDATE batches SET environment = ?')
      .run(storedEnvironment(`${url}/api/b2b payroll@example.com`)),
  );
}

/** Four people: the first is accepted, the replies for the next two never come, and the run is killed before the last. */
async function killedBatch(
  dedupe: Dedupe,
  third: 'arrives' | 'never-arrives' = 'arrives',
): Promise<{ accounts: SeveralAccounts; rows: Cells[]; payroll: Payroll }> {
  const accounts = await startSeveralAccounts(dedupe);
  const { first, second } = accounts;
  const payroll = openPayroll(first);
  const rows = staff(4);
  await enrolStaff(first, rows);
  await enrolStaff(second, rows);
  payroll.write('november.csv', rows);
  first.interfere((call) => killingRun(first, call, third));
  const flags = ['--concurrency', '1', '--timeout', '60s', '--quiet-period', '10m'];
  await payroll.store.make();
  const child = spawnPayrun(['run', 'november.csv', '--yes', '--max-total', 'KES=9000', ...flags], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  const ended = once(child, 'close');
  const arrived = third === 'arrives' ? 3 : 2;
  await vi.waitUntil(
    async () => first.payoutCalls().length === 3 && (await first.payouts()).length === arrived,
    { timeout: 120_000 },
  );
  child.kill('SIGKILL');
  await ended;
  first.interfere();
  expect(first.payoutCalls()).toHaveLength(3);
  return { accounts, rows, payroll };
}

/** The second answer is lost; the third is still awaited when the run is gone, whether or not the service got it. */
function killingRun(
  first: WatchedService,
  call: SeenCall,
  third: 'arrives' | 'never-arrives',
): Interference | undefined {
  const place = isPayout(call) ? first.payoutCalls().indexOf(call) + 1 : 0;
  if (place === 2) return { kind: 'lose-reply' };
  if (place !== 3) return undefined;
  return third === 'arrives' ? { kind: 'answer-later', until: new Promise(() => {}) } : { kind: 'ignore' };
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

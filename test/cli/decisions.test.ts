import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { lockBatch } from '../../src/journal/batch-lock.ts';
import { seedBatch } from '../support/seed-journal.ts';
import { payBehind, seededWorkspace, startService } from './seeded-workspace.ts';

const heldForName = {
  hold: 'name',
  verdict: 'close',
  resolvedName: 'MARY WANJIKO',
  reason: 'close: one letter',
} as const;
const batch = [
  { key: 'E1', state: 'held' as const, changes: heldForName },
  { key: 'E2', state: 'held' as const, changes: { hold: 'limit' as const, reason: 'above the limit' } },
  { key: 'E3', state: 'failed' as const, changes: { transactionId: 'T3' } },
  { key: 'E4', state: 'paid' as const, changes: { transactionId: 'T4', settledMs: 1 } },
  { key: 'E5' },
];

describe('decisions on the command line', () => {
  test('release says what it did and what to run next, writes the results anew, and logs who and why', async () => {
    const { payrun, payout, db, results } = await seededWorkspace(batch);
    const { stdout, exit } = await payrun([
      'release',
      'payroll',
      '--verdict',
      'close',
      '--reason',
      'seen her card',
    ]);
    expect(stdout).toContain('LIVE');
    expect(stdout).toContain('1 payout released');
    expect(stdout).toContain('Next: payrun resume payroll');
    expect(exit).toBe(0);
    expect(payout('E1').state).toBe('planned');
    expect(payout('E2').state).toBe('held');
    const last = db.prepare('SELECT operator, run, why FROM events ORDER BY seq DESC LIMIT 1').get();
    expect(last).toMatchObject({
      operator: 'amina',
      why: 'released (name): seen her card',
      run: expect.stringContaining('decision'),
    });
    expect(readFileSync(results, 'utf8')).toMatch(/E1,Mary Wanjiku,1500,payroll,E1,not_sent/);
  });

  test('--json gives one document; what was named and stays is told, with exit 3', async () => {
    const { payrun, payout } = await seededWorkspace(batch);
    const args = ['cancel', 'payroll', '--payment', 'E5', 'E4', 'line:2', '--reason', 'left', '--json'];
    const { stdout, exit } = await payrun(args);
    expect(JSON.parse(stdout)).toEqual({
      batch: 'payroll',
      moved: 2,
      left: [{ payment: 'E4', state: 'paid', why: 'it was sent and is paid' }],
      next: null,
    });
    expect(exit).toBe(3);
    expect(['E1', 'E4', 'E5'].map((key) => payout(key).state)).toEqual(['cancelled', 'paid', 'cancelled']);
  });

  test('cancel --unsent and retry take what they should', async () => {
    const { payrun, payout } = await seededWorkspace(batch);
    const cancelled = await payrun(['cancel', 'payroll', '--unsent', '--reason', 'the file was wrong']);
    expect(cancelled.stdout).toContain('3 payouts cancelled');
    const retried = await payrun(['retry', 'payroll']);
    expect(retried.stdout).toContain('1 payout brought back');
    expect(payout('E3')).toMatchObject({ state: 'planned', attempt: 2 });
    expect((await payrun(['retry', 'payroll', '--payment', 'E1'])).exit).toBe(0);
    expect(payout('E1').state).toBe('planned');
    const nothing = await payrun(['retry', 'payroll']);
    expect(nothing.stdout).toContain('0 payouts brought back');
    expect(nothing.exit).toBe(0);
  });

  test('a repeated payment is refused with 6 until it is allowed', async () => {
    const { payrun, payout, db } = await seededWorkspace(batch);
    await seedBatch(db, [{ key: 'B1', number: payout('E1').number }], { name: 'bonus' });
    const args = ['release', 'payroll', '--all', '--reason', 'seen'];
    const refused = await payrun(args);
    expect(refused.exit).toBe(6);
    expect(refused.stderr).toContain('in batch bonus');
    expect(payout('E1').state).toBe('held');
    expect((await payrun([...args, '--allow-repeats', '1'])).exit).toBe(0);
    expect(payout('E1').state).toBe('planned');
  });

  test('what is not understood is refused with 2, and nothing moves', async () => {
    const { payrun, db } = await seededWorkspace(batch);
    const states = () => db.prepare('SELECT key, state FROM payouts').all();
    const before = states();
    for (const args of [
      ['release', 'payroll', '--all'],
      ['release', 'payroll', '--all', '--reason', '   '],
      ['release', 'payroll', '--reason', 'x'],
      ['release', 'payroll', '--all', '--verdict', 'close', '--reason', 'x'],
      ['release', 'payroll', '--verdict', 'good', '--reason', 'x'],
      ['release', 'payroll', '--payment', '--reason', 'x'],
      ['cancel', 'payroll', '--payment', 'E5', 'E9', '--reason', 'x'],
      ['cancel', 'payrol', '--unsent', '--reason', 'x'],
      ['cancel', '--unsent', '--reason', 'x'],
      ['retry', 'payroll', '--repeat-window', '5'],
      ['decide', 'payroll', '--payment', 'E1', 'E2', '--not-paid', '--reason', 'x'],
      ['decide', 'payroll', '--payment', 'E1', '--reason', 'x'],
      ['decide', 'payroll', '--payment', 'E1', '--paid', 'T', '--not-paid', '--reason', 'x'],
    ]) {
      const { exit, stderr, stdout } = await payrun(args);
      expect(exit, args.join(' ')).toBe(2);
      expect(stderr, args.join(' ')).not.toContain('    at ');
      expect(stdout).toBe('');
    }
    expect(states()).toEqual(before);
  });

  test('without a journal there is nothing to decide about: 78, and none is made', async () => {
    const { payrun, folder } = await seededWorkspace(batch);
    const elsewhere = `${folder}/elsewhere`;
    const { exit, stderr } = await payrun(['cancel', 'payroll', '--unsent', '--reason', 'x'], {
      PAYRUN_WORKSPACE: elsewhere,
    });
    expect(exit).toBe(78);
    expect(stderr).toContain('nothing was ever paid from there');
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('waits for a run that is about to end', async () => {
    const { payrun, workspace, payout } = await seededWorkspace(batch);
    const lock = await lockBatch(workspace, 'payroll', systemClock);
    const deciding = payrun(['cancel', 'payroll', '--payment', 'E5', '--reason', 'left']);
    await systemClock.sleep(1_200);
    expect(payout('E5').state).toBe('planned');
    lock.release();
    expect((await deciding).exit).toBe(0);
    expect(payout('E5').state).toBe('cancelled');
  });
});

describe('decide', () => {
  const unclear = [
    { key: 'E1', state: 'unclear' as const, changes: { unknownSends: 2, reason: 'sent 2 times' } },
    { key: 'E2', state: 'unclear' as const, changes: { unknownSends: 2, reason: 'sent 2 times' } },
  ];
  const why = ['--reason', 'the bank says so'];

  test('--paid is read at the service, must be ours, and gives the state', async () => {
    const { caller, settings, environment } = await startService();
    const { payrun, payout } = await seededWorkspace(unclear, { environment }, settings);
    const mine = await payBehind(caller, payout('E1'));

    const foreign = await payrun(['decide', 'payroll', '--payment', 'E2', '--paid', mine, ...why]);
    expect(foreign.exit).toBe(3);
    expect(foreign.stdout).toContain('carries another reference');
    const missing = await payrun(['decide', 'payroll', '--payment', 'E2', '--paid', 'NOSUCH', ...why]);
    expect(missing.exit).toBe(2);
    expect(payout('E2').state).toBe('unclear');

    const decided = await payrun(['decide', 'payroll', '--payment', 'E1', '--paid', mine, ...why]);
    expect(decided.exit).toBe(0);
    expect(payout('E1')).toMatchObject({ state: 'paid', transactionId: mine });
    expect((await caller.control('GET', 'transactions')).body.data).toHaveLength(1);
  });

  test('--paid is not believed of another account: 6; an unreachable service is 69', async () => {
    const { settings } = await startService();
    const { payrun, payout } = await seededWorkspace(unclear, { environment: 'elsewhere' }, settings);
    const args = ['decide', 'payroll', '--payment', 'E1', '--paid', 'T1', ...why];
    const other = await payrun(args);
    expect(other.exit).toBe(6);
    expect(other.stderr).toContain('elsewhere');
    expect((await payrun(args, { PAYRUN_BASE_URL: 'http://127.0.0.1:1' })).exit).toBe(69);
    expect(payout('E1').state).toBe('unclear');
  });

  test('--not-paid needs no service, makes it refused, and names the retry', async () => {
    const { payrun, payout } = await seededWorkspace(unclear);
    const { exit, stdout } = await payrun(['decide', 'payroll', '--payment', 'E1', '--not-paid', ...why]);
    expect(exit).toBe(0);
    expect(stdout).toContain('Next: payrun retry payroll --payment E1');
    expect(payout('E1').state).toBe('refused');
  });
});

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { reason } from '../../../src/domain/payout/reasons.ts';
import { lockBatch } from '../../../src/journal/batch-lock.ts';
import { storedEnvironment } from '../../support/known-environment.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import { seedBatch } from '../../support/seed-journal.ts';
import { payBehind, seededWorkspace, startService } from '../seeded-workspace.ts';

const heldForName = {
  hold: 'name',
  verdict: 'close',
  resolvedName: 'MARY WANJIKO',
  ...reason('noted', { text: 'close: one letter' }),
} as const;
const batch = [
  { key: 'E1', state: 'held' as const, changes: heldForName },
  {
    key: 'E2',
    state: 'held' as const,
    changes: { hold: 'limit' as const, ...reason('noted', { text: 'above the limit' }) },
  },
  { key: 'E3', state: 'failed' as const, changes: { transactionId: 'T3' } },
  { key: 'E4', state: 'paid' as const, changes: { transactionId: 'T4', settledMs: 1 } },
  { key: 'E5' },
];
const why = ['--reason', 'the bank says so'];

describe('decisions on the command line', () => {
  test('release refuses a repeat with 6; allowed, it says what to run next, writes the results and logs who and why', async () => {
    const { payrun, payout, db, results } = await seededWorkspace(batch);
    await seedBatch(db, [{ key: 'B1', number: payout('E1').number }], { name: 'bonus' });
    const args = ['release', 'payroll', '--verdict', 'close', '--reason', 'seen her card'];
    const refused = await payrun(args);
    expect(refused.exit).toBe(6);
    expect(refused.stderr).toContain('in batch bonus');
    expect(payout('E1').state).toBe('held');

    const { stdout, exit } = await payrun([...args, '--allow-repeats', '1']);
    expect(exit).toBe(0);
    expect(stdout).toContain('LIVE');
    expect(stdout).toContain('1 payout released, KES 1,500.00. This command sends nothing');
    expect(stdout).toContain('the next resume will send up to KES ');
    expect(stdout).toContain('Next: payrun resume payroll');
    expect([payout('E1').state, payout('E2').state]).toEqual(['planned', 'held']);
    const last = db.prepare('SELECT operator, run, why FROM events ORDER BY seq DESC LIMIT 1').get();
    expect(last).toMatchObject({ operator: 'amina', why: 'released (name): seen her card' });
    const rows = readFileSync(results, 'utf8').split('\r\n');
    expect(rows[1]).toContain(
      'E1,Mary Wanjiku,1500,payroll,E1,not_sent,,amina released (name): seen her card,',
    );
    expect(rows[2]).toContain(',held,noted,above the limit,');
  });

  test('--json gives one document; what was named and stays is told, with exit 3', async () => {
    const { payrun, payout } = await seededWorkspace(batch);
    const cancel = ['cancel', 'payroll', '--payment', 'E5', 'E4', 'line:2', '--reason', 'left', '--json'];
    const cancelled = await payrun(cancel);
    expect(JSON.parse(cancelled.stdout)).toEqual({
      kind: 'decision',
      batch: 'payroll',
      moved: 2,
      first: ['E5', 'E1'],
      left: [{ payment: 'E4', state: 'paid', why: 'it was sent and is paid' }],
      next: null,
    });
    expect(cancelled.exit).toBe(3);
    expect(['E1', 'E4', 'E5'].map((key) => payout(key).state)).toEqual(['cancelled', 'paid', 'cancelled']);

    const retried = await payrun(['retry', 'payroll', '--json']);
    expect(JSON.parse(retried.stdout)).toMatchObject({ moved: 1, next: 'payrun resume payroll' });
    expect(retried.exit).toBe(0);
    expect(payout('E3')).toMatchObject({ state: 'planned', attempt: 2 });
  });

  test('results go where the batch says: another path is refused and not ignored', async () => {
    const { payrun } = await seededWorkspace([{ key: 'E1', state: 'paid' }]);
    const elsewhere = await payrun(['results', 'payroll', '--results', 'here.csv']);
    expect(elsewhere).toMatchObject({ exit: 2, stdout: '' });
    expect(elsewhere.stderr).toContain('payrun resume BATCH --results FILE');
  });

  test('a decision that moves nothing writes the results too: a run that was killed has left them behind the journal', async () => {
    const { payrun, payout, results } = await seededWorkspace([
      { key: 'E1', state: 'submitted', changes: { transactionId: 'T1' } },
    ]);
    await payrun(['results', 'payroll']);
    writeFileSync(results, readFileSync(results, 'utf8').replace('E1,pending', 'E1,not_sent'));
    const { exit, stdout } = await payrun(['cancel', 'payroll', '--payment', 'E1', ...why]);
    expect(exit).toBe(3);
    expect(stdout).toContain('left as it is: payment E1: it was sent and is submitted');
    expect(payout('E1').state).toBe('submitted');
    expect(readFileSync(results, 'utf8')).toMatch(/E1,Mary Wanjiku,1500,payroll,E1,pending/);
  });

  test('results that cannot be written are 74, and only what moved is said to stand', async () => {
    const { payrun, payout } = await seededWorkspace(batch, { resultsPath: '/nowhere/payroll.results.csv' });
    const stays = await payrun(['cancel', 'payroll', '--payment', 'E4', ...why]);
    expect(stays.exit).toBe(74);
    expect(stays.stderr).not.toContain('that stands');
    const moves = await payrun(['cancel', 'payroll', '--payment', 'E5', ...why]);
    expect(moves.exit).toBe(74);
    expect(moves.stderr).toContain('1 payout cancelled: that stands.');
    expect(payout('E5').state).toBe('cancelled');
  });

  test('what is not understood is refused with 2, without a stack, and nothing moves', async () => {
    const { payrun, db } = await seededWorkspace(batch);
    const states = () => db.prepare('SELECT key, state FROM payouts').all();
    const before = states();
    for (const args of [
      ['release', 'payroll', '--all'],
      ['release', 'payroll', '--all', '--reason', 'why'],
      ['cancel', 'payroll', '--payment', 'E5', 'E9', '--reason', 'x'],
      ['cancel', 'payrol', '--unsent', '--reason', 'x'],
      ['decide', 'payroll', '--payment', 'E1', '--paid', 'T', '--not-paid', '--reason', 'x'],
    ]) {
      const { exit, stderr, stdout } = await payrun(args);
      expect(exit, args.join(' ')).toBe(2);
      expect(stderr, args.join(' ')).not.toContain('    at ');
      expect(stdout).toBe('');
    }
    expect(states()).toEqual(before);
  });

  test('waits for a run that is about to end', async () => {
    const { folder, env, workspace, payout } = await seededWorkspace(batch);
    const lock = await lockBatch(workspace, 'payroll', systemClock);
    const deciding = spawnPayrun(['cancel', 'payroll', '--unsent', '--reason', 'the file was wrong'], {
      cwd: folder,
      env,
    });
    const ended = once(deciding, 'close');
    // Until it says so itself: how long a start takes is the machine's to say.
    const [said] = (await once(deciding.stderr.setEncoding('utf8'), 'data')) as [string];
    expect(said).toBe(
      'Another payrun is working on batch payroll; waiting up to 30 s. To stop it, press Ctrl-C there.\n',
    );
    expect(payout('E5').state).toBe('planned');
    lock.release();
    expect(await ended).toEqual([0, null]);
    expect(['E1', 'E2', 'E3', 'E5'].map((key) => payout(key).state)).toEqual([
      'cancelled',
      'cancelled',
      'failed',
      'cancelled',
    ]);
  });
});

describe('decide on the command line', () => {
  const unclear = [
    {
      key: 'E1',
      state: 'unclear' as const,
      changes: { unknownSends: 2, ...reason('noted', { text: 'sent 2 times' }) },
    },
    {
      key: 'E2',
      state: 'unclear' as const,
      changes: { unknownSends: 2, ...reason('noted', { text: 'sent 2 times' }) },
    },
  ];

  test('--paid is read at the service, must be ours, and gives the state; nothing is sent', async () => {
    const { caller, settings, environment } = await startService();
    const { payrun, payout } = await seededWorkspace(unclear, { environment }, settings);
    const mine = await payBehind(caller, payout('E1'));
    const foreign = await payrun(['decide', 'payroll', '--payment', 'E2', '--paid', mine, ...why]);
    expect(foreign.exit).toBe(3);
    expect(foreign.stdout).toContain('carries another reference');
    expect(payout('E2').state).toBe('unclear');
    expect((await payrun(['decide', 'payroll', '--payment', 'E1', '--paid', mine, ...why])).exit).toBe(0);
    expect(payout('E1')).toMatchObject({ state: 'paid', transactionId: mine });
    expect((await caller.control('GET', 'transactions')).body.data).toHaveLength(1);
  });

  test('--paid is not believed of another account: 6, nor of a transaction that is not there: 2', async () => {
    const { settings, environment } = await startService();
    const { payrun, payout, db } = await seededWorkspace(unclear, { environment: 'elsewhere' }, settings);
    const args = ['decide', 'payroll', '--payment', 'E1', '--paid', 'NOSUCHTRANSACTION', ...why];
    const other = await payrun(args);
    expect(other.exit).toBe(6);
    expect(other.stderr).toContain('elsewhere');
    db.prepare('UPDATE batches SET environment = ?').run(storedEnvironment(environment));
    const missing = await payrun(args);
    expect(missing.exit).toBe(2);
    expect(missing.stderr).toContain('NOSUCHTRANSACTION');
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

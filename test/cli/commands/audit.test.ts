import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { payBehind, seededWorkspace, startService } from '../seeded-workspace.ts';

describe('payrun audit', () => {
  test('says how far it looked where it found nothing; an edited journal is 3, the worst first', async () => {
    const { payrun, db } = await seededWorkspace([
      { key: 'E1', state: 'paid', changes: { transactionId: 'T1' } },
      { key: 'E2', state: 'failed', changes: { transactionId: 'T2' } },
    ]);
    const sound = await payrun(['audit']);
    expect(sound.exit).toBe(0);
    expect(sound.stdout).toMatch(
      /No findings\.\nLooked at 2 payouts of 1 batch, and \d+ events ending in [0-9a-f]{64}/,
    );

    db.exec(`UPDATE payouts SET state = 'paid' WHERE key = 'E2'`);
    db.exec('DELETE FROM events WHERE seq = 3');
    const { exit, stdout } = await payrun(['audit', 'payroll', '--json']);
    expect(exit).toBe(3);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ batches: ['payroll'], exit: 3, payouts: 2 });
    expect(document.findings[0].kind).toBe('chain-broken');
    expect(document.findings[1].kind).toBe('state-differs');
  });

  test('--results compares a file, --service every payout', async () => {
    const { caller, settings, environment } = await startService();
    const { payrun, payout, db, results } = await seededWorkspace(
      [{ key: 'E1', state: 'paid', changes: { transactionId: 'T' } }, { key: 'E2' }],
      { environment },
      settings,
    );
    db.prepare(`UPDATE payouts SET transaction_id = ? WHERE key = 'E1'`).run(
      await payBehind(caller, payout('E1')),
    );
    await payrun(['cancel', 'payroll', '--payment', 'E2', '--reason', 'left']);
    const both = await payrun(['audit', 'payroll', '--results', results, '--service']);
    expect(both.stdout).toContain('Compared 2 rows');
    expect(both.stdout).toContain(
      'Batch payroll: the journal calls KES 1,500.00 paid, the service paid KES 1,500.00.',
    );
    expect(both.exit).toBe(0);
    const json = await payrun(['audit', '--service', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      sums: [{ batch: 'payroll', currency: 'KES', journal: '1500.00', service: '1500.00' }],
    });

    writeFileSync(results, readFileSync(results, 'utf8').replace('E2,cancelled', 'E2,paid'));
    await payBehind(caller, payout('E2'));
    const edited = await payrun(['audit', 'payroll', '--results', results, '--service']);
    expect(edited.stdout).toContain('results-differ:');
    expect(edited.stdout).toContain('paid-unawares: batch payroll, payment E2: called cancelled');
    expect(edited.exit).toBe(3);
  });

  test('another account is 6', async () => {
    const { settings } = await startService();
    const { payrun } = await seededWorkspace([{ key: 'E1' }], { environment: 'elsewhere' }, settings);
    expect((await payrun(['audit', 'payroll', '--service'])).exit).toBe(6);
    expect((await payrun(['audit', '--service'])).stdout).toContain(
      'not-checked: Batch payroll was begun in elsewhere',
    );
  });
});

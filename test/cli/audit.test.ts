import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../src/domain/reference.ts';
import { payBehind, seededWorkspace, startService } from './seeded-workspace.ts';

const batch = [
  { key: 'E1', state: 'paid' as const, changes: { transactionId: 'T1', settledMs: 1 } },
  { key: 'E2', state: 'failed' as const, changes: { transactionId: 'T2', settledMs: 1 } },
  { key: 'E3' },
];

describe('payrun audit', () => {
  test('finds nothing in a sound journal and says how far it looked; an edited one is 3', async () => {
    const { payrun, db } = await seededWorkspace(batch);
    const sound = await payrun(['audit']);
    expect(sound.exit).toBe(0);
    expect(sound.stdout).toMatch(
      /No findings\.\nLooked at 3 payouts of 1 batch, and \d+ events ending in [0-9a-f]{64}/,
    );

    db.exec(`UPDATE payouts SET state = 'paid' WHERE key = 'E2'`);
    db.exec('DELETE FROM events WHERE seq = 3');
    const edited = await payrun(['audit', 'payroll']);
    expect(edited.exit).toBe(3);
    const kinds = edited.stdout.split('\n').map((line) => line.split(':')[0]);
    expect(kinds.slice(1, 3)).toEqual(['chain-broken', 'state-differs']);
    const { findings, exit } = JSON.parse((await payrun(['audit', '--json'])).stdout);
    expect(exit).toBe(3);
    expect(findings[0].kind).toBe('chain-broken');
  });
});

describe('payrun audit --results', () => {
  async function written() {
    const workspace = await seededWorkspace(batch);
    expect((await workspace.payrun(['cancel', 'payroll', '--payment', 'E3', '--reason', 'x'])).exit).toBe(0);
    const audit = () => workspace.payrun(['audit', 'payroll', '--results', workspace.results]);
    const edit = (from: string, to: string) => {
      const text = readFileSync(workspace.results, 'utf8');
      expect(text).toContain(from);
      writeFileSync(workspace.results, text.replace(from, to));
    };
    return { ...workspace, audit, edit };
  }

  test('a file as payrun wrote it is the journal’s', async () => {
    const { audit } = await written();
    const { exit, stdout } = await audit();
    expect(stdout).toContain('Compared 3 rows');
    expect(exit).toBe(0);
  });

  test.each([
    ['a status that never was', 'E2,failed', 'E2,paid', 'payrun_status says paid; the journal says failed'],
    ['another sum', ',1500.00,', ',9500.00,', 'payrun_paid says "9500.00"'],
    ['another transaction', 'T1', 'T9', 'payrun_transaction says "T9"'],
    [
      'another cell of the input',
      'E1,Mary Wanjiku,1500',
      'E1,John Kamau,1500',
      'column 2 is not what came in',
    ],
    ['another batch', 'payroll,E1', 'bonus,E1', 'stands where the journal has payroll E1'],
    [
      'a row more',
      'E1,Mary',
      'E0,Mary Wanjiku,1500,payroll,E0,paid\r\nE1,Mary',
      'payment payroll E0 stands where',
    ],
  ])('%s is found', async (_, from, to, message) => {
    const { audit, edit } = await written();
    edit(from, to);
    const { exit, stdout } = await audit();
    expect(stdout).toContain(message);
    expect(exit).toBe(3);
  });

  test('a file that is merely old is called that', async () => {
    const { audit, payrun, results } = await written();
    const old = readFileSync(results);
    expect((await payrun(['retry', 'payroll', '--payment', 'E3'])).exit).toBe(0);
    writeFileSync(results, old);
    const { exit, stdout } = await audit();
    expect(stdout).toContain('behind:');
    expect(stdout).not.toContain('results-differ');
    expect(exit).toBe(3);
  });

  test('another file is 65, a missing one 66', async () => {
    const { payrun, folder } = await written();
    writeFileSync(`${folder}/other.csv`, 'a,b\n1,2\n');
    expect((await payrun(['audit', 'payroll', '--results', `${folder}/other.csv`])).exit).toBe(65);
    expect((await payrun(['audit', 'payroll', '--results', `${folder}/none.csv`])).exit).toBe(66);
    expect((await payrun(['audit', '--results', `${folder}/other.csv`])).exit).toBe(2);
  });
});

describe('payrun audit --service', () => {
  test('every payout that the service and the journal agree on is no finding', async () => {
    const { caller, settings, environment } = await startService();
    const { payrun, payout, db } = await seededWorkspace(
      [{ key: 'E1', state: 'paid', changes: { transactionId: 'T' } }, { key: 'E2' }],
      { environment },
      settings,
    );
    const paid = await payBehind(caller, payout('E1'));
    db.prepare(`UPDATE payouts SET transaction_id = ? WHERE key = 'E1'`).run(paid);
    const { exit, stdout } = await payrun(['audit', 'payroll', '--service']);
    expect(stdout).toContain('The journal calls KES 1,500.00 paid, the service paid KES 1,500.00.');
    expect(exit).toBe(0);
  });

  test('paid twice comes first; then what was paid unawares, what was not paid, and the sums', async () => {
    const { caller, settings, environment } = await startService('dedupe=off');
    const { payrun, payout } = await seededWorkspace(
      [
        { key: 'E1', state: 'paid', changes: { transactionId: 'T1' } },
        { key: 'E2', state: 'cancelled' },
        { key: 'E3', state: 'paid', changes: { transactionId: 'T3' } },
        { key: 'E4', state: 'unclear' },
        { key: 'E5', state: 'failed', changes: { transactionId: 'T5' }, attempt: 2 },
      ],
      { environment },
      settings,
    );
    for (const key of ['E1', 'E1', 'E2', 'E4']) await payBehind(caller, payout(key));
    await payBehind(caller, { ...payout('E5'), reference: referenceOf('payroll', 'paymentId', 'E5', 1) });
    const { exit, stdout } = await payrun(['audit', 'payroll', '--service']);
    expect(exit).toBe(3);
    const lines = stdout
      .split('\n')
      .slice(1, 7)
      .map((line) => line.replace(/transactions .*/, 'transactions …'));
    expect(lines).toEqual([
      'paid-twice: batch payroll, payment E1: PAID TWICE, by the transactions …',
      expect.stringMatching(
        /^paid-unawares: .* payment E[25]: called (cancelled|failed), but the service says successful$/,
      ),
      expect.stringMatching(
        /^paid-unawares: .* payment E[25]: called (cancelled|failed), but the service says successful$/,
      ),
      'not-paid: batch payroll, payment E3: called paid, but the service holds nothing of it',
      'sums-differ: batch payroll: KES 3,000.00 are called paid, the service paid KES 7,500.00',
      'behind: batch payroll, payment E4: unclear here, and the service says successful: a resume takes that in',
    ]);
  });

  test('a service that cannot be searched proves nothing, and that is said', async () => {
    const { caller, settings, environment } = await startService('list-filter=ignored');
    const { payrun, payout, db } = await seededWorkspace(
      [{ key: 'E1', state: 'paid', changes: { transactionId: 'T' } }, { key: 'E2' }],
      { environment },
      settings,
    );
    const paid = await payBehind(caller, payout('E1'));
    db.prepare(`UPDATE payouts SET transaction_id = ? WHERE key = 'E1'`).run(paid);
    const { exit, stdout } = await payrun(['audit', 'payroll', '--service']);
    expect(stdout).toContain(
      'not-checked: the service finds transactions under references that were never used',
    );
    expect(stdout).not.toContain('not-paid');
    expect(exit).toBe(3);
  });

  test('another account is 6, none at all 69', async () => {
    const { settings } = await startService();
    const { payrun } = await seededWorkspace(batch, { environment: 'elsewhere' }, settings);
    expect((await payrun(['audit', 'payroll', '--service'])).exit).toBe(6);
    const all = await payrun(['audit', '--service']);
    expect(all.stdout).toContain('not-checked: batch payroll was begun in elsewhere');
    expect((await payrun(['audit', '--service'], { PAYRUN_BASE_URL: 'http://127.0.0.1:1' })).exit).toBe(69);
  });
});

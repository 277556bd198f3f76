import { describe, expect, onTestFinished, test } from 'vitest';
import { auditService } from '../../src/audit/audit-service.ts';
import { systemClock } from '../../src/clock.ts';
import { AuditFindings } from '../../src/domain/payout/audit-findings.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import { payoutQueries } from '../../src/journal/payouts/payout-queries.ts';
import type { LookUpService } from '../../src/pipeline/look-up/look-up.ts';
import { connectService } from '../../src/service/client.ts';
import { payBehind, startService } from '../cli/seeded-workspace.ts';
import { type SeededPayout, seedBatch } from '../support/seed-journal.ts';

async function openAudit(payouts: readonly SeededPayout[], faults = '') {
  const { caller, settings } = await startService(faults);
  const db = openEmptyJournal();
  const { batch, payout } = await seedBatch(db, payouts);
  const journal = createJournal(db, systemClock, { run: 'audit', operator: 'o' });
  const service = connectService({
    baseUrl: settings['PAYRUN_BASE_URL'] ?? '',
    apiKey: settings['PAYRUN_API_KEY'] ?? '',
    publicKey: settings['PAYRUN_PUBLIC_KEY'] ?? '',
    version: 'test',
    readRetry: { attempts: 1, totalMs: 1_000 },
  });
  onTestFinished(() => service.close());
  const audit = async (asked: LookUpService = service) => {
    const findings = new AuditFindings();
    const parts = { service: asked, payouts: payoutQueries(db, batch.id), batch, concurrency: 4, findings };
    const sums = await auditService({ ...parts, readPayout: journal.read });
    const found = findings
      .worstFirst()
      .map(({ kind, message }) => `${kind}: ${message.replace('batch payroll, ', '')}`);
    return { found, sums };
  };
  const know = (key: string, transactionId: string) => {
    const { id } = payout(key);
    db.prepare('UPDATE payouts SET transaction_id = ? WHERE id = ?').run(transactionId, id);
    db.prepare('UPDATE known_transactions SET transaction_id = ? WHERE payout = ?').run(transactionId, id);
  };
  return { caller, service, payout, audit, know };
}

const successful = 'the service says successful';

describe('payouts beside the service', () => {
  test('where both agree nothing is found, and the sums are the same', async () => {
    const { caller, payout, audit, know } = await openAudit([
      { key: 'E1', state: 'paid', changes: { transactionId: 'T' } },
      { key: 'E2', state: 'failed', number: '+254712399001', changes: { transactionId: 'T' } },
      { key: 'E3' },
      { key: 'E4', state: 'refused' },
    ]);
    know('E1', await payBehind(caller, payout('E1')));
    know('E2', await payBehind(caller, payout('E2')));
    const { found, sums } = await audit();
    expect(found).toEqual([]);
    expect(sums).toEqual([
      { batch: 'payroll', currency: 'KES', paidHereMinor: 150_000n, paidThereMinor: 150_000n },
    ]);
  });

  test('paid twice comes first; then what was paid unawares, what was not paid, and the sums', async () => {
    const { caller, payout, audit } = await openAudit(
      [
        { key: 'E1', state: 'paid', changes: { transactionId: 'T1' } },
        { key: 'E2', state: 'cancelled' },
        { key: 'E3', state: 'paid', changes: { transactionId: 'T3' } },
        { key: 'E4', state: 'unclear' },
      ],
      'dedupe=off',
    );
    for (const key of ['E1', 'E1', 'E2', 'E4']) await payBehind(caller, payout(key));
    expect((await audit()).found).toEqual([
      expect.stringMatching(/^paid-twice: payment E1: PAID TWICE, by the transactions \w+, \w+$/),
      `paid-unawares: payment E2: called cancelled, but ${successful}`,
      'not-paid: payment E3: called paid, but the service holds nothing of it',
      'sums-differ: batch payroll: KES 3,000.00 are called paid, the service paid KES 6,000.00',
      `behind: payment E4: unclear here, and ${successful}: a resume takes that in`,
    ]);
  });

  test('every attempt is looked at, the one after the last known one too', async () => {
    const { caller, payout, audit, know } = await openAudit([
      { key: 'E1', state: 'failed', attempt: 2, number: '+254712399001', changes: { transactionId: 'T' } },
      { key: 'E2', state: 'failed', number: '+254712499001', changes: { transactionId: 'T' } },
    ]);
    const under = (key: string, attempt: number) => ({
      ...payout(key),
      reference: referenceOf('payroll', 'paymentId', key, attempt),
    });
    know('E1', await payBehind(caller, under('E1', 2)));
    know('E2', await payBehind(caller, under('E2', 1)));
    expect((await audit()).found).toEqual([]);
    await payBehind(caller, { ...under('E1', 1), number: '+254712399000' });
    const { found } = await audit();
    expect(found).toEqual([
      'not-ours: payment E1: another transaction stands under its reference: it went to another account',
    ]);
  });

  test('so are two more than were ever made here: somebody else may have begun with one of them', async () => {
    const { caller, payout, audit, know } = await openAudit([
      { key: 'E1', state: 'paid', changes: { transactionId: 'T' } },
      { key: 'E2', state: 'paid', number: '+254712000002', changes: { transactionId: 'T' } },
    ]);
    const payUnder = (key: string, attempt: number) =>
      payBehind(caller, { ...payout(key), reference: referenceOf('payroll', 'paymentId', key, attempt) });
    know('E1', await payUnder('E1', 1));
    know('E2', await payUnder('E2', 1));
    const second = await payUnder('E1', 2);
    const third = await payUnder('E2', 3);

    const { found, sums } = await audit();

    expect(found[0]).toMatch(new RegExp(`^paid-twice: payment E1: PAID TWICE.*${second}`));
    expect(found[1]).toMatch(new RegExp(`^paid-twice: payment E2: PAID TWICE.*${third}`));
    expect(sums[0]?.paidThereMinor).toBe((sums[0]?.paidHereMinor ?? 0n) * 2n);
  });

  test('a service that cannot be searched proves nothing: a known transaction is read by itself', async () => {
    const { caller, payout, audit, know } = await openAudit(
      [{ key: 'E1', state: 'paid', changes: { transactionId: 'T' } }, { key: 'E2' }],
      'list-filter=ignored',
    );
    know('E1', await payBehind(caller, payout('E1')));
    const { found, sums } = await audit();
    expect(found).toEqual([
      expect.stringContaining('not-checked: the service finds transactions under references'),
    ]);
    expect(sums[0]).toMatchObject({ paidHereMinor: 150_000n, paidThereMinor: 150_000n });
  });

  test('a payout that no list shows is read by its transaction before it is called not paid', async () => {
    const { caller, service, payout, audit, know } = await openAudit([
      { key: 'E1', state: 'paid', changes: { transactionId: 'T' } },
      { key: 'E2', state: 'paid', changes: { transactionId: 'NONE' } },
    ]);
    know('E1', await payBehind(caller, payout('E1')));
    const listTransactions: LookUpService['listTransactions'] = async () => ({
      kind: 'ok',
      value: { success: true, data: [] },
    });
    const { found } = await audit({ readTransaction: service.readTransaction, listTransactions });
    expect(found).toEqual([
      'not-paid: payment E2: called paid, but the service holds nothing of it',
      expect.stringContaining('sums-differ'),
    ]);
  });

  test('what could not be asked is said; a service that is down stops it', async () => {
    const { caller, payout, audit, know } = await openAudit([
      { key: 'E1', state: 'paid', changes: { transactionId: 'T' } },
    ]);
    know('E1', await payBehind(caller, payout('E1')));
    await caller.control('POST', 'answers', { endpoint: 'readTransaction', status: 500, times: 5 });
    expect((await audit()).found).toEqual([
      'sums-differ: batch payroll: KES 1,500.00 are called paid, the service paid KES 0.00',
      expect.stringContaining('not-checked: payment E1: the service could not be asked'),
    ]);
    await caller.control('POST', 'answers', { endpoint: 'listTransactions', status: 500, times: 9 });
    await expect(audit()).rejects.toMatchObject({ exit: 69 });
  });
});

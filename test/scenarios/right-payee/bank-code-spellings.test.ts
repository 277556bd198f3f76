import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { referenceOf } from '../../../src/domain/reference.ts';
import {
  type Cells,
  enrolStaff,
  interruptedAfter,
  openPayroll,
  type Payroll,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const number = '0123456789012';

function at(bankCode: string, changes: Cells = {}): Cells {
  return {
    accountName: 'Amina Otieno',
    country: 'KE',
    currency: 'KES',
    amount: '7000.00',
    accountNumber: number,
    bankCode,
    ...changes,
  };
}

/** All of them are Equity Bank in Kenya. */
const spellings = ['68', '068', '68000'];

async function openOffice(dedupe: 'on' | 'off') {
  const service = await startPayrollService(dedupe);
  await enrolStaff(
    service,
    [...spellings, '01'].map((code) => at(code)),
  );
  return { service, payroll: openPayroll(service) };
}

/** As the version wrote it to which 068 was another bank than 68. */
function asWrittenBefore(payroll: Payroll, batch: string): Promise<void> {
  return payroll.ask((db) => {
    const rows = db
      .prepare<[], { id: number; key: string; code: string }>(
        `SELECT payouts.id, key, bank_code AS code FROM payouts JOIN batches ON batches.id = batch WHERE key_kind = 'payee'`,
      )
      .all();
    for (const { id, key, code } of rows) {
      const payee = `KE:bank:${code}:${number}`;
      expect(key).toBe(`KE:bank:68:${number}`);
      const fingerprint = hash('sha256', JSON.stringify([1, payee, '700000', 'KES', 'KES', null]), 'hex');
      db.prepare('UPDATE payouts SET key = ?, payee = ?, reference = ?, fingerprint = ? WHERE id = ?').run(
        payee,
        payee,
        referenceOf(batch, 'payee', payee, 1),
        fingerprint,
        id,
      );
    }
    db.prepare(`DELETE FROM facts WHERE key = 'bank-list'`).run();
  });
}

describe.each(dedupeModes)('one bank by several codes, with dedupe %s', (dedupe) => {
  test('is one payee: a second row without an id of its own is refused', async () => {
    const { service, payroll } = await openOffice(dedupe);

    const ran = await payroll.run(
      payroll.write(
        'november.csv',
        [...spellings, '01'].map((code) => at(code)),
      ),
    );

    expect(ran.exit).toBe(65);
    expect(
      ran.problems.filter(({ blocking }) => blocking).map(({ line, code }) => `${line} ${code}`),
    ).toEqual(['2 duplicate-payee', '3 duplicate-payee', '4 duplicate-payee']);
    expect(await service.payouts()).toEqual([]);
  });

  test.each(['068', '68000'])('is one payee: %s repeats what 68 was paid in another batch', async (code) => {
    const { service, payroll } = await openOffice(dedupe);
    await payroll.run(payroll.write('november.csv', [at('68', { paymentId: 'A' })]));

    const again = await payroll.run(payroll.write('bonus.csv', [at(code, { paymentId: 'B' })]));

    expect(again).toMatchObject({ exit: 6, code: 'repeats' });
    expect(await service.sums()).toEqual([`${number} 7000.00`]);
  });

  test('is the same payment, whichever code the file has next time', async () => {
    const { service, payroll } = await openOffice(dedupe);
    expect((await payroll.run(payroll.write('november.csv', [at('068')]))).exit).toBe(0);

    for (const code of ['68', '68000', '068']) {
      const again = await payroll.run(payroll.write('november.csv', [at(code)]));
      expect(again).toMatchObject({ exit: 0, summary: { sends: 0 } });
      expect(again.planned?.plan.fates).toMatchObject({ new: 0, conflict: 0 });
    }
    expect((await service.payouts()).map(({ bankCode }) => bankCode)).toEqual(['068']);
  });

  test('in a batch of an earlier version carries on under its own reference, and nobody is paid twice', async () => {
    const { service, payroll } = await openOffice(dedupe);
    await payroll.run(payroll.write('november.csv', [at('068')]), interruptedAfter(0));
    expect(await service.payouts()).toEqual([]);
    await asWrittenBefore(payroll, 'november');

    for (const code of ['068', '68', '68000']) {
      const ran = await payroll.run(payroll.write('november.csv', [at(code)]));
      expect(ran.exit).toBe(0);
      expect(ran.planned?.plan.fates).toMatchObject({ new: 0, conflict: 0 });
    }
    const elsewhere = await payroll.run(payroll.write('bonus.csv', [at('68', { paymentId: 'B' })]));

    expect(elsewhere).toMatchObject({ exit: 6, code: 'repeats' });
    const seen = await service.payouts();
    expect(seen.map(({ reference }) => reference)).toEqual([
      referenceOf('november', 'payee', `KE:bank:068:${number}`, 1),
    ]);
    expect((await payroll.command(['audit'])).exit).toBe(0);
  });

  test('in a journal that somebody has changed is not made to look sound', async () => {
    const { service, payroll } = await openOffice(dedupe);
    await payroll.run(payroll.write('november.csv', [at('068')]), {
      ...interruptedAfter(0),
      policy: { onMismatch: 'pay', onUnchecked: 'pay' },
    });
    await asWrittenBefore(payroll, 'november');
    await payroll.ask((db) => {
      db.prepare(`UPDATE payouts SET number = '0999999999999'`).run();
      db.prepare(`DELETE FROM facts WHERE key = 'bank-list'`).run();
    });

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(5);
    expect((await payroll.command(['audit'])).exit).toBe(3);
    expect(await service.payouts()).toEqual([]);
  });

  test('in the results of an earlier version is known again by its key', async () => {
    const { service, payroll } = await openOffice(dedupe);
    await payroll.run(payroll.write('november.csv', [at('068')]), interruptedAfter(0));
    await asWrittenBefore(payroll, 'november');
    await payroll.resume('november');
    const results = payroll.results('november');
    expect(results).toMatchObject([{ payrun_key: `KE:bank:068:${number}`, payrun_status: 'paid' }]);

    const again = await payroll.run(payroll.write('back.csv', results));

    expect(again).toMatchObject({ exit: 0, summary: { batch: 'november', sends: 0 } });
    expect(await service.sums()).toEqual([`${number} 7000.00`]);
  });

  test('is a correction that reaches the service, where the payment failed', async () => {
    const failing = '0123456799001';
    const { service, payroll } = await openOffice(dedupe);
    const row = (code: string) => at(code, { accountNumber: failing });
    await enrolStaff(service, [row('068'), row('68')]);
    expect((await payroll.run(payroll.write('november.csv', [row('068')]))).exit).toBe(3);

    await payroll.run(payroll.write('november.csv', [row('068')]));
    expect(await service.payouts()).toHaveLength(1);
    // The name is that of the account under the other code: a person has to say that it is the same.
    await payroll.run(payroll.write('november.csv', [row('68')]), { policy: { onUnchecked: 'pay' } });

    expect(payroll.results('november')[0]).toMatchObject({ payrun_attempt: '2' });
    expect((await service.payouts()).map(({ bankCode }) => bankCode)).toEqual(['068', '68']);
  });
});

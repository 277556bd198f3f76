import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { dedupeModesOf, type PayrollService, startPayrollService } from '../../support/payroll-service.ts';
import { stopAfter } from '../../support/stop-run.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const later = { clock: hastyClock({ shiftMs: 30 * 24 * 60 * 60 * 1000 }) };

describe.each(dedupeModes)('an external account that somebody else touches, with dedupe %s', (dedupe) => {
  test('leads nobody’s money astray: changed to another number, its payout is held', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('october.csv', rows));
    const account = payroll.results('october')[1]?.['payrun_account'] ?? '';
    await changeNumber(service, account, phoneOf(66));

    const november = await payroll.run(payroll.write('november.csv', rows), later);

    expect(november.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held', 'P003 paid']);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain('was changed at the service');
    const toThem = (await service.payouts()).map(({ number }) => number);
    expect(toThem.filter((number) => number === phoneOf(2))).toHaveLength(1);
    expect(toThem.filter((number) => number === phoneOf(66))).toEqual([]);
    expect(await service.books()).toEqual([]);
  });

  test('leads nobody’s money astray either where its payout only waits to be sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    service.interfere((call) => (isLookUp(call) ? { kind: 'answer', status: 503, body: {} } : undefined));
    const file = payroll.write('november.csv', rows);
    expect([5, 69]).toContain((await payroll.run(file)).exit);
    service.interfere();
    const account = await payroll.ask((db) =>
      db
        .prepare<[], string>(`SELECT external_account_id FROM payouts WHERE key = 'P002' AND state = 'ready'`)
        .pluck()
        .get(),
    );
    await changeNumber(service, account ?? '', phoneOf(66));

    await payroll.resume('november');

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held']);
    expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(1)]);
  });

  test('gets no second send of a payout that nobody answered: its fate is called unknown', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    service.interfere((call) =>
      isPayout(call) && service.payoutCalls().length === 2 ? { kind: 'lose-request' } : undefined,
    );
    const interrupted = stopAfter(1, (event) => event.kind === 'notice');
    await payroll.run(payroll.write('november.csv', rows), interrupted);
    expect(payroll.statuses('november')[1]).toBe('P002 unknown');
    await changeNumber(service, payroll.results('november')[1]?.['payrun_account'] ?? '', phoneOf(66));

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(4);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 unknown']);
    expect(payroll.results('november')[1]?.['payrun_reason']).toContain(
      'was changed or removed at the service',
    );
    expect(service.payoutCalls()).toHaveLength(2);
    await expectPaidOnce(service, [employee(1)]);
  });

  test('is replaced by a fresh one for the payee once a person releases the payout', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    await payroll.run(payroll.write('october.csv', [employee(1)]));
    const account = payroll.results('october')[0]?.['payrun_account'] ?? '';
    await changeNumber(service, account, phoneOf(66));
    await payroll.run(payroll.write('november.csv', [employee(1)]), later);
    expect(payroll.statuses('november')).toEqual(['P001 held']);

    await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'the service has confirmed it'),
      repeats: undefined,
    }));
    await payroll.resume('november', later);

    expect(payroll.statuses('november')).toEqual(['P001 paid']);
    expect(payroll.results('november')[0]?.['payrun_account']).not.toBe(account);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test.each(['before', 'after'])(
    'is not adopted where it is listed a second time, %s the truth, with the number of the payee',
    async (place) => {
      const service = await watchService(await startPayrollService(dedupe));
      const other = employee(66);
      await enrolStaff(service, [employee(1), other]);
      const elsewhere = openPayroll(service);
      await elsewhere.run(elsewhere.write('october.csv', [other]));
      service.interfere(({ method, path }) => {
        if (method !== 'GET' || path !== '/external-accounts') return undefined;
        return { kind: 'change', reply: (text) => listedTwice(text, place) };
      });
      const payroll = openPayroll(service);

      const ran = await payroll.run(payroll.write('november.csv', [employee(1)]));

      expect(ran.exit).toBe(3);
      expect(payroll.statuses('november')).toEqual(['P001 held']);
      expect(payroll.results('november')[0]?.['payrun_reason']).toContain('twice, with different values');
      expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(66)]);
      expect(await service.books()).toEqual([]);
    },
  );

  test('is made again where it was deleted', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    await payroll.run(payroll.write('october.csv', rows));
    const account = payroll.results('october')[0]?.['payrun_account'] ?? '';
    await service.caller.delete(`/external-accounts/${account}`);

    const raised: Cells[] = rows.map((row) => ({ ...row, amount: `9${row['amount']}` }));
    expect((await payroll.run(payroll.write('november.csv', raised))).exit).toBe(0);

    const [first, second] = payroll.results('november');
    expect(first?.['payrun_account']).not.toBe(account);
    expect(second?.['payrun_account']).toBe(payroll.results('october')[1]?.['payrun_account']);
    expect(await service.sums()).toEqual(
      [...rows, ...raised].map((row) => `${row['phoneNumber']} ${row['amount']}`).sort(),
    );
    expect(await service.books()).toEqual([]);
  });

  test('is adopted where the service already has it, and made once however many payouts it gets', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [employee(1), employee(1, { paymentId: 'P001-b', amount: '55.00' })];
    await enrolStaff(service, rows);
    const { body } = await service.caller.post('/external-accounts', {
      country: 'KE',
      currency: 'KES',
      type: 'momo',
      payload: { firstName: 'B', lastName: 'W', phoneNumber: phoneOf(1).slice(1), destination: 'MoMo' },
    });

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    expect(payroll.results('november').map((row) => row['payrun_account'])).toEqual([
      body.data.id,
      body.data.id,
    ]);
    expect((await service.caller.get('/external-accounts')).body.data).toHaveLength(1);
    await expectPaidOnce(service, rows);
  });
});

async function changeNumber(service: PayrollService, account: string, number: string): Promise<void> {
  const { status } = await service.caller.put(`/external-accounts/${account}`, {
    country: 'KE',
    currency: 'KES',
    destination: 'MoMo',
    payoutMethod: { accountName: 'Anybody', accountNumber: number, code: '', branchCode: '' },
  });
  expect(status).toBe(200);
}

function listedTwice(text: string, place: string): string {
  const reply = JSON.parse(text) as { data: { payoutMethod: object }[] };
  const lies = reply.data.map((account) => ({
    ...account,
    payoutMethod: { ...account.payoutMethod, accountNumber: phoneOf(1) },
  }));
  const data = place === 'before' ? [...lies, ...reply.data] : [...reply.data, ...lies];
  return JSON.stringify({ ...reply, data });
}

import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
  type Ran,
} from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, type SeenCall, watchService } from '../../support/watched-service.ts';

const first = employee(1, { operator: 'M-Pesa' });
const second = employee(2, { operator: 'M-Pesa' });
/** The number of the second, at another operator. */
const other = employee(2, { paymentId: 'B002', operator: 'Airtel Money', amount: '555.00' });
const patient = { settings: { timeoutMs: 20_000, concurrency: 1 } };
const nextMonth = { ...patient, clock: hastyClock({ shiftMs: 31 * 24 * 60 * 60 * 1000 }) };

const isUpdate = ({ method, path }: SeenCall) => method === 'PUT' && path.startsWith('/external-accounts/');
const isList = ({ method, path }: SeenCall) => method === 'GET' && path === '/external-accounts';

async function operators(service: PayrollService): Promise<string[]> {
  const { data } = (await service.caller.get('/external-accounts')).body;
  return (data as { payoutMethod: { code: string } }[]).map(({ payoutMethod }) => payoutMethod.code);
}

const codeIn = (body: string) => (JSON.parse(body) as { payoutMethod: { code: string } }).payoutMethod.code;
const amountIn = (body: string) => (JSON.parse(body) as { amount: number }).amount;

function released(payroll: Payroll, batch: string, id: string) {
  return payroll.decide(batch, (run) => ({
    choice: { kind: 'named', ids: [id] },
    rule: (payout) => release(payout, 'named', run, 'the other batch is done'),
    repeats: undefined,
  }));
}

describe.each(withoutDedupe)(
  'an account that two batches want at two operators, with dedupe %s',
  (dedupe) => {
    test('stays as it is while the first is about to send to it; the second is held, and paid once it is released', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [first, second]);
      let meanwhile: Promise<Ran> | undefined;
      service.interfere((call) => {
        if (!isPayout(call) || meanwhile) return undefined;
        meanwhile = payroll.run(payroll.write('bonus.csv', [other]), patient);
        return { kind: 'wait', until: meanwhile };
      });

      const ran = await payroll.run(payroll.write('salary.csv', [first, second]), patient);

      expect(ran.exit).toBe(0);
      expect(await meanwhile).toMatchObject({ exit: 3 });
      expect(payroll.results('bonus')[0]).toMatchObject({
        payrun_status: 'held',
        payrun_code: 'account-in-use',
      });
      expect(payroll.results('bonus')[0]?.['payrun_reason']).toContain('salary');
      expect(service.calls.filter(isUpdate)).toEqual([]);
      expect(await operators(service)).toEqual(['mpesa', 'mpesa']);
      await expectPaidOnce(service, [first, second]);
      await released(payroll, 'bonus', 'B002');
      expect((await payroll.resume('bonus')).exit).toBe(0);
      expect(await operators(service)).toEqual(['mpesa', 'airtel']);
      await expectPaidOnce(service, [first, second, other]);
    });

    test('stays as it is while a send to it waits for an answer', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [first, second]);
      let meanwhile: Promise<Ran> | undefined;
      service.interfere((call) => {
        if (isPayout(call) && service.payoutCalls().length === 2) return { kind: 'lose-request' };
        if (!isLookUp(call) || service.payoutCalls().length < 2 || meanwhile) return undefined;
        meanwhile = payroll.run(payroll.write('bonus.csv', [other]), patient);
        return { kind: 'wait', until: meanwhile };
      });

      const ran = await payroll.run(payroll.write('salary.csv', [first, second]), {
        settings: { ...patient.settings, timeoutMs: 5_000, quietPeriodMs: 1_000 },
      });

      expect(ran.exit).toBe(0);
      expect(await meanwhile).toMatchObject({ exit: 3 });
      expect(service.calls.filter(isUpdate)).toEqual([]);
      await expectPaidOnce(service, [first, second]);
    });

    test('that one of them has changed since the other has read it is read anew, and each is paid at its own', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [second]);
      expect((await payroll.run(payroll.write('october.csv', [second]), patient)).exit).toBe(0);
      // The list as it was before, and the other batch is through before it comes.
      let lists = 0;
      let meanwhile: Promise<Ran> | undefined;
      service.interfere((call) => {
        if (!isList(call)) return undefined;
        lists += 1;
        if (lists !== 2) return undefined;
        meanwhile = payroll.run(payroll.write('bonus.csv', [other]), nextMonth);
        return { kind: 'answer-later', until: meanwhile };
      });
      const raise = { ...second, amount: '1102.00' };

      const ran = await payroll.run(payroll.write('november.csv', [raise]), nextMonth);

      expect(await meanwhile).toMatchObject({ exit: 0 });
      expect(ran.exit).toBe(0);
      const order = service.calls.filter((call) => isUpdate(call) || isPayout(call)).slice(-4);
      expect(order.map(({ method, body }) => (method === 'PUT' ? codeIn(body) : amountIn(body)))).toEqual([
        'airtel',
        555,
        'mpesa',
        1102,
      ]);
      await expectPaidOnce(service, [second, other, raise]);
    });

    test.each([
      ['has', 'operator'],
      ['is about to be', 'wanted_operator'],
    ])(
      'that %s changed since gets nothing: it is asked in the step that writes the intent to send',
      async (_, column) => {
        const service = await watchService(await startPayrollService(dedupe));
        const payroll = openPayroll(service);
        await enrolStaff(service, [first, second]);
        // What another process writes in the moment between.
        service.interfere((call) => {
          if (!isPayout(call) || service.payoutCalls().length !== 1) return undefined;
          const until = payroll.ask((db) => {
            db.prepare(`UPDATE payees SET ${column} = 'airtel' WHERE payee LIKE ?`).run(`%${phoneOf(2)}`);
          });
          return { kind: 'wait', until };
        });

        const ran = await payroll.run(payroll.write('november.csv', [first, second]), patient);

        expect(ran.exit).toBe(3);
        expect(payroll.results('november')[1]).toMatchObject({
          payrun_status: 'held',
          payrun_code: 'account-changed',
        });
        await expectPaidOnce(service, [first]);
      },
    );

    test('is corrected for the next month as soon as nothing waits to be sent to it', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [second]);
      expect((await payroll.run(payroll.write('october.csv', [second]), patient)).exit).toBe(0);

      expect((await payroll.run(payroll.write('november.csv', [other]), nextMonth)).exit).toBe(0);

      expect(await operators(service)).toEqual(['airtel']);
      await expectPaidOnce(service, [second, other]);
    });
  },
);

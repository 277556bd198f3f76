import { describe, expect, test } from 'vitest';
import { type Cells, employee, enrolStaff, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isSeeing, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const shortly = { settings: { settleForMs: 200 } } as const;
const banked = employee(1, { phoneNumber: '', accountNumber: '0170299123495', bankCode: '68' });
const beneficiary = (changes: object) => (shown: Shown) => ({
  beneficiary: { ...(shown['beneficiary'] as object), ...changes },
  phoneNumber: '',
});

/** What the service shows of the payee, and what a person is told; nothing where it is the payee all the same. */
const cases: readonly [string, Cells, (shown: Shown) => Record<string, unknown>, string][] = [
  ['another bank', banked, beneficiary({ bankCode: '11' }), 'it went to bank 11, ours goes to bank 68'],
  ['its bank, written with a zero', banked, beneficiary({ bankCode: '068' }), ''],
  ['another country by name', banked, beneficiary({ country: 'Uganda' }), 'it went to Uganda'],
  ['another country by code', banked, () => ({ country: 'UG' }), 'it went to UG, ours goes to KE'],
  ['a phone', banked, () => ({ destination: 'MoMo' }), 'it went to MoMo, ours goes to Bank Account'],
  ['another number, masked', banked, beneficiary({ accountNumber: '*********3496' }), 'another account'],
  ['its number, masked', banked, beneficiary({ accountNumber: '01702*****495' }), ''],
  ['another currency of the payee', employee(1), beneficiary({ currency: 'UGX' }), 'it is in UGX'],
  ['another phone, masked', employee(1), beneficiary({ accountNumber: '2547****999' }), 'another account'],
];

describe('a transaction that shows', () => {
  test.each(cases)('%s', async (_, row, change, told) => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, [row]);
    service.interfere((call) => (isSeeing(call) ? showsOtherwise(change) : undefined));

    const ran = await payroll.run(payroll.write('november.csv', [row]), shortly);

    const [result] = payroll.results('november');
    expect(ran.exit).toBe(told === '' ? 0 : 4);
    expect(result?.['payrun_status']).toBe(told === '' ? 'paid' : 'pending');
    expect(result?.['payrun_reason']).toContain(told);
    expect(service.payoutCalls()).toHaveLength(1);
  });

  test('another bank, found after a lost reply, is not taken for the payment, and nothing is sent again', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [banked]);
    service.interfere((call) => {
      if (isPayout(call)) return { kind: 'lose-reply' };
      return isSeeing(call) ? showsOtherwise(beneficiary({ bankCode: '11' })) : undefined;
    });

    const ran = await payroll.run(payroll.write('november.csv', [banked]), shortly);

    expect(ran.exit).toBe(4);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'unknown' });
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('it went to bank 11');
    expect(service.payoutCalls()).toHaveLength(1);
  });
});

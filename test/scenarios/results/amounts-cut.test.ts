import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, hastyClock, openPayroll, type Payroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isSeeing, type Shown, showsOtherwise } from '../../support/shown-otherwise.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

const rows = [employee(1, { amount: '64.95' }), employee(2)];

/** Whole amounts, as a service shows them that pays no fractions. */
const whole = (round: (amount: number) => number) => (shown: Shown) => ({
  amount: round(Number(shown['amount'])),
  receiverAmount: round(Number(shown['receiverAmount'])),
});

async function payrollOf() {
  const service = await watchService(await startPayrollService());
  const payroll = openPayroll(service);
  await enrolStaff(service, rows);
  return { service, payroll, file: payroll.write('november.csv', rows) };
}

async function audit(payroll: Payroll) {
  const { exit, stdout } = await payroll.command(['audit', 'november', '--service', '--json']);
  const { findings, sums } = JSON.parse(stdout) as {
    findings: { kind: string; message: string }[];
    sums: { journal: string; service: string }[];
  };
  return { exit, findings, sums };
}

describe('an amount of which the service shows less or more', () => {
  test.each([
    ['cut', Math.floor, '64.00', { paidLess: '0.95' }, '1066.00'],
    ['rounded', Math.ceil, '65.00', { paidMore: '0.05' }, '1067.00'],
  ] as const)(
    '%s to a whole one is told in results, totals and audit',
    async (_, round, paid, difference, sum) => {
      const { service, payroll, file } = await payrollOf();
      service.interfere((call) => (isSeeing(call) ? showsOtherwise(whole(round)) : undefined));

      const ran = await payroll.run(file);

      expect(ran.exit).toBe(0);
      const [first, second] = payroll.results('november');
      expect(first).toMatchObject({
        payrun_status: 'paid',
        payrun_paid: paid,
        payrun_code: 'amount-differs',
      });
      expect(first?.['payrun_reason']).toBe(`the service shows KES ${paid} paid, the payout is of KES 64.95`);
      expect(second).toMatchObject({ payrun_paid: '1002.00', payrun_code: '' });
      const json = JSON.parse((await payroll.command(['status', 'november', '--json'])).stdout) as {
        totals: Record<string, unknown>;
      };
      expect(json.totals).toMatchObject({
        KES: { file: '1066.95', paidBefore: sum, left: '0.00', ...difference },
      });
      const [[word, amount] = ['', '']] = Object.entries(difference);
      const line = new RegExp(`${word === 'paidLess' ? 'paid less' : 'paid more'}.* KES +-?${amount}`);
      expect((await payroll.command(['status', 'november'])).stdout).toMatch(line);
      const audited = await audit(payroll);
      expect(audited.exit).toBe(3);
      expect(audited.findings).toEqual([
        { kind: 'amount-differs', message: expect.stringContaining(`shows KES ${paid} paid`) },
      ]);
      expect(audited.sums).toMatchObject([{ journal: sum, service: sum }]);
      expect(
        service.payoutCalls().map(({ body }) => (JSON.parse(body) as { amount: number }).amount),
      ).toEqual([64.95, 1002]);
    },
  );

  test('is no finding where only the list shows whole numbers: the single read is exact', async () => {
    const { payroll, file } = await payrollOf();
    expect((await payroll.run(file)).exit).toBe(0);
    expect(payroll.results('november').map((row) => row['payrun_paid'])).toEqual(['64.95', '1002.00']);
    expect(await audit(payroll)).toMatchObject({ exit: 0, findings: [] });
  });

  test('is found by the audit and the next reading where it shows only afterwards', async () => {
    const { service, payroll, file } = await payrollOf();
    expect((await payroll.run(file)).exit).toBe(0);
    service.interfere((call) => (isSeeing(call) ? showsOtherwise(whole(Math.floor)) : undefined));

    const { findings, sums } = await audit(payroll);

    expect(findings.map(({ kind }) => kind)).toEqual(['amount-differs', 'sums-differ']);
    expect(sums).toMatchObject([{ journal: '1066.95', service: '1066.00' }]);
    await payroll.resume('november', { clock: hastyClock({ shiftMs: 25 * 60 * 60 * 1000 }) });
    expect(payroll.results('november')[0]).toMatchObject({ payrun_paid: '64.00' });
  });

  test('is told too of one that was found after a lost reply', async () => {
    const { service, payroll, file } = await payrollOf();
    let lost = 0;
    service.interfere((call) => {
      if (isPayout(call) && lost === 0) {
        lost += 1;
        return { kind: 'lose-reply' };
      }
      return isSeeing(call) ? showsOtherwise(whole(Math.floor)) : undefined;
    });
    expect((await payroll.run(file)).exit).toBe(0);
    expect(payroll.results('november').map((row) => row['payrun_paid'])).toEqual(['64.00', '1002.00']);
    expect(await service.sums()).toHaveLength(2);
  });
});

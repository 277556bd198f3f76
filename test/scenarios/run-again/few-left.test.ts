import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { stopAfter } from '../../support/stop-run.ts';
import { isPayout, watchService } from '../../support/watched-service.ts';

/** One row was sent without an answer and the next one waits, of a batch that has so many more. */
async function leaveTwo(others: number) {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(2);
  await enrolStaff(service, rows);
  service.interfere((call) => (isPayout(call) ? { kind: 'lose-request' } : undefined));
  await payroll.run(
    payroll.write('november.csv', rows),
    stopAfter(1, (event) => event.kind === 'notice'),
  );
  service.interfere();
  await payroll.ask((db) => {
    const columns = db
      .prepare<[], string>(`SELECT name FROM pragma_table_info('payouts')`)
      .pluck()
      .all()
      .map((name) => (name in copied ? copied[name as keyof typeof copied] : name));
    db.prepare(
      `WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ${others})
       INSERT INTO payouts SELECT ${columns.join(', ')} FROM (SELECT * FROM payouts LIMIT 1), more`,
    ).run();
  });
  const before = service.calls.length;
  const asked = () => service.calls.slice(before).map(({ method, path }) => `${method} ${path}`);
  return { service, payroll, rows, asked };
}

/** Nobody sends them. */
const copied = {
  id: '1000 + n',
  key: `'other ' || n`,
  reference: `'other-' || n`,
  state: `'cancelled'`,
  ever_sent: '0',
};

const list = 'GET /external-accounts';

describe('a few payouts that are left of a large batch', () => {
  test('ask for their own accounts, and not for the list of all', async () => {
    const { service, payroll, rows, asked } = await leaveTwo(1_999);

    await payroll.resume('november');

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid']);
    expect(asked()).not.toContain(list);
    expect(asked().filter((call) => call.startsWith(`${list}/`))).toHaveLength(2);
    await expectPaidOnce(service, rows);
  });

  test('ask for the list where it is sooner read than each of them', async () => {
    const { service, payroll, rows, asked } = await leaveTwo(1_998);

    await payroll.resume('november');

    expect(asked().filter((call) => call.startsWith(list))).toEqual([list]);
    await expectPaidOnce(service, rows);
  });

  test('ask for the list where one of them is not shown by itself', async () => {
    const { service, payroll, rows, asked } = await leaveTwo(1_999);
    service.interfere(({ method, path }) =>
      `${method} ${path}`.startsWith(`${list}/`) ? { kind: 'answer', status: 404, body: {} } : undefined,
    );

    await payroll.resume('november');

    expect(asked().filter((call) => call === list)).toHaveLength(1);
    await expectPaidOnce(service, rows);
  });

  test('ask for the list where one of them is shown under another id', async () => {
    const { service, payroll, asked } = await leaveTwo(1_999);
    const account = payroll.results('november')[1]?.['payrun_account'] ?? '';
    service.interfere(({ method, path }) =>
      `${method} ${path}` === `${list}/${account}`
        ? { kind: 'change', reply: (text) => text.replaceAll(account, 'another') }
        : undefined,
    );

    await payroll.resume('november');

    expect(asked().filter((call) => call === list)).toHaveLength(1);
  });

  test('are not sent to an account that was changed', async () => {
    const { service, payroll, asked } = await leaveTwo(1_999);
    const account = payroll.results('november')[1]?.['payrun_account'] ?? '';
    const { status } = await service.caller.put(`/external-accounts/${account}`, {
      country: 'KE',
      currency: 'KES',
      destination: 'MoMo',
      payoutMethod: { accountName: 'Anybody', accountNumber: phoneOf(66), code: '', branchCode: '' },
    });
    expect(status).toBe(200);

    await payroll.resume('november');

    // Of the other one nobody answered, and no payout is accepted that would prove look-ups.
    expect(payroll.statuses('november')).toEqual(['P001 unknown', 'P002 held']);
    expect(asked()).not.toContain(list);
    expect(await service.payouts()).toEqual([]);
  });
});

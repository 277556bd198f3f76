import { describe, expect, test } from 'vitest';
import { enrolStaff, openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { isPage, isPayout, type SeenCall, watchService } from '../support/watched-service.ts';

const rows = staff(3).map((row) => ({ ...row, amount: '1000.00' }));

async function lyingPayroll(change: (call: SeenCall, reply: Record<string, unknown>) => unknown) {
  const service = await startPayrollService('on');
  await enrolStaff(service, rows);
  const watched = await watchService(service);
  watched.interfere((call) => ({
    kind: 'change',
    reply: (text) => JSON.stringify(change(call, JSON.parse(text) as Record<string, unknown>)),
  }));
  const payroll = openPayroll(watched);
  payroll.write('payroll.csv', rows);
  return { service, payroll };
}

const isRead = ({ method, path }: SeenCall) => method === 'GET' && /^\/transactions\/./.test(path);
const bare = { status: 'SUCCESSFUL', chargeStatus: 'successful' };
const settling = { settings: { settleForMs: 300 } } as const;

describe('a service that answers with somebody else’s transaction', () => {
  test('one transaction for everybody pays at most the one that it shows to be', async () => {
    let first: unknown;
    const { payroll } = await lyingPayroll((call, reply) => {
      if (isPayout(call)) first ??= reply['transactionId'];
      if (isPayout(call)) return { ...reply, transactionId: first };
      // Nothing is shown that could tell one payout from the other.
      return isRead(call) ? { success: true, data: { transactionId: first, ...bare } } : reply;
    });
    await payroll.run(`${payroll.folder}/payroll.csv`, settling);
    const paid = payroll.results('payroll').filter((row) => row['payrun_status'] === 'paid');
    expect(paid.length).toBeLessThanOrEqual(1);
  });

  test('a read that answers with another transaction settles nothing', async () => {
    const { payroll } = await lyingPayroll((call, reply) => {
      if (isPage(call)) return { success: true, data: [] };
      return isRead(call)
        ? { success: true, data: { transactionId: 'TXofSomebodyElse1234', ...bare } }
        : reply;
    });
    await payroll.run(`${payroll.folder}/payroll.csv`, settling);
    const statuses = payroll.results('payroll').map((row) => row['payrun_status']);
    expect(statuses).not.toContain('paid');
    expect(statuses).not.toContain('failed');
  });

  test('an account that is another payee’s in the service’s own list is not paid to', async () => {
    let stolen: unknown;
    const { payroll, service } = await lyingPayroll((call, reply) => {
      if (call.method === 'POST' && call.path === '/external-accounts') {
        return { ...reply, data: { id: stolen } };
      }
      return reply;
    });
    const { body } = await service.caller.post('/external-accounts', {
      country: 'KE',
      currency: 'KES',
      type: 'momo',
      payload: { firstName: 'Some', lastName: 'Body', phoneNumber: '+254799000001', destination: 'MoMo' },
    });
    stolen = body.data.id;
    await payroll.run(`${payroll.folder}/payroll.csv`, settling);
    expect(payroll.results('payroll').map((row) => row['payrun_status'])).toEqual(['held', 'held', 'held']);
    expect(await service.payouts()).toEqual([]);
  });
});

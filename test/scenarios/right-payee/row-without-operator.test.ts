import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { type Cells, employee, hastyClock, openPayroll, phoneOf, type Ran } from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, type SeenCall, watchService } from '../../support/watched-service.ts';

const plain = employee(1);
const stranger = employee(1, {
  paymentId: 'B001',
  accountName: 'Peter Kimani',
  operator: 'Airtel Money',
  amount: '555.00',
});
const month = (count: number) => ({ clock: hastyClock({ shiftMs: count * 31 * 24 * 60 * 60 * 1000 }) });
const isName = ({ path }: SeenCall) => path === '/utilities/account/resolve';
const isList = ({ method, path }: SeenCall) => method === 'GET' && path === '/external-accounts';

/** The number is one person's at each operator; where none is named, M-Pesa answers. */
function holderByOperator(holders: Readonly<Record<string, string>>) {
  return (call: SeenCall): Interference | undefined => {
    if (!isName(call)) return undefined;
    const { accountNumber, momoOperator = 'mpesa' } = JSON.parse(call.body) as Record<string, string>;
    const data = { accountId: accountNumber, accountName: holders[momoOperator] };
    return { kind: 'answer', status: 200, body: { success: true, data } };
  };
}

const twoPeople = holderByOperator({ mpesa: `${plain['accountName']} AUMA`, airtel: 'PETER KIMANI OUMA' });

/** As they are read, one by one or listed. */
function changedAccounts(method: Readonly<Record<string, string>>): Interference {
  const change = (account: { payoutMethod: object }) => ({
    ...account,
    payoutMethod: { ...account.payoutMethod, ...method },
  });
  const reply = (text: string) => {
    const { data, ...rest } = JSON.parse(text) as { data: { payoutMethod: object }[] };
    return JSON.stringify({ ...rest, data: Array.isArray(data) ? data.map(change) : change(data) });
  };
  return { kind: 'change', reply };
}

async function store(service: PayrollService, row: Cells, code: string): Promise<string> {
  const { body } = await service.caller.post('/external-accounts', {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'A', lastName: 'B', phoneNumber: row['phoneNumber'], destination: 'MoMo', code },
  });
  return String(body.data.id);
}

async function changeOperator(service: PayrollService, account: string, code: string): Promise<void> {
  const { status } = await service.caller.put(`/external-accounts/${account}`, {
    country: 'KE',
    currency: 'KES',
    destination: 'MoMo',
    payoutMethod: { accountName: 'A B', accountNumber: phoneOf(1), code, branchCode: '' },
  });
  expect(status).toBe(200);
}

describe.each(withoutDedupe)('a row that names no operator, with dedupe %s', (dedupe) => {
  test('is not paid by an account of its number at an operator where the number is somebody else’s', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await store(service, plain, 'airtel');
    service.interfere(twoPeople);

    const ran = await payroll.run(payroll.write('november.csv', [plain]));

    expect(ran.exit).toBe(3);
    expect(ran.planned?.view?.names?.counts.mismatch).toBe(1);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'held',
      payrun_code: 'name-mismatch',
      payrun_resolved_name: 'PETER KIMANI OUMA',
    });
    expect(await service.payouts()).toEqual([]);
  });

  test('is paid by an account that somebody else stored where the name agrees there, and is asked there once', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const stored = await store(service, plain, 'AIRTEL');
    service.interfere(holderByOperator({ airtel: `${plain['accountName']} AUMA` }));

    expect((await payroll.run(payroll.write('november.csv', [plain]))).exit).toBe(0);

    const asked = service.calls.filter(isName).map(({ body }) => JSON.parse(body));
    expect(asked).toMatchObject([{ momoOperator: 'airtel' }]);
    expect(payroll.results('november')[0]?.['payrun_account']).toBe(stored);
    await expectPaidOnce(service, [plain]);
  });

  test('is paid by an account that names none, where there is one', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const stored = await store(service, plain, '');
    service.interfere((call) =>
      isList(call) ? { kind: 'change', reply: withOneAtAirtel } : twoPeople(call),
    );

    expect((await payroll.run(payroll.write('november.csv', [plain]))).exit).toBe(0);

    expect(payroll.results('november')[0]?.['payrun_account']).toBe(stored);
    expect(JSON.parse(service.calls.filter(isName)[0]?.body ?? '')).not.toHaveProperty('momoOperator');
    await expectPaidOnce(service, [plain]);
  });

  test.each([
    { order: 'A', concurrency: 1 },
    { order: 'AB', concurrency: 1 },
    { order: 'BA', concurrency: 1 },
    { order: 'BA', concurrency: 8 },
    { order: 'BAC', concurrency: 8 },
  ])(
    'is not paid by an account that is shown at another operator than it was written at: $order, $concurrency at a time',
    async ({ order, concurrency }) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rowOf = (paymentId: string, amount: string) =>
        employee(1, { paymentId, amount, operator: paymentId === 'B' ? 'airtel' : '' });
      const rows = [...order].map((paymentId, place) => rowOf(paymentId, `${1001 + place}.00`));
      const names = holderByOperator({ airtel: plain['accountName'] ?? '', mpesa: 'PETER KIMANI OUMA' });
      let isWritten = false;
      const lying = (call: SeenCall): Interference | undefined => {
        if (call.method !== 'GET' && call.path.startsWith('/external-accounts')) isWritten = true;
        if (call.method !== 'GET' || !call.path.startsWith('/external-accounts')) return names(call);
        return changedAccounts(isWritten ? { code: 'mpesa' } : { accountName: '' });
      };
      // The account is known at Airtel, lacks a name, and is corrected; or it is made.
      if (!order.startsWith('B')) {
        service.interfere(names);
        expect((await payroll.run(payroll.write('october.csv', [rowOf('B', '500.00')]))).exit).toBe(0);
      }
      service.interfere(lying);

      const before = (await service.payouts()).length;
      const file = payroll.write('november.csv', rows);
      const ran = await payroll.run(file, { ...month(1), settings: { concurrency }, allowRepeats: 9 });

      expect(isWritten).toBe(true);
      expect(ran.exit).toBe(3);
      for (const row of payroll.results('november')) {
        expect(row).toMatchObject({ payrun_status: 'held', payrun_code: 'account-not-as-written' });
        expect(row['payrun_reason']).toContain('operator mpesa, not airtel');
      }
      expect(await service.payouts()).toHaveLength(before);
    },
  );

  test('is asked about anew where another batch has given its account an operator since', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    service.interfere(twoPeople);
    expect((await payroll.run(payroll.write('october.csv', [plain]))).exit).toBe(0);
    expect((await payroll.run(payroll.write('bonus.csv', [stranger]), month(1))).exit).toBe(0);

    expect((await payroll.run(payroll.write('november.csv', [plain]), month(2))).exit).toBe(3);

    expect(payroll.results('november')[0]?.['payrun_code']).toBe('name-mismatch');
    expect((await service.payouts()).map(({ number, amount }) => `${number} ${amount}`)).toEqual([
      `${phoneOf(1)} 1001.00`,
      `${phoneOf(1)} ${stranger['amount']}`,
    ]);
  });

  test('is asked about anew where that happens after this run has read the account', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    service.interfere(twoPeople);
    expect((await payroll.run(payroll.write('october.csv', [plain]))).exit).toBe(0);
    let lists = 0;
    let meanwhile: Promise<Ran> | undefined;
    const settings = { timeoutMs: 20_000 };
    service.interfere((call) => {
      if (isList(call)) lists += 1;
      if (!isList(call) || lists !== 2) return twoPeople(call);
      meanwhile = payroll.run(payroll.write('bonus.csv', [stranger]), { ...month(1), settings });
      return { kind: 'answer-later', until: meanwhile };
    });

    const ran = await payroll.run(payroll.write('november.csv', [plain]), { ...month(1), settings });

    expect(await meanwhile).toMatchObject({ exit: 0 });
    expect(ran.exit).toBe(3);
    expect((await service.payouts()).map(({ amount }) => amount)).toEqual(['1001.00', stranger['amount']]);
  });

  test('is asked about anew where somebody gave its account an operator while it waited to be sent', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    service.interfere((call) =>
      isLookUp(call) ? { kind: 'answer', status: 503, body: {} } : twoPeople(call),
    );
    expect([5, 69]).toContain((await payroll.run(payroll.write('november.csv', [plain]))).exit);
    expect(payroll.statuses('november')).toEqual(['P001 not_sent']);
    service.interfere(twoPeople);
    const [account] = (await service.caller.get('/external-accounts')).body.data;
    await changeOperator(service, account.externalAccountId, 'airtel');

    expect((await payroll.resume('november')).exit).toBe(3);

    expect(payroll.results('november')[0]?.['payrun_code']).toBe('name-mismatch');
    expect(await service.payouts()).toEqual([]);
  });
});

function withOneAtAirtel(text: string): string {
  const { data, ...rest } = JSON.parse(text) as {
    data: { externalAccountId: string; payoutMethod: { code: string } }[];
  };
  const more = data.map((each) => ({
    ...each,
    externalAccountId: 'acc-other',
    payoutMethod: { ...each.payoutMethod, code: 'airtel' },
  }));
  return JSON.stringify({ ...rest, data: [...more, ...data] });
}

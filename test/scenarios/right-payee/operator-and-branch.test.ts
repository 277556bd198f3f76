import { describe, expect, test } from 'vitest';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { type Cells, employee, enrolStaff, hastyClock, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { isPayout, type SeenCall, type WatchedService, watchService } from '../../support/watched-service.ts';

const nextMonth = { clock: hastyClock({ shiftMs: 31 * 24 * 60 * 60 * 1000 }) };
const atMpesa = employee(1, { operator: 'M-Pesa' });
const atAirtel = employee(1, { operator: 'Airtel Money' });
const inUganda: Cells = {
  paymentId: 'U1',
  accountName: 'Okello Nakato Mukasa',
  country: 'UG',
  currency: 'UGX',
  amount: '90000',
  phoneNumber: '+256772000101',
  branchCode: '101147',
};

interface Stored {
  readonly externalAccountId: string;
  readonly payoutMethod: { readonly code: string; readonly branchCode: string };
}

async function storedAccounts(service: PayrollService): Promise<Stored[]> {
  return (await service.caller.get('/external-accounts')).body.data as Stored[];
}

/** An account that somebody else has stored. */
async function store(service: PayrollService, row: Cells, code: string): Promise<string> {
  const { body } = await service.caller.post('/external-accounts', {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'A', lastName: 'B', phoneNumber: row['phoneNumber'], destination: 'MoMo', code },
  });
  return String(body.data.id);
}

const isList = ({ method, path }: SeenCall) => method === 'GET' && path === '/external-accounts';
const isMade = ({ method, path }: SeenCall) => method === 'POST' && path === '/external-accounts';
const isUpdate = ({ method, path }: SeenCall) => method === 'PUT' && path.startsWith('/external-accounts/');
const isName = ({ path }: SeenCall) => path === '/utilities/account/resolve';

/** The list shows one more account of the number of the one that is there, at another operator. */
function showAlso(service: WatchedService, code: string, place: 'before' | 'after'): void {
  const also = (text: string) => {
    const { data, ...rest } = JSON.parse(text) as { data: Stored[] };
    const more = data.map((each) => ({
      ...each,
      externalAccountId: 'acc-other',
      payoutMethod: { ...each.payoutMethod, code },
    }));
    return JSON.stringify({ ...rest, data: place === 'before' ? [...more, ...data] : [...data, ...more] });
  };
  service.interfere((call) => (isList(call) ? { kind: 'change', reply: also } : undefined));
}

describe.each(withoutDedupe)('a mobile account at another operator, with dedupe %s', (dedupe) => {
  test.each(['before', 'after'] as const)(
    'is not the payee’s: of two accounts of one number the one at the operator of the row is paid (the other %s it)',
    async (place) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [atMpesa]);
      // As another system writes the same operator.
      const right = await store(service, atMpesa, 'SAFARICOM');
      showAlso(service, 'airtel', place);

      expect((await payroll.run(payroll.write('november.csv', [atMpesa]))).exit).toBe(0);

      expect(payroll.results('november')[0]?.['payrun_account']).toBe(right);
      expect(service.calls.filter(isUpdate)).toEqual([]);
      expect(JSON.parse(service.payoutCalls()[0]?.body ?? '')).toMatchObject({ externalAccountId: right });
      await expectPaidOnce(service, [atMpesa]);
    },
  );

  test('is left alone where the service takes an account of its own for the operator of the row', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [atMpesa]);
    const others = await store(service, employee(2), 'airtel');
    // To payrun, the account of employee 2 is one of the same number.
    const sameNumber = (text: string) => text.replaceAll(phoneOf(2), phoneOf(1));
    service.interfere((call) => (isList(call) ? { kind: 'change', reply: sameNumber } : undefined));

    expect((await payroll.run(payroll.write('november.csv', [atMpesa]))).exit).toBe(0);

    const accounts = await storedAccounts(service);
    expect(accounts.map(({ payoutMethod }) => payoutMethod.code)).toEqual(['airtel', 'mpesa']);
    expect(service.calls.filter(isUpdate)).toEqual([]);
    expect(payroll.results('november')[0]?.['payrun_account']).not.toBe(others);
    await expectPaidOnce(service, [atMpesa]);
  });

  test('is moved to the operator of the row where the number can be stored only once, and the name was asked there before', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [atMpesa]);
    const others = await store(service, atMpesa, 'airtel');

    expect((await payroll.run(payroll.write('november.csv', [atMpesa]))).exit).toBe(0);

    const [account] = await storedAccounts(service);
    expect(account).toMatchObject({ externalAccountId: others, payoutMethod: { code: 'mpesa' } });
    const order = service.calls.filter((call) => isName(call) || isUpdate(call) || isPayout(call));
    expect(order.map(({ method, path }) => `${method} ${path.split('/')[1]}`)).toEqual([
      'POST utilities',
      'PUT external-accounts',
      'POST fiat',
    ]);
    expect(JSON.parse(order[0]?.body ?? '')).toMatchObject({ momoOperator: 'mpesa' });
    await expectPaidOnce(service, [atMpesa]);
  });

  test('holds its payout, with the reason, where the service allows neither', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [atMpesa]);
    await store(service, atMpesa, 'airtel');
    service.interfere((call) =>
      isUpdate(call)
        ? {
            kind: 'answer',
            status: 400,
            body: { success: false, message: 'No.', errorCode: 'VALIDATION_ERROR' },
          }
        : undefined,
    );

    expect((await payroll.run(payroll.write('november.csv', [atMpesa]))).exit).toBe(3);

    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'held' });
    expect(payroll.results('november')[0]?.['payrun_reason']).toMatch(/operator airtel.*mpesa/);
    expect(await service.payouts()).toEqual([]);
  });

  test('is not used by a second row of the number, which names another operator', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const second = { ...atAirtel, paymentId: 'P001-b', amount: '55.00' };
    await enrolStaff(service, [atMpesa]);

    const ran = await payroll.run(payroll.write('november.csv', [atMpesa, second]));

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P001-b held']);
    expect((await storedAccounts(service)).map(({ payoutMethod }) => payoutMethod.code)).toEqual(['mpesa']);
    await expectPaidOnce(service, [atMpesa]);
  });
});

describe.each(withoutDedupe)('a corrected row, with dedupe %s', (dedupe) => {
  test('takes its operator to the service: the name is asked there first, and the account is read back', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [atMpesa]);
    expect((await payroll.run(payroll.write('october.csv', [atMpesa]))).exit).toBe(0);
    const before = service.calls.length;

    expect((await payroll.run(payroll.write('november.csv', [atAirtel]), nextMonth)).exit).toBe(0);

    const [account] = await storedAccounts(service);
    expect(account).toMatchObject({
      externalAccountId: payroll.results('october')[0]?.['payrun_account'],
      payoutMethod: { code: 'airtel' },
    });
    const later = service.calls.slice(before);
    const asked = later.findIndex(isName);
    const updated = later.findIndex(isUpdate);
    expect(JSON.parse(later[asked]?.body ?? '')).toMatchObject({ momoOperator: 'airtel' });
    expect(asked).toBeLessThan(updated);
    const readBack = later.findIndex((call, place) => place > updated && isList(call));
    expect(readBack).toBeGreaterThan(updated);
    expect(readBack).toBeLessThan(later.findIndex(isPayout));
    expect(await service.payouts()).toHaveLength(2);
  });

  test('takes its branch code to the service, and once there it is not written again', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const corrected = { ...inUganda, branchCode: '202250' };
    await enrolStaff(service, [inUganda]);
    expect((await payroll.run(payroll.write('october.csv', [inUganda]))).exit).toBe(0);

    expect((await payroll.run(payroll.write('november.csv', [corrected]), nextMonth)).exit).toBe(0);

    expect(await storedAccounts(service)).toMatchObject([{ payoutMethod: { branchCode: '202250' } }]);
    const twoMonths = { clock: hastyClock({ shiftMs: 62 * 24 * 60 * 60 * 1000 }) };
    expect((await payroll.run(payroll.write('december.csv', [corrected]), twoMonths)).exit).toBe(0);
    expect(service.calls.filter(isUpdate)).toHaveLength(1);
    expect(service.calls.filter(isMade)).toHaveLength(1);
    expect(await service.payouts()).toHaveLength(3);
  });

  test('is held where the service says that it changed the account, and has not', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await enrolStaff(service, [atMpesa]);
    expect((await payroll.run(payroll.write('october.csv', [atMpesa]))).exit).toBe(0);
    service.interfere((call) =>
      isUpdate(call)
        ? { kind: 'answer', status: 200, body: { success: true, message: 'External account updated.' } }
        : undefined,
    );

    const ran = await payroll.run(payroll.write('november.csv', [atAirtel]), nextMonth);

    expect(ran.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('read back');
    expect(await service.payouts()).toHaveLength(1);
  });
});

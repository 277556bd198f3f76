import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { errorCode } from '../../../src/service/contract/error-codes.ts';
import { employee, enrolStaff, hastyClock, openPayroll, phoneOf, type Ran } from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService } from '../../support/payroll-service.ts';
import {
  type Interference,
  isPayout,
  type SeenCall,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const mine = employee(2, { operator: 'M-Pesa' });
const raise = { ...mine, amount: '1102.00' };
const other = employee(2, { paymentId: 'B002', operator: 'Airtel Money', amount: '555.00' });
const open = employee(2, { paymentId: 'B002', amount: '555.00' });
const patient = { settings: { timeoutMs: 20_000, concurrency: 1 } };
const nextMonth = { ...patient, clock: hastyClock({ shiftMs: 31 * 24 * 60 * 60 * 1000 }) };

const path = '/external-accounts';
const isUpdate = (call: SeenCall) => call.method === 'PUT' && call.path.startsWith(`${path}/`);
const isRead = (call: SeenCall) => call.method === 'GET' && call.path.startsWith(`${path}/`);
const isList = (call: SeenCall) => call.method === 'GET' && call.path === path;
const isMake = (call: SeenCall) => call.method === 'POST' && call.path === path;
const amountIn = ({ body }: SeenCall) => (JSON.parse(body) as { amount: number }).amount;

async function operators(service: PayrollService): Promise<string[]> {
  const { data } = (await service.caller.get(path)).body;
  return (data as { payoutMethod: { code: string } }[]).map(({ payoutMethod }) => payoutMethod.code);
}

/** At which operator the account stood when a payout of this amount came. */
function watchPayouts(service: WatchedService, decide: (call: SeenCall) => Interference | undefined) {
  const stood = new Map<number, string[]>();
  service.interfere((call) => {
    const decided = decide(call);
    if (decided || !isPayout(call)) return decided;
    return { kind: 'wait', until: operators(service).then((now) => stood.set(amountIn(call), now)) };
  });
  return stood;
}

function later(): { readonly happened: Promise<void>; happen(): void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}

const hidden = (text: string) => text.replace(/"(code|accountName)":"[^"]*"/g, '"$1":""');

async function openOffice() {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  await enrolStaff(service, [mine]);
  return { service, payroll };
}

describe('What another batch changes about an account while this one looks at it', () => {
  test('is not undone by a single read that was answered before and came after', async () => {
    const { service, payroll } = await openOffice();
    expect((await payroll.run(payroll.write('october.csv', [mine]), patient)).exit).toBe(0);
    const read = later();
    let november: Promise<Ran> | undefined;
    let bonus: Promise<Ran> | undefined;
    const stood = watchPayouts(service, (call) => {
      if (isUpdate(call) && !november) {
        november = payroll.run(payroll.write('november.csv', [raise]), nextMonth);
        return { kind: 'wait', until: read.happened };
      }
      if (!isRead(call) || !november) return undefined;
      setTimeout(read.happen, 300);
      return { kind: 'answer-later', until: bonus ?? Promise.resolve() };
    });

    bonus = payroll.run(payroll.write('bonus.csv', [other]), nextMonth);
    await bonus;
    await november;

    expect(stood.get(1102) ?? ['mpesa']).toEqual(['mpesa']);
    expect(stood.get(555)).toEqual(['airtel']);
  });

  test('is not undone by a list that was answered before and came after', async () => {
    const { service, payroll } = await openOffice();
    const payload = { firstName: 'Wanjiku', lastName: 'Mwangi', phoneNumber: phoneOf(2), code: 'mpesa' };
    await service.caller.post(path, {
      country: 'KE',
      currency: 'KES',
      type: 'momo',
      payload: { ...payload, destination: 'MoMo' },
    });
    const begin = later();
    let lists = 0;
    let bonus: Promise<Ran> | undefined;
    const inUse = { success: false, message: 'in use', errorCode: errorCode.accountNumberInUse };
    const stood = watchPayouts(service, (call) => {
      if (isMake(call)) return { kind: 'answer', status: 400, body: inUse };
      if (!isList(call) || bonus) return undefined;
      lists += 1;
      if (lists <= 2)
        return { kind: 'change', reply: (text) => JSON.stringify({ ...JSON.parse(text), data: [] }) };
      bonus = begin.happened.then(() => payroll.run(payroll.write('bonus.csv', [other]), patient));
      setTimeout(begin.happen, 300);
      return { kind: 'answer-later', until: bonus };
    });

    await payroll.run(payroll.write('november.csv', [mine]), patient);
    await bonus;

    expect(bonus).toBeDefined();
    expect(stood.get(1002) ?? ['mpesa']).toEqual(['mpesa']);
  });

  test('is not forgotten by a payout that was released', async () => {
    const { service, payroll } = await openOffice();
    expect((await payroll.run(payroll.write('october.csv', [mine]), patient)).exit).toBe(0);
    const strange = (text: string) => text.replaceAll(phoneOf(2).slice(1), phoneOf(77).slice(1));
    service.interfere((call) =>
      isList(call) || isRead(call) ? { kind: 'change', reply: strange } : undefined,
    );
    await payroll.run(payroll.write('november.csv', [raise]), nextMonth);
    expect(payroll.statuses('november')).toEqual(['P002 held']);
    await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P002'] },
      rule: (payout) => release(payout, 'named', run, 'it is right again'),
      repeats: undefined,
    }));
    const [arrived, changed] = [later(), later()];
    let november: Promise<Ran> | undefined;
    const stood = new Map<number, string[]>();
    service.interfere((call) => {
      if (isUpdate(call) && !november) {
        november = payroll.resume('november', nextMonth).finally(arrived.happen);
        void arrived.happened.then(() => setTimeout(changed.happen, 500));
        return { kind: 'wait', until: arrived.happened };
      }
      if (!isPayout(call)) return undefined;
      const amount = amountIn(call);
      if (amount === 1102) arrived.happen();
      const until = amount === 1102 ? changed.happened : Promise.resolve();
      return { kind: 'wait', until: until.then(async () => stood.set(amount, await operators(service))) };
    });

    await payroll.run(payroll.write('bonus.csv', [other]), nextMonth);
    await november;

    expect(november).toBeDefined();
    expect(stood.get(1102) ?? ['mpesa']).toEqual(['mpesa']);
  });

  test('is known to the one that made it, also where the other has taken its operator away', async () => {
    const { service, payroll } = await openOffice();
    const begin = later();
    let bonus: Promise<Ran> | undefined;
    let isShownLate = true;
    const stood = watchPayouts(service, (call) => {
      if (isMake(call) && !bonus) {
        bonus = begin.happened.then(() => payroll.run(payroll.write('bonus.csv', [open]), patient));
        setTimeout(begin.happen, 300);
        return { kind: 'answer-later', until: bonus };
      }
      if (isUpdate(call)) isShownLate = false;
      return isList(call) && bonus && isShownLate ? { kind: 'change', reply: hidden } : undefined;
    });

    await payroll.run(payroll.write('november.csv', [mine]), patient);
    await bonus;

    expect(bonus).toBeDefined();
    expect(stood.get(1002) ?? ['mpesa']).toEqual(['mpesa']);
  });
});

test('an operator that is not shown stays when the name of its account is filled in', async () => {
  const { service, payroll } = await openOffice();
  expect((await payroll.run(payroll.write('october.csv', [mine]), patient)).exit).toBe(0);
  service.interfere((call) => (isList(call) || isRead(call) ? { kind: 'change', reply: hidden } : undefined));

  await payroll.run(payroll.write('november.csv', [employee(2, { amount: '1102.00' })]), nextMonth);

  expect(service.calls.filter(isUpdate)).not.toEqual([]);
  expect(await operators(service)).toEqual(['mpesa']);
});

import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { type EchoForm, echoedName, echoForms, echoNames } from '../../support/echo-names.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import {
  type Cells,
  employee,
  enrolStaff,
  hastyClock,
  interruptedAfter,
  openPayroll,
  type Payroll,
  phoneOf,
  staff,
} from '../../support/pay-run.ts';
import { type PayrollService, startPayrollService, withoutDedupe } from '../../support/payroll-service.ts';
import { type Interference, type SeenCall, watchService } from '../../support/watched-service.ts';

const daysLater = (days: number) => ({ clock: hastyClock({ shiftMs: days * 24 * 60 * 60 * 1000 }) });

/** Whom the numbers of some rows really belong to: not the people in the file. */
async function enrolStrangers(service: PayrollService, rows: readonly Cells[]): Promise<void> {
  await service.enrol(rows.map((row) => ({ number: row['phoneNumber'] ?? '', name: 'Fatuma Juma Abdi' })));
}

async function store(service: PayrollService, row: Cells, name = row['accountName'] ?? ''): Promise<void> {
  const [firstName = '', ...rest] = name.split(' ');
  const payload = {
    firstName,
    lastName: rest.join(' '),
    phoneNumber: row['phoneNumber'],
    destination: 'MoMo',
  };
  const { status } = await service.caller.post('/external-accounts', {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload,
  });
  expect(status).toBe(200);
}

function verdicts(payroll: Payroll, batch: string): string[] {
  return payroll.results(batch).map((row) => `${row['payrun_status']} ${row['payrun_verdict']}`);
}

function released(payroll: Payroll, batch: string, ids: readonly string[]) {
  return payroll.decide(batch, (run) => ({
    choice: { kind: 'named', ids },
    rule: (payout) => release(payout, 'named', run, 'seen with my own eyes'),
    repeats: undefined,
  }));
}

describe.each(withoutDedupe)(
  'a service that repeats the names stored with accounts, with dedupe %s',
  (dedupe) => {
    test('confirms nobody: the name that decides was asked before the account was made', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(3);
      await enrolStrangers(service, rows);
      echoNames(service);
      const file = payroll.write('november.csv', rows);

      const ran = await payroll.run(file);

      expect(ran.exit).toBe(3);
      expect(ran.planned?.view?.names?.counts.mismatch).toBe(3);
      expect(verdicts(payroll, 'november')).toEqual(Array(3).fill('held mismatch'));
      expect((await payroll.run(file)).exit).toBe(3);
      expect(await service.payouts()).toEqual([]);
    });

    test('is asked once for each payee, and before anything is written there', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(3);
      await enrolStaff(service, rows);
      echoNames(service);

      expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

      const asked = service.calls.filter(({ path }) => path === '/utilities/account/resolve');
      const firstWrite = service.calls.findIndex(
        ({ method, path }) => method === 'POST' && path === '/external-accounts',
      );
      expect(asked).toHaveLength(3);
      expect(service.calls.slice(0, firstWrite)).toEqual(expect.arrayContaining(asked));
      await expectPaidOnce(service, rows);
    });

    test('confirms nobody after a kill between acceptance and the accounts, days later, or in an added row', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(2);
      await enrolStrangers(service, rows);
      echoNames(service);
      await payroll.run(payroll.write('november.csv', rows.slice(0, 1)), interruptedAfter(0));
      expect(payroll.statuses('november')).toEqual(['P001 not_sent']);

      expect((await payroll.resume('november', daysLater(2))).exit).toBe(3);
      expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(3);

      expect(verdicts(payroll, 'november')).toEqual(['held mismatch', 'held mismatch']);
      expect(await service.payouts()).toEqual([]);
    });

    test('is asked before the account is made, though no name was kept from the planning', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(2);
      await enrolStaff(service, rows.slice(0, 1));
      await enrolStrangers(service, rows.slice(1));
      echoNames(service);
      await payroll.run(payroll.write('november.csv', rows), interruptedAfter(0));
      await payroll.ask((db) => db.exec('DELETE FROM resolved_names'));

      expect((await payroll.resume('november')).exit).toBe(3);

      expect(verdicts(payroll, 'november')).toEqual(['paid match', 'held mismatch']);
      await expectPaidOnce(service, rows.slice(0, 1));
    });

    test('gets no account made for a payee whose name it does not answer for now: the others are paid', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(3);
      await enrolStaff(service, rows);
      service.interfere(({ path, body }) =>
        path === '/utilities/account/resolve' && body.includes(phoneOf(2))
          ? { kind: 'answer', status: 503, body: {} }
          : undefined,
      );

      const ran = await payroll.run(payroll.write('november.csv', rows));

      expect(ran.exit).toBe(5);
      expect(ran.planned?.view?.names).toMatchObject({ counts: { match: 2 }, unanswered: 1 });
      expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 not_sent', 'P003 paid']);
      const made = service.calls.filter(
        ({ method, path }) => method === 'POST' && path === '/external-accounts',
      );
      expect(made).toHaveLength(2);
      service.interfere();
      expect((await payroll.resume('november')).exit).toBe(0);
      await expectPaidOnce(service, rows);
    });

    test('keeps being held against what it said before: those it knew are paid every month, the others never', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(4);
      await enrolStaff(service, rows.slice(0, 2));
      await enrolStrangers(service, rows.slice(2));
      echoNames(service);
      const verdictsOf = ['paid match', 'paid match', 'held mismatch', 'held mismatch'];

      for (const [month, batch] of ['october', 'november', 'december'].entries()) {
        const ran = await payroll.run(payroll.write(`${batch}.csv`, rows), daysLater(31 * month));
        expect(ran.exit).toBe(3);
        expect(ran.planned?.view?.names?.counts).toMatchObject({ match: 2, mismatch: 2 });
        expect(verdicts(payroll, batch)).toEqual(verdictsOf);
      }

      expect(payroll.results('december')[2]?.['payrun_resolved_name']).toBe('FATUMA JUMA ABDI');
      const numbers = (await service.payouts()).map(({ number }) => number);
      expect(numbers.sort()).toEqual([1, 1, 1, 2, 2, 2].map((each) => phoneOf(each)));
    });

    test('does not prove the name of an account that somebody else has stored; once released it is paid every month', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const [known, fresh] = [employee(1), employee(2)];
      await enrolStrangers(service, [known]);
      await enrolStaff(service, [fresh]);
      await store(service, known);
      echoNames(service, new Map([[phoneOf(1), known['accountName'] ?? '']]));

      const ran = await payroll.run(payroll.write('october.csv', [known, fresh]));

      expect(ran.planned?.view?.names?.counts).toMatchObject({ match: 1, unchecked: 1 });
      expect(verdicts(payroll, 'october')).toEqual(['held unchecked', 'paid match']);
      expect(payroll.results('october')[0]?.['payrun_reason']).toContain('stored with the account');
      expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(2)]);
      await released(payroll, 'october', ['P001']);
      expect((await payroll.resume('october')).exit).toBe(0);
      expect((await payroll.run(payroll.write('november.csv', [known]), daysLater(31))).exit).toBe(0);
      expect((await service.payouts()).map(({ number }) => number)).toEqual(
        [2, 1, 1].map((each) => phoneOf(each)),
      );
    });

    test('confirms nobody where the journal was lost in between: what stands there may be our own writing', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(2);
      await enrolStrangers(service, rows);
      echoNames(service);
      const file = payroll.write('november.csv', rows);
      expect((await payroll.run(file)).exit).toBe(3);
      await payroll.store.forget();

      expect((await payroll.run(file)).exit).toBe(3);

      expect(verdicts(payroll, 'november')).toEqual(['held unchecked', 'held unchecked']);
      expect(await service.payouts()).toEqual([]);
    });
  },
);

const forms = Object.keys(echoForms) as EchoForm[];
const isResolve = ({ path }: SeenCall) => path === '/utilities/account/resolve';
const isList = ({ method, path }: SeenCall) => method === 'GET' && path === '/external-accounts';
const cannotSay: Interference = {
  kind: 'answer',
  status: 400,
  body: { success: false, message: 'Not supported.', errorCode: 'E-CH-PY.S-40' },
};

describe.each(forms)('a service that repeats stored names %s', (form) => {
  test('confirms nobody in the months after it could not say anything', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStrangers(service, rows);
    const names = new Map<string, string>();
    service.interfere((call) => {
      const isUnknown = isResolve(call) && !names.has(JSON.parse(call.body).accountNumber);
      return isUnknown ? cannotSay : echoedName(call, names, form);
    });
    expect((await payroll.run(payroll.write('october.csv', rows))).exit).toBe(3);
    expect(verdicts(payroll, 'october')).toEqual(Array(3).fill('held unchecked'));

    for (const [month, batch] of ['november', 'december'].entries()) {
      const raised = rows.map((row) => ({ ...row, amount: `${month + 1}0.00` }));
      const ran = await payroll.run(payroll.write(`${batch}.csv`, raised), daysLater(31 * (month + 1)));
      expect(ran.exit).toBe(3);
      expect(ran.planned?.view?.names?.counts.match).toBe(0);
      expect(payroll.results(batch).map((row) => row['payrun_code'])).not.toContain('');
    }

    expect(await service.payouts()).toEqual([]);
  });

  test('keeps being held against what it said before', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    const rows = staff(2);
    await service.enrol([{ number: phoneOf(1), name: rows[0]?.['accountName'] ?? '' }]);
    await enrolStrangers(service, rows.slice(1));
    echoNames(service, new Map(), form);
    expect((await payroll.run(payroll.write('october.csv', rows))).exit).toBe(3);

    const november = await payroll.run(payroll.write('november.csv', rows), daysLater(31));

    expect(november.exit).toBe(3);
    expect(payroll.results('november')[1]?.['payrun_status']).toBe('held');
    const numbers = (await service.payouts()).map(({ number }) => number);
    expect(numbers).not.toContain(phoneOf(2));
  });
});

describe('a number that is stored as people dial it at home', () => {
  const dialled = (number: string) => number.replace('+254', '0');
  const [first, second] = [employee(1), employee(2)];

  test('is the number of the row: its stored name proves nothing, and makes no register', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStrangers(service, [first, second]);
    await store(service, first);
    await store(service, second);
    const names = new Map([first, second].map((row) => [row['phoneNumber'] ?? '', row['accountName'] ?? '']));
    service.interfere((call) =>
      isList(call)
        ? { kind: 'change', reply: (text) => text.replaceAll(phoneOf(1), dialled(phoneOf(1))) }
        : echoedName(call, names, 'in capitals'),
    );

    const ran = await payroll.run(payroll.write('november.csv', [first, second]));

    expect(ran.exit).toBe(3);
    expect(ran.planned?.view?.names?.counts).toMatchObject({ match: 0, unchecked: 2 });
    expect(await service.payouts()).toEqual([]);
  });

  test('and under two spellings it makes nobody’s name believed', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStrangers(service, [first, second]);
    await store(service, first);
    await store(service, second);
    const fuller = (first['accountName'] ?? '').replace(' ', ' Q ');
    const names = new Map([
      [phoneOf(1), fuller],
      [phoneOf(2), second['accountName'] ?? ''],
    ]);
    const alsoDialled = (text: string) => {
      const { data, ...rest } = JSON.parse(text) as {
        data: { externalAccountId: string; payoutMethod: { accountNumber: string } }[];
      };
      const more = data.slice(0, 1).map((account) => ({
        ...account,
        externalAccountId: 'acc-dialled',
        payoutMethod: { ...account.payoutMethod, accountName: fuller, accountNumber: dialled(phoneOf(1)) },
      }));
      return JSON.stringify({ ...rest, data: [...more, ...data] });
    };
    service.interfere((call) =>
      isList(call) ? { kind: 'change', reply: alsoDialled } : echoedName(call, names, 'in capitals'),
    );

    const ran = await payroll.run(payroll.write('november.csv', [first, second]));

    expect(ran.exit).toBe(3);
    expect(payroll.results('november').map((row) => row['payrun_code'])).toEqual([
      'name-repeated',
      'name-repeated',
    ]);
    expect(await service.payouts()).toEqual([]);
  });
});

describe.each(withoutDedupe)('a service that has a register of names, with dedupe %s', (dedupe) => {
  test('is believed about stored accounts once it was seen to know more of two people than is stored', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await enrolStaff(service, rows.slice(1));
    await service.enrol([{ number: phoneOf(1), name: rows[0]?.['accountName'] ?? '' }]);
    for (const row of rows) await store(service, row);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    await expectPaidOnce(service, rows);
  });

  test.each([
    ['of one person', [phoneOf(2)]],
    ['of two, but the same word of each', [phoneOf(2), phoneOf(3)]],
  ])('is not believed about a stored account where it knows more %s', async (_, numbers) => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(1 + numbers.length);
    await service.enrol(
      rows.map((row) => ({
        number: row['phoneNumber'] ?? '',
        name: `${row['accountName']}${numbers.includes(row['phoneNumber'] ?? '') ? ' Nairobi' : ''}`,
      })),
    );
    for (const row of rows) await store(service, row);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(3);

    expect(payroll.results('november')[0]?.['payrun_code']).toBe('name-repeated');
    await expectPaidOnce(service, rows.slice(1));
  });

  test('is not believed for saying names that are nobody’s', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(3);
    await service.enrol([
      { number: phoneOf(1), name: rows[0]?.['accountName'] ?? '' },
      { number: phoneOf(2), name: 'Fatuma Juma Abdi' },
      { number: phoneOf(3), name: 'Peter Kimani Njoroge' },
    ]);
    for (const row of rows) await store(service, row);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(3);

    expect(verdicts(payroll, 'november')).toEqual(['held unchecked', 'held mismatch', 'held mismatch']);
    expect(await service.payouts()).toEqual([]);
  });

  test('is not believed about a stored account where it says just what is stored, and never said another', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    await service.enrol([{ number: phoneOf(1), name: employee(1)['accountName'] ?? '' }]);
    await store(service, employee(1));

    const ran = await payroll.run(payroll.write('november.csv', [employee(1)]), {
      policy: { onUnchecked: 'pay' },
    });

    expect(ran.exit).toBe(0);
    expect(verdicts(payroll, 'november')).toEqual(['paid unchecked']);
    await expectPaidOnce(service, [employee(1)]);
  });
});

test('plan --check-names and run --yes say the same of a file, before and after, and the run says it before it sends', async () => {
  const service = await watchService(await startPayrollService('on'));
  const payroll = openPayroll(service);
  const rows = staff(3);
  await enrolStaff(service, rows.slice(0, 1));
  await enrolStrangers(service, rows.slice(1));
  echoNames(service);
  payroll.write('november.csv', rows);
  const plan = async () => {
    const { stdout } = await payroll.command(['plan', 'november.csv', '--check-names', '--json']);
    const { match, mismatch } = (JSON.parse(stdout) as { names: Record<string, number> }).names;
    return { match, mismatch };
  };
  expect(await plan()).toEqual({ match: 1, mismatch: 2 });

  const ran = await payroll.command(['run', 'november.csv', '--yes', '--max-total', 'KES=10000']);

  expect(ran.exit).toBe(3);
  expect(ran.stderr).toContain('1 matches, 0 close, 2 do not match');
  expect(ran.stderr).toContain('KES 2,005.00 in 2 payments will be held: names');
  expect(verdicts(payroll, 'november')).toEqual(['paid match', 'held mismatch', 'held mismatch']);
  payroll.write(
    'december.csv',
    rows.map((row) => ({ ...row, amount: '7.00' })),
  );
  const { stdout } = await payroll.command(['plan', 'december.csv', '--check-names', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ names: { match: 1, mismatch: 2 } });
  expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(1)]);
});

import { describe, expect, test } from 'vitest';
import { release } from '../../src/decisions/release.ts';
import { echoNames } from '../support/echo-names.ts';
import { deleteJournal } from '../support/journal-files.ts';
import { expectPaidOnce } from '../support/paid-once.ts';
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
} from '../support/pay-run.ts';
import { dedupeModes, type PayrollService, startPayrollService } from '../support/payroll-service.ts';
import { watchService } from '../support/watched-service.ts';

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

describe.each(dedupeModes)(
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
      payroll.ask((db) => db.exec('DELETE FROM resolved_names'));

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
      deleteJournal(payroll);

      expect((await payroll.run(file)).exit).toBe(3);

      expect(verdicts(payroll, 'november')).toEqual(['held unchecked', 'held unchecked']);
      expect(await service.payouts()).toEqual([]);
    });
  },
);

describe.each(dedupeModes)('a service that has a register of names, with dedupe %s', (dedupe) => {
  test('is believed about stored accounts once it was seen to say another name than the stored one', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    await service.enrol([{ number: phoneOf(1), name: rows[0]?.['accountName'] ?? '' }]);
    await store(service, employee(1));
    await store(service, employee(2), 'Somebody at the bank');

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    await expectPaidOnce(service, rows);
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
    const { stdout } = await payroll.payrun(['plan', 'november.csv', '--check-names', '--json']);
    const { match, mismatch } = (JSON.parse(stdout) as { names: Record<string, number> }).names;
    return { match, mismatch };
  };
  expect(await plan()).toEqual({ match: 1, mismatch: 2 });

  const ran = await payroll.payrun(['run', 'november.csv', '--yes', '--max-total', 'KES=10000']);

  expect(ran.exit).toBe(3);
  expect(ran.stderr).toContain('1 match, 0 close, 2 do not match');
  expect(ran.stderr).toContain('KES 2,005.00 in 2 payments will be held: names');
  expect(verdicts(payroll, 'november')).toEqual(['paid match', 'held mismatch', 'held mismatch']);
  payroll.write(
    'december.csv',
    rows.map((row) => ({ ...row, amount: '7.00' })),
  );
  const { stdout } = await payroll.payrun(['plan', 'december.csv', '--check-names', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ names: { match: 1, mismatch: 2 } });
  expect((await service.payouts()).map(({ number }) => number)).toEqual([phoneOf(1)]);
});

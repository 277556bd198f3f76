import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { referenceOf } from '../../../src/domain/reference.ts';
import { readBatch } from '../../../src/journal/batch-record.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { payElsewhere } from '../../support/pay-elsewhere.ts';
import { type Cells, employee, enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** A row as a file of ours would have it, had its payment come so far. */
function atAttempt(row: Cells, attempt: number): Cells {
  const key = row['paymentId'] ?? '';
  return {
    ...row,
    payrun_batch: 'november',
    payrun_key: key,
    payrun_attempt: String(attempt),
    payrun_reference: referenceOf('november', 'paymentId', key, attempt),
  };
}

/** Nothing here is about time: a busy machine must not make an answer late. */
const patient = { settings: { timeoutMs: 20_000 } };

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

describe.each(dedupeModes)('A file that names attempt 2, dedupe %s', (dedupe) => {
  test('of a batch that the journal does not know is refused, unless the service shows that attempt 1 failed', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const rows = staff(3);
    await enrolStaff(service, rows);
    const forger = openPayroll(service);
    const forged = forger.write(
      'forged.csv',
      rows.map((row) => atAttempt(row, 2)),
    );

    const refused = await forger.run(forged);

    expect(refused).toMatchObject({ exit: 6, code: 'attempts' });
    expect(refused.message).toContain('line 2: payment P001');
    expect(await forger.ask((db) => readBatch(db, 'november'))).toBeUndefined();
    expect(service.payoutCalls()).toEqual([]);
    const office = openPayroll(service);
    expect((await office.run(office.write('november.csv', rows))).exit).toBe(0);
    expect((await forger.run(forged)).exit).toBe(6);
    await expectPaidOnce(service, rows);
  });

  test('and has a row that is new to its batch is refused as well', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(2);
    await enrolStaff(service, rows);
    expect((await payroll.run(payroll.write('november.csv', [employee(1)]))).exit).toBe(0);

    const refused = await payroll.run(
      payroll.write('november.csv', [atAttempt(employee(1), 1), atAttempt(employee(2), 2)]),
    );

    expect(refused).toMatchObject({ exit: 6, code: 'attempts' });
    expect(refused.message).toContain('line 3: payment P002');
    expect(refused.message).not.toContain('P001');
    await expectPaidOnce(service, [employee(1)]);
  });

  test('is carried on by another journal where the service shows that attempt 1 failed', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const failing = employee(1, { phoneNumber: phoneOf(1, '99001') });
    await enrolStaff(service, [failing, employee(1)]);
    expect((await payroll.run(payroll.write('november.csv', [failing]))).exit).toBe(3);
    await payroll.store.forget();

    const ran = await payroll.run(payroll.write('november.csv', [atAttempt(employee(1), 2)]));

    expect(ran.exit).toBe(0);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '2' });
    expect(await service.sums('FAILED')).toEqual([`${phoneOf(1, '99001')} 1001.00`]);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('is held where the failed attempt 1 is not shown any more when it comes to the send, until a person releases it', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const failing = employee(1, { phoneNumber: phoneOf(1, '99001') });
    await enrolStaff(service, [failing, employee(1)]);
    await payroll.run(payroll.write('november.csv', [failing]));
    const first = referenceOf('november', 'paymentId', 'P001', 1);
    await payroll.store.forget();
    const file = payroll.write('november.csv', [atAttempt(employee(1), 2)]);

    const held = await payroll.run(file, {
      confirm: async () => {
        service.interfere((call) => (isLookUp(call) && call.reference === first ? showsNothing : undefined));
        return true;
      },
    });

    expect(held.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain('attempt 1');
    expect(service.payoutCalls()).toHaveLength(1);
    await payroll.decide('november', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'the bank confirms that it failed'),
      repeats: undefined,
    }));
    expect((await payroll.resume('november')).exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

describe.each(dedupeModes)(
  'What was paid elsewhere as attempt 2, attempt 1 never sent, dedupe %s',
  (dedupe) => {
    test('is found by a journal that knows nothing of it, and nobody is paid again', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      // More than are looked up further than attempt 1 before something is found.
      const rows = staff(26);
      await enrolStaff(service, rows);
      await payElsewhere(service, 'november', rows, 2);
      const payroll = openPayroll(service);
      const sent = service.payoutCalls().length;

      const ran = await payroll.run(payroll.write('november.csv', rows), patient);

      expect(ran).toMatchObject({ exit: 0, summary: { sends: 0 } });
      expect(payroll.results('november').map((row) => row['payrun_attempt'])).toEqual(rows.map(() => '2'));
      expect(service.payoutCalls()).toHaveLength(sent);
      await expectPaidOnce(service, rows);
    });
  },
);

test('A batch that is new to everybody costs few look-ups more for it', async () => {
  const service = await watchService(await startPayrollService());
  const rows = staff(60);
  await enrolStaff(service, rows);
  const payroll = openPayroll(service);

  expect((await payroll.run(payroll.write('november.csv', rows), patient)).exit).toBe(0);

  const further = rows.flatMap(({ paymentId = '' }) =>
    [2, 3, 4].map((attempt) => referenceOf('november', 'paymentId', paymentId, attempt)),
  );
  const asked = service.calls.filter((call) => isLookUp(call) && further.includes(call.reference ?? ''));
  expect(asked).toHaveLength(40);
  await expectPaidOnce(service, rows);
});

describe('An attempt that no payment comes to', () => {
  test('is a blocking problem, and nothing is asked of the service for it', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    const rows = [atAttempt(employee(1), 21), employee(2)];

    const ran = await payroll.run(payroll.write('november.csv', rows), patient);

    expect(ran).toMatchObject({ exit: 65 });
    expect(ran.problems.map(({ code }) => code)).toEqual(['attempt-too-high']);
    expect(service.calls.filter(({ reference }) => earlier(1, 21).includes(reference ?? ''))).toEqual([]);
    expect(await service.payouts()).toEqual([]);
  });

  test('of a row that is new to a batch is refused without a look-up; the highest that a file may name costs one', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, staff(3));
    expect((await payroll.run(payroll.write('november.csv', [employee(1)]))).exit).toBe(0);
    const callsBefore = service.calls.length;

    const refused = await payroll.run(
      payroll.write('november.csv', [
        atAttempt(employee(1), 1),
        atAttempt(employee(2), 1000),
        atAttempt(employee(3), 20),
      ]),
    );

    expect(refused).toMatchObject({ exit: 6, code: 'attempts' });
    const asked = service.calls.slice(callsBefore).filter(isLookUp);
    expect(asked.filter(({ reference }) => earlier(2, 1000).includes(reference ?? ''))).toEqual([]);
    expect(asked.filter(({ reference }) => earlier(3, 20).includes(reference ?? ''))).toHaveLength(1);
    await expectPaidOnce(service, [employee(1)]);
  });
});

/** The references of somebody's payment up to an attempt. */
function earlier(number: number, attempt: number): string[] {
  const key = employee(number)['paymentId'] ?? '';
  return Array.from({ length: attempt }, (_, place) => referenceOf('november', 'paymentId', key, place + 1));
}

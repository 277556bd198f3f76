import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { release } from '../../../src/decisions/release.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, hastyClock, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isAccepted, stopAfter } from '../../support/stop-run.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** A list of strangers means many reads. */
const patient = { timeoutMs: 3_000 };

describe.each(dedupeModes)('A service that ignores the reference in the list, dedupe %s', (dedupe) => {
  test('is never believed to hold nothing: an unanswered payout is called unknown and not sent again', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(20);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await service.faults('list-filter=ignored');
    // Whether the service did it or not, nobody is told: the third was done, the fourth was not.
    service.interfere((call) => {
      const place = isPayout(call) ? service.payoutCalls().indexOf(call) + 1 : 0;
      return place === 3 ? { kind: 'lose-reply' } : place === 4 ? { kind: 'lose-request' } : undefined;
    });

    const settings = { timeoutMs: 1_200 };
    const ran = await payroll.run(file, { clock: systemClock, settings });
    expect(ran.exit).toBe(4);
    const again = await payroll.run(file, { clock: systemClock, settings });
    expect(again.exit).toBe(4);
    expect(again.summary?.sends).toBe(0);

    const unknown = payroll.results('november').filter((row) => row['payrun_status'] === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(1);
    expect(unknown.length).toBeLessThanOrEqual(2);
    expect(service.payoutCalls()).toHaveLength(20);
    expect(await expectNothingTwice(service, rows)).toHaveLength(19);

    // The filter works again: what the service holds is found; about the other one a person decides.
    await service.faults('');
    const mended = await payroll.run(file);
    expect(mended.exit).toBe(4);
    expect(mended.summary?.statuses).toMatchObject({ paid: 19, unknown: 1 });
    expect(service.payoutCalls()).toHaveLength(20);
    expect(await expectNothingTwice(service, rows)).toHaveLength(19);
  });

  test('nor to have paid: where it shows no references either, last month’s payment is not this month’s', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(1);
    await enrolStaff(service, staff(2));
    await payroll.run(payroll.write('october.csv', rows));
    await payroll.store.forget();
    await service.faults('list-filter=ignored');
    service.interfere(({ path }) =>
      path.startsWith('/transactions') ? { kind: 'change', reply: withoutReferences } : undefined,
    );

    await payroll.run(payroll.write('november.csv', rows), { settings: { lookup: 'always' } });
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(await service.payouts()).toHaveLength(1);

    // Nor is it sent unseen: a payment like it was made a moment ago, and may be this one.
    const december = payroll.write('december.csv', staff(2));
    const held = await payroll.run(december, { allowRepeats: 1 });
    expect(held.exit).toBe(3);
    expect(payroll.statuses('december')).toEqual(['P001 held', 'P002 paid']);
    // The other one goes out with a warning: nobody could be asked about it.
    const warning = expect.stringContaining('what it already holds of 1 payout:');
    expect(held.events).toContainEqual({ kind: 'alarm', message: warning });
    const [october] = await service.payouts();
    expect(payroll.results('december')[0]?.['payrun_reason']).toContain(october?.transactionId);
    await payroll.decide('december', (run) => ({
      choice: { kind: 'named', ids: ['P001'] },
      rule: (payout) => release(payout, 'named', run, 'that was October'),
      repeats: undefined,
    }));
    expect((await payroll.run(december, { allowRepeats: 1 })).exit).toBe(0);
    const [, , paid] = await service.payouts();
    expect(payroll.results('december')[0]?.['payrun_transaction']).toBe(paid?.transactionId);
    expect(paid?.transactionId).not.toBe(october?.transactionId);
  });

  test('nor to hold nothing but a failure: what was sent twice is pending until the rest can be seen', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = [employee(2), employee(1, { phoneNumber: phoneOf(1, '99001') })];
    await enrolStaff(service, rows);
    let sends = 0;
    let lost: string | undefined;
    let others = '';
    service.interfere((call) => {
      if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1001) {
        lost = call.reference;
        sends += 1;
        return sends === 1 ? { kind: 'lose-request' } : undefined;
      }
      if (!isLookUp(call)) return undefined;
      // Once it was sent again, the list shows nothing but the payout of P002 any more.
      if (call.reference === lost && sends === 2) return { kind: 'change', reply: () => others };
      const keep = (text: string) => {
        if (text.includes('transactionId')) others = text;
        return text;
      };
      return { kind: 'change', reply: keep };
    });

    const ran = await payroll.run(payroll.write('november.csv', rows), { settings: { settleForMs: 1_500 } });

    expect(payroll.statuses('november')).toEqual(['P002 paid', 'P001 pending']);
    expect(ran.exit).toBe(4);

    service.interfere();
    expect((await payroll.resume('november')).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P002 paid', 'P001 failed']);
    expect(service.payoutCalls()).toHaveLength(3);
    expect(await service.sums('FAILED')).toEqual([`${phoneOf(1, '99001')} 1001.00`]);
    expect(await service.sums()).toEqual([`${phoneOf(2)} 1002.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('nor does what was paid a month ago keep anybody waiting', async () => {
    const { service, payroll, rows } = await paidAndForgotten(dedupe, (text) =>
      withoutReferences(text).replaceAll(
        /"fullTimestamp":"[^"]*"/g,
        '"fullTimestamp":"2026-01-31T08:00:00.000Z"',
      ),
    );

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
  });

  test('but what was paid four days ago does: it may be this very payment', async () => {
    const { service, payroll, rows } = await paidAndForgotten(dedupe, withoutReferences);

    const clock = hastyClock({ shiftMs: 4 * 24 * 60 * 60 * 1000 });
    expect((await payroll.run(payroll.write('november.csv', rows), { clock })).exit).toBe(3);

    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(service.payoutCalls()).toHaveLength(1);
    await expectPaidOnce(service, rows);
  });

  test('nor after the journal was restored: what it cannot be asked about is held, and nothing is sent twice', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(30);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await payroll.run(file, stopAfter(4, isAccepted));
    const copy = await payroll.store.copy();
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    await payroll.store.restore(copy);
    await service.faults('list-filter=ignored');

    const ran = await payroll.run(file, { clock: systemClock, settings: patient });

    expect(ran.summary?.sends).toBe(0);
    expect(ran.summary?.statuses.held).toBeGreaterThan(0);
    await expectPaidOnce(service, rows);
  });

  test('nor after the journal was lost', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = staff(15);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    await service.faults('list-filter=ignored');
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    await payroll.store.forget();

    const ran = await payroll.run(file, { clock: systemClock, settings: patient });

    expect(ran.summary?.sends).toBe(0);
    // Of all that the list shows, only the payout's own transaction is taken for it.
    const ownOf = new Map((await service.payouts()).map((each) => [each.reference, each.transactionId]));
    const taken = payroll.results('november').filter((row) => row['payrun_transaction']);
    expect(taken.length).toBeGreaterThan(0);
    for (const row of taken) {
      expect(row['payrun_transaction']).toBe(ownOf.get(row['payrun_reference'] ?? ''));
    }
    await expectPaidOnce(service, rows);
  });
});

function withoutReferences(text: string): string {
  return text.replaceAll(/"externalReference":"[^"]*",?/g, '');
}

/** P001 was paid in October, the journal is gone, and the service shows its transactions in its own way. */
async function paidAndForgotten(dedupe: Dedupe, shown: (text: string) => string) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = staff(1);
  await enrolStaff(service, rows);
  await payroll.run(payroll.write('october.csv', rows));
  await payroll.store.forget();
  await service.faults('list-filter=ignored');
  service.interfere(({ path }) =>
    path.startsWith('/transactions') ? { kind: 'change', reply: shown } : undefined,
  );
  return { service, payroll, rows };
}

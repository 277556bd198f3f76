import { describe, expect, test } from 'vitest';
import { firstAttemptFailed, reads, tryAgain } from '../../support/failed-attempt.ts';
import { employee } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf } from '../../support/payroll-service.ts';
import { type Interference, isPayout } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const tooMany: Interference = { kind: 'answer', status: 429, body: { success: false, message: 'slower' } };

describe.each(dedupeModes)('a second attempt, with dedupe %s', (dedupe) => {
  test.each<[string, Interference]>([
    ['whose request was lost', { kind: 'lose-request' }],
    ['that was asked to wait', tooMany],
  ])('%s is not sent again once the first has paid: that is the payment', async (_, fault) => {
    const { service, payroll, first } = await openCase(dedupe, fault);
    await tryAgain(payroll);

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(0);
    expect(resumed.summary?.paidTwice).toEqual([]);
    const after = expect.stringContaining(`attempt 1 (${first.transactionId}) is successful after all`);
    expect(resumed.events).toContainEqual({ kind: 'alarm', message: after });
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_attempt: '1',
      payrun_transaction: first.transactionId,
    });
    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.payouts()).toHaveLength(1);
  });

  test('of a corrected row is not sent again once the first has paid: it is unknown, and names the first', async () => {
    const { service, payroll, first } = await openCase(dedupe, { kind: 'lose-request' });
    const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);

    for (const ran of [await payroll.run(file), await payroll.resume('november')]) expect(ran.exit).toBe(4);

    const [row] = payroll.results('november');
    expect(row).toMatchObject({ payrun_status: 'unknown', payrun_attempt: '2' });
    expect(row?.['payrun_reason']).toContain(
      `attempt 1, sent before the row was changed, is not failed any more (${first.transactionId})`,
    );
    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.payouts()).toHaveLength(1);
  });

  test('of a corrected row that waits because the first has paid says so also when its row is taken out', async () => {
    const { service, payroll, first } = await openCase(dedupe, undefined, true);
    await payroll.run(payroll.write('november.csv', [employee(1, { amount: '1100.00' })]));
    expect(payroll.statuses('november')).toEqual(['P001 held']);

    await payroll.run(payroll.write('november.csv', [employee(2)]));

    const [row] = payroll.results('november');
    expect(row?.['payrun_status']).toBe('held');
    expect(row?.['payrun_reason']).toMatch(/^no longer in the file; .*is not failed any more/);
    expect(row?.['payrun_reason']).toContain(first.transactionId);
    expect(service.payoutCalls().map(({ reference }) => reference)).not.toContain(row?.['payrun_reference']);
  });
});

/** The second attempt's first call meets the fault; from then on, or from the start, the first attempt reads successful. */
async function openCase(dedupe: Dedupe, fault: Interference | undefined, paysAtOnce = false) {
  const opened = await firstAttemptFailed(dedupe);
  const { service, first } = opened;
  let isPaid = paysAtOnce;
  service.interfere((call) => {
    if (isPayout(call)) {
      const meets = isPaid ? undefined : fault;
      isPaid = true;
      return meets;
    }
    const isFirst = call.path.includes(first.transactionId) || call.path.includes(first.reference);
    return isFirst ? reads(isPaid ? 'SUCCESSFUL' : 'FAILED') : undefined;
  });
  return opened;
}

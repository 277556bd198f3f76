import { expect } from 'vitest';
import { retry } from '../../src/decisions/retry.ts';
import { employee, enrolStaff, openPayroll, type Payroll } from './pay-run.ts';
import { type Dedupe, startPayrollService } from './payroll-service.ts';
import { isSeeing, type Shown, showsOtherwise } from './shown-otherwise.ts';
import { type Interference, type SeenCall, watchService } from './watched-service.ts';

/** A batch november of one payment, P001: the service pays it and calls it failed, until it is told otherwise. */
export async function firstAttemptFailed(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1)]);
  service.interfere(({ path }) => (path.startsWith('/transactions') ? reads('FAILED') : undefined));
  const file = payroll.write('november.csv', [employee(1)]);
  expect((await payroll.run(file)).exit).toBe(3);
  // It takes its time to be paid, whatever it is called meanwhile.
  await expect.poll(() => service.sums()).toHaveLength(1);
  const [first] = await service.payouts();
  if (!first) throw new Error('the service holds no payout');
  return { service, payroll, file, first };
}

/** The service reads one of its transactions wrongly: what it holds is another matter. */
export function reads(status: string): Interference {
  return {
    kind: 'change',
    reply: (text) => text.replaceAll(/"(?:successful|failed|pending)"/gi, `"${status}"`),
  };
}

/** The service calls some of its transactions so, one by one and in lists. */
export function calls(statusOf: (transactionId: string, shown: Shown) => string | undefined) {
  return (call: SeenCall): Interference | undefined =>
    isSeeing(call)
      ? showsOtherwise((shown) => {
          const status = statusOf(shown.transactionId, shown);
          return status === undefined ? {} : { status, chargeStatus: status.toLowerCase() };
        })
      : undefined;
}

/** A person has the failed or returned P001 retried; a resume sends it. */
export async function tryAgain(payroll: Payroll): Promise<void> {
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => retry(payout, { name: 'november', keyKind: 'paymentId' }, run, 'once more'),
    repeats: undefined,
  }));
}

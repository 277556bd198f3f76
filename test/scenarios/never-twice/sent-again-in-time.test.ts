import { expect, test } from 'vitest';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const people = 24;

test('what was answered 429 is sent again when its wait is over, however slow the look-ups are', async () => {
  const service = await watchService(await startPayrollService('on'));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(people));
  // Few of them: many would be a limit.
  const turnedAway = [6, 13, 20];
  service.interfere((call) => {
    const late = new Promise((resolve) => setTimeout(resolve, 150));
    if (isLookUp(call)) return { kind: 'answer-later', until: late };
    if (!isPayout(call) || !turnedAway.includes(service.payoutCalls().length)) return undefined;
    return { kind: 'answer', status: 429, body: { success: false, message: 'Too many requests' } };
  });

  const ran = await payroll.run(payroll.write('november.csv', staff(people)));

  expect(ran.exit).toBe(0);
  expect(service.payoutCalls()).toHaveLength(people + turnedAway.length);
  const waits = ran.events.flatMap((event) =>
    event.kind === 'waiting' && event.why.includes('not yet found') ? [event.forMs] : [],
  );
  expect(waits.length).toBeGreaterThan(0);
  // A second or two, as long as each of them waits; and not the longest pause between look-ups.
  expect(Math.max(...waits)).toBeLessThan(8_000);
});

import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { stopAfter } from '../../support/stop-run.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const quietPeriodMs = 3_000;
const settings = { timeoutMs: 400, quietPeriodMs };
const refused: Interference = {
  kind: 'answer',
  status: 400,
  body: { success: false, message: 'Payout refused by the provider.', errorCode: 'E-API-P.S-42' },
};

describe.each(dedupeModes)('A payout that is refused after it went unanswered, dedupe %s', (dedupe) => {
  test('is not called refused while the first send may still land: it lands, and is called paid', async () => {
    const { service, payroll, rows, file, calls } = await openCaseThatLands(dedupe);

    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(calls()).toHaveLength(2);
    expect(ran.exit).toBe(0);
    expect(ran.events).not.toContainEqual(expect.objectContaining({ to: 'refused' }));
    await service.landed();
    await expectPaidOnce(service, rows);
  });

  test('is called refused after a further quiet period in which nothing landed', async () => {
    const { service, payroll, rows, file, calls } = await openCase(dedupe, { kind: 'lose-request' });

    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(ran.exit).toBe(3);
    expect(ran.summary?.statuses).toMatchObject({ paid: 7, refused: 1 });
    const [, second] = calls();
    const lookUps = service.calls.filter((call) => isLookUp(call) && call.reference === second?.reference);
    expect(lookUps.at(-1)?.atMs).toBeGreaterThanOrEqual((second?.endedMs ?? 0) + quietPeriodMs);
    expect(calls()).toHaveLength(2);
    expect(await expectNothingTwice(service, rows)).toHaveLength(7);
  });

  test('whose journal was lost in between is not called refused either while the first send may still land', async () => {
    const { service, payroll, rows, file, calls } = await openCaseThatLands(dedupe);
    const interrupted = stopAfter(1, (event) => event.kind === 'notice');
    await payroll.run(file, { clock: systemClock, settings, ...interrupted });
    expect(calls()).toHaveLength(1);
    await payroll.store.forget();

    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(calls()).toHaveLength(2);
    expect(ran.exit).toBe(0);
    expect(ran.events).not.toContainEqual(expect.objectContaining({ to: 'refused' }));
    await service.landed();
    await expectPaidOnce(service, rows);
  });
});

/** The first send lands a while after the second was refused. */
function openCaseThatLands(dedupe: Dedupe) {
  let land = () => {};
  const until = new Promise<void>((resolve) => {
    land = resolve;
  });
  return openCase(dedupe, { kind: 'wait', until }, () => void setTimeout(land, quietPeriodMs / 3));
}

/** The fourth payout: its first send meets the fault, the second is refused. */
async function openCase(dedupe: Dedupe, fault: Interference, onRefusal = () => {}) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = staff(8);
  await enrolStaff(service, rows);
  let fourth: SeenCall | undefined;
  const calls = () => service.payoutCalls().filter((call) => call.reference === fourth?.reference);
  service.interfere((call) => {
    if (isPayout(call) && service.payoutCalls().length === 4) fourth = call;
    if (!isPayout(call) || call.reference !== fourth?.reference) return undefined;
    if (calls().length === 1) return fault;
    onRefusal();
    return refused;
  });
  return { service, payroll, rows, calls, file: payroll.write('november.csv', rows) };
}

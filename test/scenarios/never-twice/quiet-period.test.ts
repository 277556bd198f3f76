import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { csvOf, enrolStaff, openPayroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { stopAfter } from '../../support/stop-run.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type SeenCall,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const quietPeriodMs = 1_500;
const settings = { timeoutMs: 600, quietPeriodMs };
/** The door sees a call a little later than the clock of its sender begins. */
const surelyTimedOutMs = settings.timeoutMs - 200;

describe.each(dedupeModes)('An unanswered payout, dedupe %s', (dedupe) => {
  test.each([
    ['whose connection dropped', { kind: 'lose-request' }, 0],
    ['that ran into the time-out', { kind: 'ignore' }, surelyTimedOutMs],
  ] as const)(
    '%s is sent again only when a look-up after the quiet period found nothing',
    async (_, fault, lastsMs) => {
      const { service, payroll, rows, file } = await openCase(dedupe);
      const lost = interfereWithFifth(service, () => fault);

      const ran = await payroll.run(file, { clock: systemClock, settings });

      expect(ran.exit).toBe(0);
      const [first, second, ...more] = sendsOf(service, lost());
      expect(more).toEqual([]);
      const quietEndMs = (first?.atMs ?? 0) + lastsMs + quietPeriodMs;
      expect(second?.atMs).toBeGreaterThanOrEqual(quietEndMs);
      const asked = service.calls.filter((call) => isLookUp(call) && call.reference === lost()?.reference);
      expect(asked.some((call) => call.atMs >= quietEndMs && call.atMs < (second?.atMs ?? 0))).toBe(true);
      await expectPaidOnce(service, rows);
    },
  );

  test('waits at least twice the time-out, however short a quiet period was asked for', async () => {
    const { service, payroll, rows, file } = await openCase(dedupe);
    const lost = interfereWithFifth(service, () => ({ kind: 'lose-request' }));

    const ran = await payroll.run(file, {
      clock: systemClock,
      settings: { timeoutMs: 700, quietPeriodMs: 1 },
    });

    expect(ran.exit).toBe(0);
    const [first, second] = sendsOf(service, lost());
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_400);
    await expectPaidOnce(service, rows);
  });

  test('of a run that was stopped waits anew from the start of the next', async () => {
    const { service, payroll, rows, file } = await openCase(dedupe);
    const lost = interfereWithFifth(service, () => ({ kind: 'lose-request' }));
    const interrupted = stopAfter(1, (event) => event.kind === 'notice');
    await payroll.run(file, { clock: systemClock, settings, ...interrupted });
    expect(sendsOf(service, lost())).toHaveLength(1);
    // Long enough for the old run's quiet period to be over.
    await systemClock.sleep(quietPeriodMs);

    const startedMs = performance.now();
    const ran = await payroll.run(file, { clock: systemClock, settings });

    expect(ran.exit).toBe(0);
    expect(sendsOf(service, lost())[1]?.atMs).toBeGreaterThanOrEqual(startedMs + quietPeriodMs);
    await expectPaidOnce(service, rows);
  });

  test('of a run that still worked while the next one read its file: the wait begins when that one is gone', async () => {
    const { service, payroll, rows, file } = await openCase(dedupe);
    const lost = interfereWithFifth(service, () => ({ kind: 'lose-request' }));
    const waiting = new Readable({ read() {} });
    const next = payroll.run(waiting, { clock: systemClock, settings, batch: 'november' });
    await systemClock.sleep(700);
    const interrupted = stopAfter(1, (event) => event.kind === 'notice');
    await payroll.run(file, { clock: systemClock, settings, ...interrupted });
    waiting.push(csvOf(rows));
    waiting.push(null);

    expect(await next).toMatchObject({ exit: 0 });
    const [first, second] = sendsOf(service, lost());
    expect((second?.atMs ?? 0) - (first?.endedMs ?? 0)).toBeGreaterThanOrEqual(quietPeriodMs);
    await expectPaidOnce(service, rows);
  });

  test('is sent again once by default, over all runs; then it waits for a person', async () => {
    const { service, payroll, rows, file } = await openCase(dedupe);
    const lost = interfereWithFifth(service, () => ({ kind: 'lose-request' }), Number.POSITIVE_INFINITY);

    for (let run = 1; run <= 2; run += 1) {
      const ran = await payroll.run(file, { clock: systemClock, settings });
      expect(ran.exit).toBe(4);
      expect(ran.summary?.statuses).toMatchObject({ paid: 9, unknown: 1 });
    }

    expect(sendsOf(service, lost())).toHaveLength(2);
    expect(await expectNothingTwice(service, rows)).toHaveLength(9);
  });
});

async function openCase(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = staff(10);
  await enrolStaff(service, rows);
  return { service, payroll, rows, file: payroll.write('november.csv', rows) };
}

/** The payout that was the fifth to be sent meets a fault, that often. Gives back how to ask which one it was. */
function interfereWithFifth(
  service: WatchedService,
  fault: () => Interference,
  times = 1,
): () => SeenCall | undefined {
  let fifth: SeenCall | undefined;
  let met = 0;
  service.interfere((call) => {
    if (!isPayout(call)) return undefined;
    if (service.payoutCalls().length === 5) fifth = call;
    if (call.reference !== fifth?.reference || met >= times) return undefined;
    met += 1;
    return fault();
  });
  return () => fifth;
}

function sendsOf(service: WatchedService, call: SeenCall | undefined): SeenCall[] {
  return service.payoutCalls().filter((each) => each.reference === call?.reference);
}

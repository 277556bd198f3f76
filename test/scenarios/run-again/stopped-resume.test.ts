import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import {
  enrolStaff,
  interruptedAfter,
  openPayroll,
  type Payroll,
  patientFlags,
  staff,
} from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import {
  type Interference,
  isLookUp,
  isPage,
  isPayout,
  type SeenCall,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const passed = 3;
const atOnce = 8;
const resume = ['resume', 'november', ...patientFlags];
const isListOfAccounts = ({ method, path }: SeenCall) =>
  method === 'GET' && path.startsWith('/external-accounts');
const isAboutTransactions = (call: SeenCall) => isPage(call) || call.path.startsWith('/transactions/');

describe('Ctrl-C while a resume waits for a service that never answers', () => {
  test.each([
    ['anything', () => true],
    ['whose account it is', ({ path }: SeenCall) => path === '/users'],
  ] as const)(
    '%s: ends at once (130) and sends nothing; run again, the rest is paid',
    async (_, isSilent) => {
      const { service, payroll, rows } = await openCase();
      const ended = await interruptedAt(service, payroll, isSilent, { kind: 'ignore' });

      expect(ended).toMatchObject({ exit: 130, stdout: '' });
      expect(ended.tookMs).toBeLessThan(3_000);
      expect(ended.stderr).toContain('Stopped before the service said whose account it is');
      expect(service.payoutCalls()).toHaveLength(passed);
      await expectRest(service, payroll, rows);
    },
  );

  test.each([
    ['which accounts there are', isListOfAccounts],
    ['what it holds of a payout', isLookUp],
    ['what became of payouts', isAboutTransactions],
  ] as const)('%s: ends in seconds (130), writes the results and says how to go on', async (_, isSilent) => {
    const { service, payroll, rows } = await openCase();
    const ended = await interruptedAt(service, payroll, isSilent, { kind: 'ignore' });

    expect(ended.exit).toBe(130);
    expect(ended.tookMs).toBeLessThan(8_000);
    expect(ended.stdout).toContain('payrun resume november');
    expect(ended.stdout).not.toContain('Stopped:');
    expect(payroll.statuses('november').filter((row) => row.endsWith(' unknown'))).toEqual([]);
    await expectRest(service, payroll, rows);
  });
});

test('Ctrl-C while payouts are being sent: each is awaited, however long it takes within its time', async () => {
  const { service, payroll, rows } = await openCase();
  const longerThanReads = systemClock.sleep(6_000);
  const ended = await interruptedAt(service, payroll, isPayout, { kind: 'wait', until: longerThanReads });

  expect(ended.exit).toBe(130);
  const begun = service.payoutCalls().length;
  expect(begun).toBeLessThanOrEqual(passed + atOnce);
  expect(payroll.statuses('november').filter((row) => row.endsWith(' pending'))).toHaveLength(begun);
  expect(await expectNothingTwice(service, rows)).toHaveLength(begun);
  await expectRest(service, payroll, rows);
});

async function openCase() {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(24);
  await enrolStaff(service, rows);
  const file = payroll.write('november.csv', rows);
  await payroll.run(file, { ...interruptedAfter(passed), settings: { concurrency: 1, settleForMs: 0 } });
  return { service, payroll, rows };
}

/** A resume that is told to stop when the first of some calls has come to the service, to all of which the same happens. */
async function interruptedAt(
  service: WatchedService,
  payroll: Payroll,
  isIt: (call: SeenCall) => boolean,
  happens: Interference,
) {
  const said = { stdout: '', stderr: '' };
  const child = await new Promise<ReturnType<typeof spawnPayrun>>((resolve) => {
    service.interfere((call) => {
      if (!isIt(call)) return undefined;
      resolve(spawned);
      return happens;
    });
    const spawned = spawnPayrun(resume, { cwd: payroll.folder, env: payroll.env });
    for (const name of ['stdout', 'stderr'] as const)
      spawned[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
  });
  const sinceMs = systemClock.monotonicMs();
  child.kill('SIGINT');
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, tookMs: systemClock.monotonicMs() - sinceMs, ...said };
}

async function expectRest(
  service: WatchedService,
  payroll: Payroll,
  rows: Parameters<typeof expectPaidOnce>[1],
): Promise<void> {
  service.interfere();
  expect(await payroll.payrun(resume)).toMatchObject({ exit: 0 });
  await expectPaidOnce(service, rows);
}

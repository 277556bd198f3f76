import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectNothingTwice, expectPaidOnce } from '../../support/paid-once.ts';
import { enrolStaff, interruptedAfter, openPayroll, type Payroll, staff } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import { isPayout, type WatchedService, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const command = ['run', 'november.csv', '--yes', '--max-total', 'KES=90000'];
const patient = [...command, '--timeout', '20s'];
const again = [...command, '--timeout', '1s', '--quiet-period', '2s'];
const passed = 5;
const atOnce = 8;

describe.each(dedupeModes)('Ctrl-C, dedupe %s', (dedupe) => {
  test('once: takes no new payouts, finishes those on their way, writes the results (130); run again, the rest is paid', async () => {
    const { service, payroll, rows } = await openCase(dedupe);
    // Those on their way when it is interrupted are let go only afterwards.
    const { reached, letGo } = keepAtDoor(service);
    await payroll.store.make();
    const run = start(payroll, patient);
    await reached;
    run.child.kill('SIGINT');
    await run.said('Stopping');
    letGo();

    expect(await run.exit).toBe(130);
    const begun = passed + atOnce;
    expect(service.payoutCalls()).toHaveLength(begun);
    const said = payroll.results('november').map((row) => row['payrun_status']);
    expect(said).toEqual([...Array(begun).fill('pending'), ...Array(rows.length - begun).fill('not_sent')]);
    expect(run.stdout()).toContain('payrun resume november');
    expect(await expectNothingTwice(service, rows)).toHaveLength(begun);

    expect(await payroll.payrun(again)).toMatchObject({ exit: 0 });
    expect(service.payoutCalls()).toHaveLength(rows.length);
    await expectPaidOnce(service, rows);
  });

  test('twice: leaves at once (130), and nothing that was on its way is paid twice', async () => {
    const { service, payroll, rows } = await openCase(dedupe);
    const { reached, letGo } = keepAtDoor(service);
    await payroll.store.make();
    const run = start(payroll, patient);
    await reached;
    run.child.kill('SIGINT');
    await run.said('Stopping');
    run.child.kill('SIGINT');

    // Nothing has let go of what it waits for: it did not wait.
    expect(await run.exit).toBe(130);
    letGo();
    await service.landed();
    expect(await expectNothingTwice(service, rows)).toHaveLength(passed + atOnce);

    expect(await payroll.payrun(again)).toMatchObject({ exit: 0 });
    expect(service.payoutCalls()).toHaveLength(rows.length);
    await expectPaidOnce(service, rows);
  });
});

test('whoever also has a time by which to end still stops at a wish to stop', async () => {
  const { service, payroll, rows } = await openCase('off');
  const inTime = new AbortController().signal;
  const ran = await payroll.run(join(payroll.folder, 'november.csv'), {
    ...interruptedAfter(3),
    until: inTime,
    settings: { concurrency: 1 },
  });
  expect(ran.exit).toBe(5);
  expect(service.payoutCalls().length).toBeLessThan(rows.length);
});

describe('Ctrl-C before the file is accepted', () => {
  test('while names are asked, and nobody answers: ends at once (130), nothing is accepted; run again, all is paid', async () => {
    const { service, payroll, rows } = await openCase('off');
    const asked = ignoreNames(service);
    await payroll.store.make();
    const run = start(payroll, [...command, '--timeout', '10m']);
    await asked;
    run.child.kill('SIGINT');

    await expect.poll(() => run.child.exitCode).toBe(130);
    await run.exit;
    expect(run.stderr()).toContain('Stopped before the file was accepted: this run sent nothing.');
    expect(run.stderr()).not.toContain('under way');
    expect(service.payoutCalls()).toEqual([]);
    expect(await payroll.payrun(['resume', 'november'])).toMatchObject({ exit: 2 });

    service.interfere();
    expect(await payroll.payrun(again)).toMatchObject({ exit: 0 });
    await expectPaidOnce(service, rows);
  });

  test.each([
    ['SIGINT', 130, '-'],
    ['SIGINT', 130, 'november.pipe'],
    ['SIGTERM', 143, 'november.pipe'],
    ['SIGINT', 130, '/dev/stdin'],
  ] as const)(
    '%s ends it at once (%i) while the file still comes through a pipe, %s, and nobody is asked for names',
    async (signal, exit, file) => {
      const { service, payroll, rows } = await openCase('off');
      await payroll.store.make();
      openPipe(join(payroll.folder, 'november.pipe'));
      const args = ['run', file, '--batch', 'november', '--yes', '--max-total', 'KES=90000', '-v'];
      const run = start(payroll, args, { under: file === 'november.pipe' ? [] : fromPipe });
      await expect.poll(() => service.calls.length).toBeGreaterThan(0);
      run.child.kill(signal);

      await expect.poll(() => run.child.exitCode).toBe(exit);
      await run.exit;
      expect(run.stderr()).toContain('Stopped before the file was accepted: this run sent nothing.');
      expect(service.calls.filter(({ path }) => path.includes('resolve'))).toEqual([]);
      expect(await payroll.payrun(again)).toMatchObject({ exit: 0 });
      await expectPaidOnce(service, rows);
    },
  );
});

/** A pipe with the beginning of a file, of which the rest does not come. */
function openPipe(path: string): void {
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  writeSync(pipe, 'paymentId,accountName\n');
}

const fromPipe = ['/bin/sh', '-c', 'exec "$0" "$@" < november.pipe'];

/** Resolves once the first name was asked. */
function ignoreNames(service: WatchedService): Promise<void> {
  return new Promise((resolve) => {
    service.interfere((call) => {
      if (!call.path.includes('resolve')) return undefined;
      resolve();
      return { kind: 'ignore' };
    });
  });
}

async function openCase(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = staff(24);
  await enrolStaff(service, rows);
  payroll.write('november.csv', rows);
  return { service, payroll, rows };
}

/** Some pass; the others wait until they are let go. Reached: all that can be on their way at once wait. */
function keepAtDoor(service: WatchedService): { reached: Promise<void>; letGo: () => void } {
  let letGo = () => {};
  let arrive = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  service.interfere((call) => {
    if (!isPayout(call) || service.payoutCalls().length <= passed) return undefined;
    if (service.payoutCalls().length === passed + atOnce) arrive();
    return { kind: 'wait', until };
  });
  return { reached, letGo: () => letGo() };
}

function start(
  payroll: Payroll,
  args: readonly string[],
  { under = [] }: { under?: readonly string[] } = {},
) {
  const child = spawnPayrun(args, { cwd: payroll.folder, env: payroll.env, under });
  child.stdin.end();
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    said: async (words: string) => {
      while (!stderr.includes(words)) await once(child.stderr, 'data');
    },
    exit: once(child, 'close').then(([exit]) => exit as number | null),
  };
}

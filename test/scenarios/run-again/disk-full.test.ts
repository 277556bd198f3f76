import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { makeWorkspace } from '../../../src/workspace.ts';
import { expectNothingTwice, expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { isAccepted } from '../../support/stop-run.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

/** Only root may mount a small disk; elsewhere this promise is skipped, by name. */
const mayMount = tryMount();

describe.skipIf(!mayMount).each(dedupeModes)('A disk that is full, dedupe %s', (dedupe) => {
  test('in mid-run: no payout leaves whose intent is not on disk (74); with room again, the rest is paid', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const disk = mountOver(payroll);
    const rows = staff(60);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    let accepted = 0;

    const full = await payroll.run(file, {
      clock: systemClock,
      onEvent: (event) => {
        if (!isAccepted(event)) return;
        accepted += 1;
        if (accepted === 10) disk.fill();
      },
    });

    expect(full.exit).toBe(74);
    expect(full.code).toBe('journal-write-failed');
    expect(service.payoutCalls().length).toBeLessThan(60);
    disk.empty();
    const intents = await payroll.ask((db) =>
      db.prepare<[], string>('SELECT reference FROM sends').pluck().all(),
    );
    for (const { reference } of service.payoutCalls()) expect(intents).toContain(reference);
    expect((await expectNothingTwice(service, rows)).length).toBeLessThanOrEqual(intents.length);

    const room = await payroll.run(file, { clock: systemClock });
    expect(room.exit).toBe(0);
    await expectResultsAgree(service, payroll.results('november'));
    await expectPaidOnce(service, rows);
  });

  test.each([
    ['and no journal yet', false],
    ['and a journal that knows an earlier batch', true],
  ])(
    'from the start, %s: nothing is sent (73); with room again, every row is paid',
    async (_, hasJournal) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const disk = mountOver(payroll);
      const earlier = hasJournal ? [employee(101)] : [];
      const rows = staff(12);
      await enrolStaff(service, [...earlier, ...rows]);
      if (hasJournal)
        expect(await payroll.run(payroll.write('october.csv', earlier))).toMatchObject({ exit: 0 });
      payroll.write('november.csv', rows);
      const command = ['run', 'november.csv', '--yes', '--max-total', 'KES=90000'];
      disk.fill();

      const full = await payroll.payrun(command);
      expect(full.stderr).toContain('Nothing was sent');
      expect(full.exit).toBe(73);
      expect(service.payoutCalls()).toHaveLength(earlier.length);

      disk.empty();
      const room = await payroll.payrun(command);
      expect(room.exit).toBe(0);
      await expectPaidOnce(service, [...earlier, ...rows]);
    },
  );

  test('while names are asked: nothing is accepted, nothing is sent (73)', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const disk = mountOver(payroll);
    const rows = staff(12);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);

    const full = await payroll.run(file, {
      settings: { concurrency: 1 },
      onEvent: (event) => {
        if (event.kind === 'stage' && event.stage === 'names' && event.done === 1) disk.fill();
      },
    });
    expect(full).toMatchObject({ exit: 73, code: 'journal-not-writable' });
    expect(service.payoutCalls()).toEqual([]);

    disk.empty();
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    await expectPaidOnce(service, rows);
  });

  test('while a person was reading the plan: nothing is accepted, nothing is sent (73)', async () => {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const disk = mountOver(payroll);
    const rows = staff(12);
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    const confirm = async () => {
      disk.fill();
      return true;
    };

    const full = await payroll.run(file, { confirm });
    expect(full.exit).toBe(73);
    expect(service.payoutCalls()).toEqual([]);

    disk.empty();
    expect(await payroll.ask((db) => db.prepare('SELECT * FROM payouts').all())).toEqual([]);
    expect(await payroll.run(file)).toMatchObject({ exit: 0 });
    await expectPaidOnce(service, rows);
  });
});

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-mount-'));
  const mounted = mount(folder, '64k');
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return mounted;
}

function mount(folder: string, size: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder]).status === 0;
}

/** Puts a small disk where the workspace is. */
function mountOver({ workspace }: Payroll): { fill(): void; empty(): void } {
  mkdirSync(workspace, { recursive: true });
  if (!mount(workspace, '8m')) throw new Error(`no disk could be mounted at ${workspace}`);
  onTestFinished(() => void spawnSync('umount', ['-l', workspace]));
  makeWorkspace(workspace);
  const filler = join(workspace, 'filler');
  return {
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
  };
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

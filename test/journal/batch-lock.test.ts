import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { lockBatch } from '../../src/journal/batch-lock.ts';
import { fakeClock } from '../support/fake-clock.ts';

const compiled = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

/** Another process: takes the lock, says so, and lets it go after a while. */
const other = `
  const [folder, batch, holdMs] = process.argv.slice(1);
  const { lockBatch } = await import('${compiled('journal/batch-lock.js')}');
  const { systemClock } = await import('${compiled('clock.js')}');
  try {
    const lock = await lockBatch(folder, batch, systemClock);
    console.log('held');
    await systemClock.sleep(Number(holdMs));
    lock.release();
    await systemClock.sleep(60_000);
  } catch (error) {
    console.log(error.code + ' ' + error.exit);
  }
`;

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-lock-'));
  mkdirSync(join(folder, 'locks'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function otherProcess(
  folder: string,
  batch: string,
  holdMs: number,
): Promise<{ child: ChildProcessWithoutNullStreams; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', other, folder, batch, String(holdMs)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

describe('the lock of a batch', () => {
  test('a second process gets 75 at once, another batch is free, and kill -9 frees the first', async () => {
    const folder = workspace();
    const { child, said } = await otherProcess(folder, 'payroll', 60_000);
    expect(said).toBe('held');
    await expect(lockBatch(folder, 'payroll', systemClock)).rejects.toMatchObject({
      code: 'batch-locked',
      exit: 75,
    });
    (await lockBatch(folder, 'vendors', systemClock)).release();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockBatch(folder, 'payroll', systemClock);
    expect((await otherProcess(folder, 'payroll', 0)).said).toBe('batch-locked 75');
    lock.release();
    expect((await otherProcess(folder, 'payroll', 0)).said).toBe('held');
  });

  test('a second asker in the same process is refused, and does not free it for others', async () => {
    const folder = workspace();
    const lock = await lockBatch(folder, 'payroll', systemClock);
    await expect(lockBatch(folder, 'payroll', systemClock)).rejects.toMatchObject({ exit: 75 });
    expect((await otherProcess(folder, 'payroll', 0)).said).toBe('batch-locked 75');
    lock.release();
  });

  test('a decision waits until the run lets go', async () => {
    const folder = workspace();
    expect((await otherProcess(folder, 'payroll', 600)).said).toBe('held');
    const lock = await lockBatch(folder, 'payroll', systemClock, 10_000);
    lock.release();
  });

  test('a decision waits thirty seconds and no longer', async () => {
    const folder = workspace();
    const lock = await lockBatch(folder, 'payroll', systemClock);
    const clock = fakeClock({ sleepsPass: true });
    await expect(lockBatch(folder, 'payroll', clock, 30_000)).rejects.toMatchObject({ exit: 75 });
    expect(clock.monotonicMs()).toBe(30_000);
    lock.release();
  });

  test('the file is private and stays when the lock is let go: a second one would be a second lock', async () => {
    const folder = workspace();
    const lock = await lockBatch(folder, 'payroll', systemClock);
    const [name] = readdirSync(join(folder, 'locks'));
    const path = join(folder, 'locks', name ?? '');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    lock.release();
    expect(existsSync(path)).toBe(true);
    rmSync(path);
    symlinkSync('/etc/hostname', path);
    await expect(lockBatch(folder, 'payroll', systemClock)).rejects.toMatchObject({ exit: 73 });
  });
});

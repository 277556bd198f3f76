import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isOwnSandbox, isPaidAt, sandboxMark } from '../../../src/cli/setup/own-sandbox.ts';
import { publicKeyMark } from '../../../src/domain/environment/public-key-mark.ts';
import { employee, enrolStaff, openPayroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { runHere } from '../../support/run-here.ts';

/** What `payrun sandbox` has people export, read as a shell reads it. */
async function exported(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const interrupts = process.listeners('SIGINT');
  const words = ['sandbox', '--port', '0', '--memory', '--workspace', folder];
  const { stdout, exit } = await runHere(words, {
    onStdout: () => {
      for (const listener of process.listeners('SIGINT'))
        if (!interrupts.includes(listener)) listener('SIGINT');
    },
  });
  expect(exit).toBe(0);
  return Object.fromEntries(
    [...stdout.matchAll(/^ {2}export (\w+)=(?:'(.*)'|(.*))$/gm)].map(([, name = '', quoted, plain]) => [
      name,
      quoted ?? plain ?? '',
    ]),
  );
}

describe('payrun sandbox', () => {
  test('prints the lines that point payrun at it', async () => {
    const env = await exported();
    expect(env).toEqual({
      PAYRUN_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      PAYRUN_PUBLIC_KEY: expect.stringMatching(/^pk_sandbox_/),
      PAYRUN_API_KEY: expect.stringMatching(/^sk_sandbox_/),
      PAYRUN_WORKSPACE: expect.stringContaining('payrun sandbox-'),
      PAYRUN_SANDBOX_MARK: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { PAYRUN_BASE_URL: baseUrl = '', PAYRUN_PUBLIC_KEY: publicKey = '' } = env;
    expect(isOwnSandbox({ baseUrl, publicKey }, env['PAYRUN_SANDBOX_MARK'])).toBe(true);
  });
});

describe('the word on the first line', () => {
  test('is SANDBOX at a sandbox of ours, and all that a live service is asked for is still asked for', async () => {
    const service = await startPayrollService();
    const payroll = openPayroll(service);
    const rows = [employee(1)];
    await enrolStaff(service, rows);
    payroll.write('november.csv', rows);
    const mark = sandboxMark({ baseUrl: service.url, publicKey: service.publicKey }) ?? '';
    const env = { ...payroll.env, PAYRUN_SANDBOX_MARK: mark };
    const file = join(payroll.folder, 'november.csv');

    const unlimited = await runHere(['run', file, '--yes'], { env });
    expect(unlimited.stderr).toMatch(/^SANDBOX\n/);
    expect(unlimited.exit).toBe(6);
    expect(await service.payouts()).toEqual([]);
    const limited = await runHere(['run', file, '--yes', '--max-total', 'KES=2000'], { env });
    expect(limited.stderr).toMatch(/^SANDBOX\n/);
    expect(limited.exit, limited.stderr).toBe(0);
    expect((await runHere(['status'], { env })).stdout).toMatch(/^SANDBOX\n/);
    const reported = async (environment: Record<string, string>) => {
      const { stdout } = await runHere(['report', 'november'], { env: environment });
      return readFileSync(stdout.trim(), 'utf8');
    };
    expect(await reported(env)).toMatch(/SANDBOX<small>no real money moved/);

    for (const other of [
      { PAYRUN_SANDBOX_MARK: '' },
      { PAYRUN_SANDBOX_MARK: 'yes' },
      { PAYRUN_PUBLIC_KEY: 'pk_live_1234567890' },
      { PAYRUN_BASE_URL: 'http://127.0.0.1:9' },
    ]) {
      const { stdout } = await runHere(['status'], { env: { ...env, ...other } });
      expect(stdout, JSON.stringify(other)).toMatch(/^LIVE\n/);
      // What payrun itself goes by is the place, before and now: the report takes the place of the one before.
      expect(await reported({ ...env, ...other })).toMatch(/LIVE<small>real money/);
    }
  });

  test('is never that of a batch that was paid elsewhere, or under another key', () => {
    const access = { baseUrl: 'http://127.0.0.1:8484', publicKey: 'pk_sandbox_1234567890' };
    const here = {
      place: 'http://127.0.0.1:8484/api/b2b',
      email: '',
      profileKey: '',
      configuredKey: publicKeyMark(access.publicKey),
    };
    expect(isPaidAt(access, here)).toBe(true);
    for (const place of ['https://api.example.com/api/b2b', 'http://127.0.0.1:8485/api/b2b', 'sandbox', ''])
      expect(isPaidAt(access, { ...here, place }), place).toBe(false);
    expect(isPaidAt(access, { ...here, configuredKey: publicKeyMark('pk_live_1234567890') })).toBe(false);
    expect(isPaidAt(access, { ...here, configuredKey: undefined })).toBe(false);
  });

  test('is never SANDBOX for another machine, whatever mark is given', () => {
    for (const baseUrl of [
      'https://api.example.com',
      'http://127.0.0.1.example.com',
      'https://127.0.0.1@api.example.com',
      'https://localhost.example.com',
      'http://0.0.0.0:8484',
    ]) {
      const publicKey = 'pk_sandbox_1234567890';
      const named = JSON.stringify(['payrun sandbox', baseUrl, publicKey]);
      const forged = createHash('sha256').update(named).digest('hex').slice(0, 32);
      expect(isOwnSandbox({ baseUrl, publicKey }, forged), baseUrl).toBe(false);
    }
    expect(isOwnSandbox({ baseUrl: '', publicKey: '' }, undefined)).toBe(false);
    expect(isOwnSandbox({ baseUrl: 'http://127.0.0.1:8484', publicKey: '' }, '')).toBe(false);
  });
});

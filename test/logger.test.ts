import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { PayrunError } from '../src/errors.ts';
import { openLog } from '../src/logger.ts';

/** Only root may mount a small disk; elsewhere this promise is skipped, by name. */
const folder = mkdtempSync(join(tmpdir(), 'payrun-log-'));
const mayMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]).status === 0;

afterAll(() => {
  if (mayMount) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!mayMount)('A log on a disk that is full', () => {
  test('drops its lines, and neither stops a run nor hides what did', () => {
    const path = join(folder, 'payrun.log');
    const log = openLog(path, { command: 'run' });
    const fillDisk = () => {
      for (let line = 0; line < 200; line += 1) log.onEvent({ kind: 'notice', message: 'x'.repeat(100) });
      log.end({ exit: 0 });
      log.close();
    };
    expect(fillDisk).not.toThrow();
    expect(statSync(path).size).toBeLessThanOrEqual(8192);
  });
});

test('A log says how a run ended that came to no end of its own', () => {
  const own = mkdtempSync(join(tmpdir(), 'payrun-log-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  const path = join(own, 'payrun.log');
  const log = openLog(path, { command: 'resume' });
  const why = 'The API key is refused, says +254712000101.';
  log.failed(new PayrunError('credentials-refused', why), { batch: 'november' });
  log.failed(new TypeError('x is not a function, of sk_live_secret'));
  log.close();
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'begin' },
    {
      kind: 'end',
      command: 'resume',
      batch: 'november',
      exit: 77,
      code: 'credentials-refused',
      message: 'The API key is refused, says …0101.',
    },
    { kind: 'end', exit: 1, code: 'unexpected' },
  ]);
  expect(lines.join()).not.toContain('secret');
});

test('A log shows the last four digits of a payment that is numbered by its account', () => {
  const own = mkdtempSync(join(tmpdir(), 'payrun-log-'));
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  const path = join(own, 'payrun.log');
  const log = openLog(path, { command: 'run' });
  log.onEvent({
    kind: 'moved',
    key: '+254712000101',
    from: 'ready',
    to: 'held',
    currency: 'KES',
    amount: '10.00',
    code: '',
    reason: '0123456789012 again',
  });
  log.onEvent({ kind: 'alarm', message: 'payment 254712000101: transaction TX254712000101 is late' });
  log.close();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"key":"…0101"');
  expect(text).toContain('payment …0101: transaction TX254712000101');
  expect(text).not.toMatch(/(?<![\w-])\+?\d{9}/);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
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

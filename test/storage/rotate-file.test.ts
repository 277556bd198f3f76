import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rotateFile } from '../../src/storage/rotate-file.ts';

const bounds = { mostBytes: 10, mostAgeMs: 1000, kept: 2 };

test('a file that is too large or too old makes room, and the oldest goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-rotate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'payrun.log');
  rotateFile(path, bounds, Date.now());
  writeFileSync(path, 'small');
  rotateFile(path, bounds, Date.now());
  expect(readdirSync(folder)).toEqual(['payrun.log']);
  for (const text of ['first, and long', 'second, and long', 'third, and long']) {
    writeFileSync(path, text);
    rotateFile(path, bounds, Date.now());
  }
  expect(readdirSync(folder).sort()).toEqual(['payrun.log.1', 'payrun.log.2']);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('third, and long');
  writeFileSync(path, 'old');
  rotateFile(path, bounds, Date.now() + 5000);
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('old');
});

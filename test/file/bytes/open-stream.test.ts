import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openStream } from '../../../src/file/bytes/open-stream.ts';

const pieceBytes = 64 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'payrun-stream-'));

function namedPipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

test('a pipe whose writer comes later, and stops on the way, gives the same bytes as the file', async () => {
  const bytes = randomBytes(1_000_000);
  const file = join(folder, 'file');
  writeFileSync(file, bytes);
  const pipe = namedPipe('slow');
  const sending = `sleep 0.3; { head -c 400000 ${file}; sleep 0.3; tail -c +400001 ${file}; } > ${pipe}`;
  spawn('/bin/sh', ['-c', sending]);
  expect((await buffer(await openStream(pipe, pieceBytes))).equals(bytes)).toBe(true);
  expect((await buffer(await openStream(file, pieceBytes))).equals(bytes)).toBe(true);
});

test('a pipe that nobody writes into, or whose writer says nothing, keeps no process', async () => {
  const silent = namedPipe('silent');
  const writer = spawn('/bin/sh', ['-c', `exec sleep 60 > ${silent}`]);
  onTestFinished(() => void writer.kill());
  for (const path of [namedPipe('nobody'), silent]) {
    const module = new URL('../../../dist/file/bytes/open-stream.js', import.meta.url);
    const reading = `const { openStream } = await import('${module}'); const stream = await openStream('${path}', 1024); stream.resume(); setTimeout(() => stream.destroy(), 300);`;
    const reader = spawn(process.execPath, ['--input-type=module', '-e', reading]);
    onTestFinished(() => void reader.kill('SIGKILL'));
    await expect.poll(() => reader.exitCode, { timeout: 5_000 }).toBe(0);
  }
});

test('what is neither a pipe nor a terminal is read as a file', async () => {
  expect(await buffer(await openStream('/dev/null', pieceBytes))).toHaveLength(0);
});

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exitCode } from '../../src/exit-codes.ts';

const source = new URL('../../src/cli/until-over.ts', import.meta.url).href;

function ended(work: string): { status: number | null; stderr: string } {
  const program = `import { untilOver } from '${source}'; untilOver(${work});`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
}

test('work that can never be over, since nobody is left to answer, has not gone well', () => {
  const { status, stderr } = ended('new Promise(() => {})');
  expect(status).toBe(exitCode.unexpected);
  expect(stderr).toBe('payrun: stopped before its work was over; payrun status shows how far it came\n');
});

test('work that is over ends as it says itself', () => {
  expect(ended('Promise.resolve()')).toMatchObject({ status: exitCode.ok, stderr: '' });
  const held = ended(`Promise.resolve().then(() => { process.exitCode = ${exitCode.someNotPaid}; })`);
  expect(held).toMatchObject({ status: exitCode.someNotPaid, stderr: '' });
});

test('work that throws ends with what it threw', () => {
  const { status, stderr } = ended(`Promise.reject(new Error('the disk is gone'))`);
  expect(status).toBe(exitCode.unexpected);
  expect(stderr).toContain('the disk is gone');
  expect(stderr).not.toContain('payrun status');
});

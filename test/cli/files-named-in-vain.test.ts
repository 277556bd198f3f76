import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runPayrun } from '../support/run-payrun.ts';

const file = join(process.cwd(), 'samples/payroll.csv');
const balance = ['service', 'balance'];
const service = { PAYRUN_BASE_URL: 'http://127.0.0.1:9', PAYRUN_PUBLIC_KEY: 'pk' };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'payrun-vain-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  writeFileSync(join(path, 'a-file'), '');
  return path;
}

describe('A file that is not there is told in plain words', () => {
  test.each([
    ['a plan', ['run', '--plan', 'no.json'], {}],
    ['a configuration', ['validate', file, '--config', 'no.json'], {}],
    ['a plan to approve', ['approve', 'no.json', '--key', 'no.pem'], {}],
    ['a key', balance, { ...service, PAYRUN_API_KEY_FILE: 'no.json' }],
    ['certificates', balance, { ...service, PAYRUN_API_KEY: 'sk', PAYRUN_CA_FILE: 'no.json' }],
  ])('%s', async (_, words, env) => {
    const { stderr, exit } = await runPayrun(words, { cwd: folder(), env });
    expect(exit).not.toBe(0);
    expect(stderr).toContain('there is no file no.json');
    expect(stderr).not.toContain('ENOENT');
  });

  test('and so is a folder in its place', async () => {
    const { stderr } = await runPayrun(['run', '--plan', '.'], { cwd: folder() });
    expect(stderr).toContain('. is a folder, not a file');
  });
});

test('a workspace that is a file is told in plain words', async () => {
  const { exit, stderr } = await runPayrun(['init', '--workspace', 'a-file'], { cwd: folder() });
  expect(exit).toBe(73);
  expect(stderr).toContain('a-file cannot be made or used: it is a file, not a folder.');
});

test('a new key that finds no folder is told in plain words', async () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'passphrase'), 'four plain words\n', { mode: 0o600 });
  const { exit, stderr } = await runPayrun(
    ['keys', 'new', '--out', 'none/key.pem', '--passphrase-file', 'passphrase'],
    { cwd },
  );
  expect(exit).not.toBe(0);
  expect(stderr).toContain('--out cannot write none/key.pem: the folder none does not exist.');
});

test('a new key that finds a file in its place is refused before a passphrase is asked for', async () => {
  const { exit, stderr } = await runPayrun(['keys', 'new', '--out', 'a-file', '--passphrase-file', 'none'], {
    cwd: folder(),
  });
  expect(exit).not.toBe(0);
  expect(stderr).toContain('--out cannot write a-file: it is already there; choose another name.');
});

test('a workspace that is a file is told in plain words also by what only reads one', async () => {
  const { exit, stderr } = await runPayrun(['status', '--workspace', 'a-file'], { cwd: folder() });
  expect(exit).toBe(73);
  expect(stderr).toContain('a-file cannot be made or used: it is a file, not a folder.');
});

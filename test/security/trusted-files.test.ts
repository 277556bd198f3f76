import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkConfig } from '../../src/config.ts';
import { readConfig } from '../../src/config-file.ts';
import { readTrustedFile, whoElseWrites } from '../../src/storage/trusted-file.ts';
import { makeWorkspace } from '../../src/workspace.ts';

describe('a file that steers money or holds a secret', () => {
  test('is read where it is the user’s own or the system’s', () => {
    const path = join(folderOf({ 'key.txt': 'sk_1\n' }), 'key.txt');
    for (const mode of [0o400, 0o600, 0o644, 0o664]) {
      chmodSync(path, mode);
      expect(readTrustedFile(path, 100), mode.toString(8)).toBe('sk_1\n');
    }
    expect(whoElseWrites({ uid: 1000, mode: 0o100644 }, 1000)).toBeUndefined();
    expect(whoElseWrites({ uid: 0, mode: 0o100644 }, 1000)).toBeUndefined();
    expect(whoElseWrites({ uid: 1000, mode: 0o100644 }, 0)).toBeUndefined();
  });

  test('is refused where it is somebody else’s, or everybody may write it', () => {
    expect(whoElseWrites({ uid: 1001, mode: 0o100600 }, 1000)).toContain('belongs to another user');
    expect(whoElseWrites({ uid: 1001, mode: 0o100666 }, 0)).toContain('every user');
    const path = join(folderOf({ 'key.txt': 'sk_1' }), 'key.txt');
    chmodSync(path, 0o646);
    expect(() => readTrustedFile(path, 100)).toThrow(/every user/);
  });

  test('is small: one without end is not read to its end', () => {
    const path = join(folderOf({ 'key.txt': 'x'.repeat(101) }), 'key.txt');
    expect(() => readTrustedFile(path, 100)).toThrow(/larger than 100 bytes/);
    expect(readTrustedFile(path, 101)).toHaveLength(101);
    expect(() => readTrustedFile('/dev/zero', 100)).toThrow(/every user|larger/);
  });

  test('as configuration sends nobody’s key elsewhere', () => {
    const workspace = folderOf({ 'payrun.config.json': '{"baseUrl":"https://elsewhere.example"}' });
    const path = join(workspace, 'payrun.config.json');
    expect(checkConfig(readConfig(undefined, workspace)).baseUrl).toBe('https://elsewhere.example');
    chmodSync(path, 0o666);
    const refused = expect.objectContaining({ code: 'config-invalid', exit: 78 });
    expect(() => readConfig(undefined, workspace)).toThrow(refused);
    expect(() => readConfig(path, undefined)).toThrow(refused);
  });
});

describe('a folder that is there already', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['is empty', {}],
    ['is the root of a disk of its own', { 'lost+found': '' }],
    ['holds what an editor left', { '.DS_Store': '' }],
    ['was given its configuration beforehand', { 'payrun.config.json': '{}', 'README.txt': '' }],
    ['has the journal of the sandbox alone', { 'journal-sandbox.db': '', 'notes.txt': '' }],
  ])('becomes the workspace, and private, where it %s', (_, files) => {
    const folder = folderOf(files);
    chmodSync(folder, 0o755);
    makeWorkspace(folder);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(join(folder, 'locks'))).toBe(0o700);
  });

  test('is left as it is where it holds other things', () => {
    const folder = folderOf({ 'payroll.csv': '' });
    chmodSync(folder, 0o755);
    expect(() => makeWorkspace(folder)).toThrow(/other things in it/);
    expect(modeOf(folder)).toBe(0o755);
    expect(readdirSync(folder)).toEqual(['payroll.csv']);
  });

  test('is left as it is where many users share it', () => {
    const folder = folderOf({});
    chmodSync(folder, 0o1777);
    expect(() => makeWorkspace(folder)).toThrow(/many users share/);
    expect(modeOf(folder)).toBe(0o1777);
    mkdirSync(join(folder, 'locks'));
    expect(() => makeWorkspace(folder)).toThrow(/many users share/);
  });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'payrun-trusted-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o7777;
}

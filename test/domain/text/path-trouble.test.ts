import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathTrouble, readTrouble } from '../../../src/domain/text/path-trouble.ts';

test('what the system says of a path is said in plain words, without the file that only we know', () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), '');
  const told = (place: string) => {
    try {
      return writeFileSync(join(place, '.temporary'), '');
    } catch (error) {
      return pathTrouble(error, place);
    }
  };
  expect(told(join(folder, 'missing'))).toBe(`the folder ${folder}/missing does not exist`);
  expect(told(join(folder, 'file'))).toBe(`${folder}/file is not a folder`);
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  expect(pathTrouble(denied, '/etc')).toBe('the folder /etc cannot be written');
});

const here = import.meta.filename;

test.each([
  ['ENOENT', `${here}.json`, `there is no file ${here}.json`],
  ['ENOTDIR', `${here}/plan.json`, `there is no file ${here}/plan.json`],
  ['EISDIR', tmpdir(), `${tmpdir()} is a folder, not a file`],
])('why a file could not be read is said in plain words: %s', (code, path, words) => {
  const read = () => readFileSync(path);
  expect(read).toThrow(code);
  expect(troubleOf(read, path)).toBe(words);
});

test.each([
  ['EACCES', 'plan.json may not be read by this user'],
  ['EIO', 'plan.json could not be read (EIO)'],
])('%s, which a test cannot bring about', (code, words) => {
  expect(readTrouble(Object.assign(new Error(`${code}: open`), { code }), 'plan.json')).toBe(words);
  expect(readTrouble(new Error('no code'), 'plan.json')).toBe('plan.json could not be read');
});

function troubleOf(read: () => unknown, path: string): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return readTrouble(error, path);
  }
}

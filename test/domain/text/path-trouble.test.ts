import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathTrouble } from '../../../src/domain/text/path-trouble.ts';

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

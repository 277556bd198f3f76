import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { untilFree } from '../../src/storage/until-free.ts';

function refusing(times: number, code: string) {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries <= times) throw new Database.SqliteError('refused', code);
    return tries;
  };
}

test('who is refused because another has the file tries again, and is told so in the end', () => {
  expect(untilFree(refusing(3, 'SQLITE_BUSY'), 60_000)).toBe(4);
  expect(untilFree(refusing(1, 'SQLITE_BUSY_RECOVERY'), 60_000)).toBe(2);
  expect(() => untilFree(refusing(Number.POSITIVE_INFINITY, 'SQLITE_BUSY'), 100)).toThrow('refused');
});

test('what is wrong otherwise is not tried again', () => {
  expect(() => untilFree(refusing(1, 'SQLITE_CORRUPT'), 60_000)).toThrow('refused');
});

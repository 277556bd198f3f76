import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placeOf, readSharedUrl, schemaOf } from '../../../src/journal/shared/shared-url.ts';

describe('PAYRUN_JOURNAL_URL', () => {
  test('says where, as whom and in which schema', () => {
    const access = readSharedUrl('postgres://clerk:s%2Fecret@127.0.0.1:5433/pay%20roll?schema=kenya');
    expect(access).toEqual({
      host: '127.0.0.1',
      port: 5433,
      database: 'pay roll',
      schema: 'kenya',
      user: 'clerk',
      password: 's/ecret',
      ssl: false,
    });
    expect([schemaOf(access, 'live'), schemaOf(access, 'test'), schemaOf(access, 'sandbox')]).toEqual([
      'kenya',
      'kenya_test',
      'kenya_sandbox',
    ]);
    expect(placeOf(access, 'kenya')).toBe('postgres://127.0.0.1:5433/pay roll (schema kenya)');
  });

  test('with a password that is not encoded is refused, and nothing of it is shown', () => {
    for (const url of [
      'postgres://clerk:p@qq/zzyzx@127.0.0.1:5433/payrun',
      'postgres://clerk:p%40qq@127.0.0.1/zzyzx/payrun',
    ]) {
      expect(() => readSharedUrl(url)).toThrow(/is written with %40/);
      expect(() => readSharedUrl(url)).not.toThrow(/qq|zzyzx/);
    }
  });

  test('without port and schema takes the usual ones', () => {
    expect(readSharedUrl('postgresql://localhost/payrun')).toMatchObject({ port: 5432, schema: 'payrun' });
  });

  test('of another machine means TLS with its name and its authority; of this one need not', () => {
    expect(readSharedUrl('postgres://db.example/payrun').ssl).toEqual({ rejectUnauthorized: true });
    expect(readSharedUrl('postgres://[::1]/payrun')).toMatchObject({ host: '::1', ssl: false });
    expect(readSharedUrl('postgres://x/payrun?host=/run/postgresql')).toMatchObject({
      host: '/run/postgresql',
      ssl: false,
    });
    expect(readSharedUrl('postgres://127.0.0.1/payrun?sslmode=verify-full').ssl).toEqual({
      rejectUnauthorized: true,
    });
    const file = join(tmpdir(), 'payrun-authority.pem');
    writeFileSync(file, 'PEM');
    expect(readSharedUrl(`postgres://db.example/payrun?sslrootcert=${file}`).ssl).toEqual({
      rejectUnauthorized: true,
      ca: 'PEM',
    });
  });

  test.each([
    ['mysql://db/payrun', 'does not begin with postgres'],
    ['not a url', 'cannot be read'],
    ['postgres://db.example', 'names no database'],
    ['postgres:///payrun', 'names no host'],
    ['postgres://db.example/payrun?sslmode=require', 'only verify-full'],
    ['postgres://db.example/payrun?sslmode=disable', 'only verify-full'],
    ['postgres://db.example/payrun?sslrootcert=/nowhere.pem', 'sslrootcert cannot be read'],
    ['postgres://db.example/payrun?options=-c%20fsync%3Doff', 'the parameter options'],
  ])('%s is refused, and the password is not said', (url, why) => {
    const given = url.replace('://db', '://clerk:hunter2@db');
    expect(() => readSharedUrl(given)).toThrow(
      expect.objectContaining({ exit: 78, message: expect.stringContaining(why) }),
    );
    expect(() => readSharedUrl(given)).not.toThrow('hunter2');
  });
});

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPostgres } from '../support/postgres.ts';

const programs = findPostgres();

test.skipIf(programs === undefined)(
  'Postgres is found: without initdb, pg_ctl and postgres all scenarios over it are skipped',
  () => {
    const version = execFileSync(join(programs ?? '', 'postgres'), ['--version'], { encoding: 'utf8' });
    expect(Number(/\d+/.exec(version)?.[0])).toBeGreaterThanOrEqual(13);
  },
);

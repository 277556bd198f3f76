import { test } from 'vitest';

test.skip('all scenarios over a journal in Postgres (skipped where initdb, pg_ctl and postgres are not found)', () => {});

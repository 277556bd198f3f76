import { findPostgres, startPostgres } from './postgres.ts';

/** One cluster for all tests of a run; each has schemas of its own in it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const programs = findPostgres();
  if (programs === undefined) return undefined;
  const cluster = await startPostgres(programs);
  process.env['PAYRUN_TEST_POSTGRES'] = cluster.url;
  return cluster.remove;
}

import { createHash } from 'node:crypto';
import { seedOfRun } from './sampled-scenarios.ts';

/** One in so many, the same all through a run of the tests, and again by PAYRUN_TEST_SEED. */
export function isDrawn(name: string, oneIn: number): boolean {
  return createHash('sha256').update(`${seedOfRun()} ${name}`).digest().readUInt32BE() % oneIn === 0;
}

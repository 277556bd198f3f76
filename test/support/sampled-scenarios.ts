import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededChance } from './chance.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Of the scenarios, so many are held against a journal in Postgres as well each time. */
const sampledShare = 1 / 6;

/**
 * All scenarios run with the journal in a file each time. With one in Postgres a part of them does, drawn anew each time, so
 * that the whole check stays short: PAYRUN_TEST_SEED draws the same again, PAYRUN_TEST_WHOLE=1 takes all of them.
 */
export function sampledScenarios(seed: number, share = sampledShare): readonly string[] {
  const all = scenarioFiles();
  const chance = seededChance(seed);
  const drawn = all.map((file) => ({ file, place: chance() })).sort((one, other) => one.place - other.place);
  return drawn.slice(0, Math.ceil(all.length * share)).map(({ file }) => file);
}

export function scenarioFiles(): readonly string[] {
  return readdirSync(join(project, 'test/scenarios'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)))
    .sort();
}

/** Drawn once for a run of the tests; its projects and what reports of them agree. */
export function seedOfRun(): number {
  process.env['PAYRUN_TEST_SEED'] ??= String(Math.floor(Math.random() * 1_000_000));
  return Number(process.env['PAYRUN_TEST_SEED']);
}

/** Nobody who names files, or asks for all of them, gets a part. */
export function isWholeWanted(words: readonly string[] = process.argv.slice(2)): boolean {
  return process.env['PAYRUN_TEST_WHOLE'] === '1' || words.some((word) => /\btest\/|\.test\b/.test(word));
}

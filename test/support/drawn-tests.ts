import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededChance } from './chance.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Of the scenarios, so many are held against a journal in Postgres as well each time. */
const sharedShare = 1 / 14;
/** Of those about which a service that refuses used references says less, so many are held against one each time. */
const dedupeShare = 1 / 6;
/** Of what takes a minute or more over Postgres, so many. */
const longShare = 1 / 4;
/** Of what is the same for many functions and many texts. */
const manyShare = 1 / 3;

/** Over Postgres: campaigns of chance, and what several processes do to each other. */
export const longFiles: readonly string[] = [
  'cut-off-workers',
  'dying-workers',
  'frozen-workers',
  'interrupted-workers',
  'lost-postgres',
  'move',
  'promoted-standby',
  'take-over',
  'workers',
  'workers-dead-service',
  'workers-let-go',
  'workers-pace',
  'workers-replaced',
  'workers-together',
].map((name) => `test/shared-journal/${name}.test.ts`);

/**
 * All scenarios run with the journal in a file each time, at the service that would stop nobody from paying twice. With one in
 * Postgres, or at a service that would, a part of them does, drawn anew each time, so that the whole check stays short:
 * PAYRUN_TEST_SEED draws the same again, PAYRUN_TEST_WHOLE=1 takes all of them.
 */
export function drawnOnPostgres(seed: number): readonly string[] {
  return drawn(scenarioFiles(), seed, sharedShare);
}

export function drawnWithDedupe(seed: number): readonly string[] {
  return drawn(scenarioFiles(), seed + 1, dedupeShare);
}

/** Those of the long ones that come this time. */
export function drawnLong(seed: number): readonly string[] {
  return drawn(longFiles, seed, longShare);
}

/** Those that come this time of what is tried many times over. */
export function drawnOfMany<Item>(items: readonly Item[]): readonly Item[] {
  return isWholeWanted() ? items : drawn(items, seedOfRun(), manyShare);
}

function drawn<Item>(all: readonly Item[], seed: number, share: number): readonly Item[] {
  const chance = seededChance(seed);
  const inOrder = all
    .map((item) => ({ item, place: chance() }))
    .sort((one, other) => one.place - other.place);
  return inOrder.slice(0, Math.ceil(all.length * share)).map(({ item }) => item);
}

export function scenarioFiles(): readonly string[] {
  return readdirSync(join(project, 'test/scenarios'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)))
    .sort();
}

/** As they are named above, by the URL of a file. */
export function nameOfFile(url: string): string {
  return relative(project, fileURLToPath(url));
}

/** Drawn once for a run of the tests; its projects and what reports of them agree. */
export function seedOfRun(): number {
  process.env['PAYRUN_TEST_SEED'] ??= String(Math.floor(Math.random() * 1_000_000));
  return Number(process.env['PAYRUN_TEST_SEED']);
}

/** Nobody who names files, or asks for all of them, gets a part. What runs the tests tells its processes. */
export function isWholeWanted(words: readonly string[] = process.argv.slice(2)): boolean {
  const isNamed = words.some((word) => !word.startsWith('-') && /\btest\/|\.test\b/.test(word));
  if (isNamed) process.env['PAYRUN_TEST_WHOLE'] = '1';
  return process.env['PAYRUN_TEST_WHOLE'] === '1';
}

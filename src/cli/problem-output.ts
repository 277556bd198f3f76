import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { neutralise } from '../domain/formula-mark.ts';
import type { Problem, Repair } from '../domain/problem.ts';
import { exitCode, PayrunError } from '../errors.ts';

/** Items of a JSON array, one after the other. */
export function writeList(items: Iterable<unknown>): void {
  let first = true;
  for (const item of items) {
    process.stdout.write(`${first ? '' : ','}${JSON.stringify(item)}`);
    first = false;
  }
}

const repairsShown = 20;

export function firstRepairs(repairs: Iterable<Repair>): { first: Repair[]; count: number } {
  const first: Repair[] = [];
  let count = 0;
  for (const repair of repairs) {
    count += 1;
    if (first.length < repairsShown) first.push(repair);
  }
  return { first, count };
}

export async function writeProblemFile(path: string, problems: Iterable<Problem>): Promise<void> {
  const columns = ['line', 'column', 'code', 'blocking', 'message', 'value'] as const;
  const rows = function* () {
    for (const problem of problems) yield columns.map((column) => neutralise(String(problem[column] ?? '')));
  };
  try {
    await pipeline(
      Readable.from(rows()),
      stringify({ header: true, columns: [...columns], bom: true }),
      createWriteStream(path, { mode: 0o600 }),
    );
  } catch (error) {
    throw new PayrunError(
      'cannot-write',
      exitCode.cannotCreate,
      `--problems cannot write ${path}: ${(error as Error).message}.`,
    );
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PayrunError } from '../../errors.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ResultRows, WrittenDigests } from '../../journal/payouts/result-rows.ts';
import { type StagedFile, syncFolder } from '../../storage/staged-file.ts';
import { retryPlace } from './check-results-target.ts';

export interface PlacedRetry {
  /** Undefined where no row has to be fixed. */
  readonly path: string | undefined;
  /** Files of the same name that a person has changed, or that were never ours: left alone. */
  readonly kept: readonly string[];
}

/**
 * Puts the retry file where no work of a person's is lost, and takes away those of ours that it replaces. What was
 * written is journaled by its digest: a file that is another now was changed by a person.
 */
export async function placeRetryFile(
  rows: ResultRows,
  journal: Pick<Journal, 'write'>,
  batch: BatchRecord,
  staged: StagedFile | undefined,
): Promise<PlacedRetry> {
  const known = rows.retryDigests();
  if (!staged) {
    const kept = await removeOurs(known, undefined);
    if (Object.keys(known).length > 0) await journal.write(() => rows.saveRetryDigests({}));
    return { path: undefined, kept };
  }
  const digest = await staged.finish();
  const { path, present, kept } = await freePlace(batch, known, digest);
  // Both digests before the move: whichever of the two files a crash leaves there, it is known for ours.
  const digests = { ...known, [path]: present === undefined ? [digest] : [present, digest] };
  await journal.write(() => rows.saveRetryDigests(digests));
  await staged.moveTo(path);
  await removeOurs(known, path);
  await journal.write(() => rows.saveRetryDigests({ [path]: [digest] }));
  return { path, kept };
}

const mostPlaces = 1000;

async function freePlace(
  batch: BatchRecord,
  known: WrittenDigests,
  digest: string,
): Promise<{ path: string; present: string | undefined; kept: string[] }> {
  const kept: string[] = [];
  for (let number = 1; number <= mostPlaces; number += 1) {
    const path = retryPlace(batch.resultsPath, batch.name, number);
    const present = await digestAt(path);
    if (present === 'nothing') return { path, present: undefined, kept };
    if (present === digest || known[path]?.includes(present)) return { path, present, kept };
    kept.push(path);
  }
  throw new PayrunError(
    'retry-write-failed',
    `There are ${mostPlaces} retry files beside ${batch.resultsPath}. Remove those that were dealt with.`,
  );
}

/** Gives those that a person has changed, which stay. */
async function removeOurs(known: WrittenDigests, except: string | undefined): Promise<string[]> {
  const kept: string[] = [];
  for (const [path, digests] of Object.entries(known)) {
    if (path === except) continue;
    const present = await digestAt(path);
    if (present === 'nothing') continue;
    if (!digests.includes(present)) {
      kept.push(path);
      continue;
    }
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  }
  return kept;
}

/** SHA-256 of the file there; `nothing` where none is, `other` where it is no ordinary file. */
async function digestAt(path: string): Promise<string> {
  try {
    if (!(await lstat(path)).isFile()) return 'other';
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    return hash.digest('hex');
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'ENOENT':
      case 'ENOTDIR':
        return 'nothing';
      case 'EACCES':
        return 'other';
      default:
        throw error;
    }
  }
}

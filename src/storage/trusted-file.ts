import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { readTrouble } from '../domain/text/path-trouble.ts';

/**
 * A small file that steers where money or a secret goes. Whoever can write it decides that, so it must be the user's own
 * or the system's. Throws why not, in half a sentence.
 */
export function readTrustedFile(path: string, mostBytes: number): string {
  return readChecked(path, mostBytes, whoElseWrites);
}

/** One that holds a secret: what others can read, others may have read. */
export function readPrivateFile(path: string, mostBytes: number): string {
  return readChecked(path, mostBytes, (stats) => whoElseWrites(stats) ?? whoElseReads(stats));
}

/** One that proves itself by what stands in it, whoever wrote it. */
export function readSmallFile(path: string, mostBytes: number): string {
  return readChecked(path, mostBytes, () => undefined);
}

function readChecked(path: string, mostBytes: number, why: (stats: Stats) => string | undefined): string {
  const file = plainly(path, () => openSync(path, 'r'));
  try {
    const trouble = why(fstatSync(file));
    if (trouble !== undefined) throw new Error(`${path} ${trouble}`);
    const text = plainly(path, () => readUpTo(file, mostBytes));
    if (text !== undefined) return text;
    throw new Error(
      `${path} is larger than ${mostBytes} bytes: it is another file than the one that is meant`,
    );
  } finally {
    closeSync(file);
  }
}

/** What the system says of it, in plain words. */
function plainly<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    throw new Error(readTrouble(error, path), { cause: error });
  }
}

function whoElseReads(stats: Stats): string | undefined {
  if (!stats.isFile() || (stats.mode & readableByOthers) === 0) return undefined;
  return 'can be read by others: chmod 600 it, and make another if one of them may have read it';
}

export function whoElseWrites({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, own = ownId()): string | undefined {
  if (isAnothers(uid, own)) return 'belongs to another user: name a copy of your own';
  if ((mode & writableByOthers) === 0) return undefined;
  return 'can be changed by every user of this machine: make sure that it is as you left it, then chmod o-w';
}

/** Root may use anybody's: in a container, everything that was brought in is another's. */
export function isAnothers(uid: number, own = ownId()): boolean {
  return own !== 0 && uid !== own && uid !== 0;
}

function ownId(): number {
  return process.getuid?.() ?? 0;
}

const writableByOthers = 0o002;
const readableByOthers = 0o077;

/** Not by its size: a pipe or a device does not say it. Undefined where there is more. */
function readUpTo(file: number, mostBytes: number): string | undefined {
  const buffer = Buffer.alloc(mostBytes + 1);
  let length = 0;
  for (;;) {
    const more = readSync(file, buffer, length, buffer.length - length, null);
    length += more;
    if (length > mostBytes) return undefined;
    if (more === 0) return buffer.toString('utf8', 0, length);
  }
}

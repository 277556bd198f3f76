import { closeSync, constants, createReadStream, openSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * A file by its path, as a stream. A thread that reads a pipe or a terminal cannot be called back, and the process would wait for
 * it even at its end: they are waited for as a connection is.
 */
export async function openStream(path: string, pieceBytes: number): Promise<Readable> {
  const what = await stat(path).catch(() => undefined);
  const waiting = what && (await openWaiting(path, what));
  return waiting ?? createReadStream(path, { highWaterMark: pieceBytes });
}

/** Undefined where its bytes are there without anybody who sends them, or where it cannot be opened so. */
async function openWaiting(path: string, what: Stats): Promise<Readable | undefined> {
  if (!what.isFIFO() && !what.isCharacterDevice()) return undefined;
  const fd = openNow(path);
  if (fd === undefined) return undefined;
  if (what.isFIFO()) {
    const { Socket } = await import('node:net');
    return new Socket({ fd, readable: true, writable: false });
  }
  const { isatty, ReadStream } = await import('node:tty');
  if (isatty(fd)) return new ReadStream(fd);
  closeSync(fd);
  return undefined;
}

/** Also where nobody has opened the other end yet. */
function openNow(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

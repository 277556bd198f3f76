import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { readTrouble } from '../../domain/text/path-trouble.ts';
import { PayrunError } from '../../errors.ts';
import { openStream } from './open-stream.ts';

/** Enough to tell encoding, delimiter and kind by, and little enough to hold. */
const prefixBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

/** A file or pipe, read once from beginning to end. */
export interface OpenSource {
  readonly prefix: Buffer;
  /** All bytes, the prefix among them, in pieces of a bounded size. */
  readonly bytes: AsyncIterable<Buffer>;
  /** SHA-256 of all bytes, once the last one was read, where it is wanted. */
  readonly digest: string | undefined;
  /** Whether the last one was read. */
  readonly isRead: boolean;
  readonly byteCount: number;
  close(): void;
}

interface OpenWishes {
  /** No more is read once it was aborted. */
  readonly signal?: AbortSignal | undefined;
  readonly withDigest?: boolean | undefined;
}

/** Opens a file by its path, or takes a stream such as standard input, and reads its beginning. */
export async function openSource(
  source: string | Readable,
  { signal, withDigest = true }: OpenWishes = {},
): Promise<OpenSource> {
  const name = typeof source === 'string' ? source : 'the input';
  const stream = typeof source === 'string' ? await openStream(source, pieceBytes) : source;
  if (signal) addAbortSignal(signal, stream);
  const hash = withDigest ? createHash('sha256') : undefined;
  let byteCount = 0;
  let isRead = false;
  let digest: string | undefined;
  const pieces = piecesOf(stream, name);
  const first: Buffer[] = [];
  let firstBytes = 0;
  while (firstBytes < prefixBytes) {
    const next = await pieces.next();
    if (next.done) break;
    first.push(next.value);
    firstBytes += next.value.length;
  }

  function counted(piece: Buffer): Buffer {
    hash?.update(piece);
    byteCount += piece.length;
    return piece;
  }

  async function* bytes(): AsyncGenerator<Buffer> {
    for (const piece of first) yield counted(piece);
    for await (const piece of pieces) yield counted(piece);
    digest = hash?.digest('hex');
    isRead = true;
  }

  return {
    prefix: Buffer.concat(first).subarray(0, prefixBytes),
    bytes: bytes(),
    get digest() {
      return digest;
    },
    get isRead() {
      return isRead;
    },
    get byteCount() {
      return byteCount;
    },
    close: () => stream.destroy(),
  };
}

async function* piecesOf(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array | string);
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        yield bytes.subarray(start, start + pieceBytes);
      }
    }
  } catch (error) {
    throw new PayrunError('file-missing', reasonOf(error, name), { cause: error });
  }
}

function reasonOf(error: unknown, name: string): string {
  return `${readTrouble(error, name).replace(/^there/, 'There')}.`;
}

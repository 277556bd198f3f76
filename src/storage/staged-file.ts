import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file that is written beside its place and takes it only when it is whole and on disk. */
export interface StagedFile {
  write(text: string): Promise<void>;
  /** Everything on disk. Gives the SHA-256 of the bytes in hexadecimal. */
  finish(): Promise<string>;
  /** After `finish`. The old file stands until this very moment, the new one from then on. */
  moveTo(path: string): Promise<void>;
  /** Leaves nothing behind; harmless at any time. */
  discard(): Promise<void>;
}

/** Readable by nobody else from the first byte on: names, numbers and salaries go in. */
export async function stageFile(folder: string, owner: string): Promise<StagedFile> {
  const path = join(folder, `${stagedPrefix(owner)}${randomUUID()}.tmp`);
  const hash = createHash('sha256');
  let handle: FileHandle | undefined = await open(path, 'wx', 0o600);
  const close = async (): Promise<void> => {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  };
  return {
    async write(text) {
      hash.update(text);
      await handle?.appendFile(text);
    },
    async finish() {
      await handle?.sync();
      await close();
      return hash.digest('hex');
    },
    async moveTo(target) {
      await rename(path, target);
      await syncFolder(dirname(target));
    },
    async discard() {
      // What cannot be closed or removed must not hide why it had to be.
      await close().catch(() => {});
      await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** What a killed run of the same owner left behind. Only under the owner's lock: else it may be under way. */
export async function removeLeftovers(folder: string, owner: string): Promise<void> {
  const prefix = stagedPrefix(owner);
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix) && name.endsWith('.tmp'));
  for (const name of names) await rm(join(folder, name), { force: true });
}

/** A rename is durable only when the folder is on disk too. Systems that cannot sync a folder do so by themselves. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (!cannotSync.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

const cannotSync = new Set(['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'ENOTSUP']);

/** Short whatever the owner is called: a name that just fits must not become one that does not. */
function stagedPrefix(owner: string): string {
  return `.payrun-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}-`;
}

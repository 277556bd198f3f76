import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** What of the disk came through: only what was synced, or by chance more of it, as real disks do. */
export type Survival = 'synced' | 'by chance';

const sectorBytes = 512;

/**
 * Puts in place what the shim says is durable. By chance: file by file the newer one survives as well, or the old one, or
 * a mixture of their sectors; which is still a disk that kept every promise it made to fsync.
 */
export function cutPower(disk: string, durable: string, survival: Survival, chance: () => number): void {
  const kept = join(durable, 'tree');
  if (survival === 'by chance') {
    for (const path of filesBelow(disk, kept)) spare(disk, kept, join(durable, 'inodes'), path, chance());
  }
  rmSync(disk, { recursive: true });
  renameSync(kept, disk);
  rmSync(durable, { recursive: true });
  // Shared memory of processes that are gone.
  for (const path of filesBelow(disk)) if (path.endsWith('-shm')) rmSync(join(disk, path));
}

function filesBelow(...folders: readonly string[]): string[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      statSync(join(folder, path)).isFile(),
    ),
  );
  return [...new Set(paths)].sort();
}

function spare(disk: string, kept: string, contents: string, path: string, lot: number): void {
  const [real, durable] = [join(disk, path), join(kept, path)];
  if (lot < 0.4) return;
  if (!existsSync(real)) {
    rmSync(durable);
    return;
  }
  const isSameFile = existsSync(durable) && isLinked(durable, join(contents, statSync(real).ino.toString()));
  if (isSameFile && lot > 0.7) {
    writeFileSync(durable, mixed(readFileSync(durable), readFileSync(real), lot));
    return;
  }
  // Removed first: the durable name may be a link to bytes that another name has too.
  rmSync(durable, { force: true });
  mkdirSync(dirname(durable), { recursive: true });
  copyFileSync(real, durable);
}

function isLinked(one: string, other: string): boolean {
  return existsSync(other) && statSync(one).ino === statSync(other).ino;
}

/** Each sector from one or the other; what neither wrote is zeros. */
function mixed(old: Buffer, young: Buffer, lot: number): Buffer {
  const bytes = Buffer.alloc(Math.max(old.length, young.length));
  for (let start = 0, sector = 0; start < bytes.length; start += sectorBytes, sector += 1) {
    const source = ((sector + 1) * lot * 7919) % 1 < 0.5 ? old : young;
    bytes.set(source.subarray(start, start + sectorBytes), start);
  }
  return bytes;
}

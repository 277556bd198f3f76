import { lstatSync, renameSync, rmSync } from 'node:fs';

export interface Rotation {
  readonly mostBytes: number;
  readonly mostAgeMs: number;
  /** How many of the old ones stay: `name.1` is the newest of them. */
  readonly kept: number;
}

/** Moves a file out of the way that has grown too large or too old. */
export function rotateFile(path: string, { mostBytes, mostAgeMs, kept }: Rotation, nowMs: number): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  if (stats.size < mostBytes && nowMs - stats.birthtimeMs < mostAgeMs) return;
  rmSync(`${path}.${kept}`, { force: true });
  for (let number = kept - 1; number >= 0; number--) {
    const from = number === 0 ? path : `${path}.${number}`;
    if (lstatSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${number + 1}`);
  }
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../', import.meta.url));

export interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}

/**
 * What ships, as CycloneDX. `npm sbom --omit dev` leaves out whatever a tool of development needs as well, zod for one
 * (npm/cli#7909): so npm is shown a project that has no such tools.
 */
export function billOfMaterials(): string {
  const read = (name: string) => JSON.parse(readFileSync(join(project, name), 'utf8')) as unknown;
  const { devDependencies: _, ...manifest } = read('package.json') as { devDependencies: object };
  const lock = read('package-lock.json') as Lockfile;
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const packages = { '': manifest, ...Object.fromEntries(shipped) };

  const folder = mkdtempSync(join(tmpdir(), 'payrun-sbom-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
    return execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

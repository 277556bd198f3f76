import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('./shim.c', import.meta.url));
const compilers = ['gcc', 'cc'];
const flags = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', '-Wno-format-truncation'];

/** The shim that stands between payrun and the system, or why there can be none on this machine. */
export type Shim = { readonly path: string } | { readonly missing: string };

export function buildShim(folder: string): Shim {
  if (process.platform !== 'linux') return { missing: `no LD_PRELOAD on ${process.platform}` };
  const path = join(folder, 'shim.so');
  const complaints: string[] = [];
  for (const compiler of compilers) {
    const built = spawnSync(compiler, [...flags, '-o', path, source, '-ldl', '-lpthread'], {
      encoding: 'utf8',
    });
    if (built.status === 0) return { path };
    if (built.error === undefined) throw new Error(`${compiler} does not take shim.c:\n${built.stderr}`);
    complaints.push(`${compiler}: ${built.error.message}`);
  }
  return { missing: complaints.join('; ') };
}

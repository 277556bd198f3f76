import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['src', 'schemas', 'samples', 'docs', 'scripts'];
const execute = promisify(execFile);

/** What lies about in a folder where somebody works, and must not ship. */
export const leftovers = [
  'dist/renamed-since.js',
  'dist/renamed-since.d.ts',
  'dist/index.js.map',
  'samples/payroll.results.csv',
  'samples/payroll.retry.csv',
  'samples/.payrun/journal.db',
  'samples/library/.pay-a-file.mjs.swp',
  'docs/.paying.md.swp',
  'notes.md',
];

export interface Packed {
  readonly folder: string;
  /** Where the files of the tarball are, as in the node_modules of a user. */
  readonly installed: string;
  /** A command in the folder of the user. Throws where it does not end with 0. */
  readonly run: (command: string, ...args: string[]) => Promise<string>;
  readonly remove: () => void;
}

/**
 * Packs a copy of this project, so that no other test loses its dist, and lays the tarball out as npm would. It is not
 * `npm install`, which would compile better-sqlite3 for two minutes: the tarball is unpacked, and what package.json
 * names as `dependencies`, nothing else, is linked from this project. That ranges can be had is left to `npm ci`.
 */
export async function packAndInstall(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-package-'));
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), HOME: folder };
  const run = async (command: string, ...args: string[]) =>
    (await execute(command, args, { cwd: folder, env })).stdout;

  const copy = join(folder, 'copy');
  copyProject(copy);
  await run('npm', 'pack', '--silent', copy);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball';

  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'payrun');
  mkdirSync(installed, { recursive: true });
  await run('tar', '-xzf', tarball, '-C', installed, '--strip-components', '1');
  const { bin, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) linkModule(modules, name);
  mkdirSync(join(modules, '.bin'));
  for (const [name, path] of Object.entries(bin)) {
    symlinkSync(join('..', 'payrun', path), join(modules, '.bin', name));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return { folder, installed, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function linkModule(modules: string, name: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(join(project, 'node_modules', name), join(modules, name));
}

function copyProject(copy: string): void {
  const names = readdirSync(project, { withFileTypes: true })
    .filter((entry) => entry.isFile() || folders.includes(entry.name))
    .map(({ name }) => name);
  for (const name of names) cpSync(join(project, name), join(copy, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  for (const path of leftovers) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), 'left over');
  }
  // The check looks at the types; looked at or not, what is written differs in nothing but the order within unions.
  const config = JSON.parse(readFileSync(join(project, 'tsconfig.build.json'), 'utf8')) as {
    compilerOptions: object;
  };
  writeFileSync(
    join(copy, 'tsconfig.build.json'),
    JSON.stringify({ ...config, compilerOptions: { ...config.compilerOptions, noCheck: true } }),
  );
}

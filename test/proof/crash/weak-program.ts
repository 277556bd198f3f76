import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** payrun as it must not be: its journal does not wait for the disk. Gives the path of the program. */
export function weakProgram(folder: string): string {
  const copy = join(folder, 'weak');
  mkdirSync(copy);
  cpSync(join(checkout, 'dist'), join(copy, 'dist'), { recursive: true });
  cpSync(join(checkout, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  const path = join(copy, 'dist', 'journal', 'open-journal.js');
  const sound = readFileSync(path, 'utf8');
  const weak = sound
    .replace(`'synchronous = FULL'`, `'synchronous = NORMAL'`)
    .replace(') === 2,', ') === 1,');
  if (!weak.includes('synchronous = NORMAL') || weak.includes('=== 2,')) {
    throw new Error(`${path} does not look as expected any more`);
  }
  writeFileSync(path, weak);
  return join(copy, 'dist', 'cli', 'main.js');
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * The command as a few files instead of some hundreds: loading them is most of what a short command takes. What it brings
 * of other packages is named beside it with its licence. What is native, or starts threads of its own, stays outside.
 */
const project = fileURLToPath(new URL('../', import.meta.url));
const folder = join(project, 'dist/command');
rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: project,
  entryPoints: { payrun: 'src/cli/main.ts' },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['better-sqlite3', 'pino', 'undici'],
  plugins: [plainWidth()],
  banner: {
    js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
  legalComments: 'none',
  minifyWhitespace: true,
  metafile: true,
  logLevel: 'warning',
});
const roots = Object.keys(metafile.inputs).flatMap((path) => packageRoot(path) ?? []);
writeFileSync(join(folder, 'third-party.txt'), [...new Set(roots)].sort().map(notice).join('\n'));

/**
 * In place of the package string-width: its patterns for emoji take a third of the time in which the help is shown, and our
 * help has none.
 */
function plainWidth(): Plugin {
  const namespace = 'plain-width';
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /^string-width$/ }, ({ path }) => ({ path, namespace }));
      building.onLoad({ filter: /^/, namespace }, () => ({
        contents: 'export default (text) => [...text].length;',
      }));
    },
  };
}

function packageRoot(path: string): string | undefined {
  const [, root] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return root;
}

function notice(root: string): string {
  const folderOf = join(project, root);
  const { name, version, license } = JSON.parse(readFileSync(join(folderOf, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${licenceText(folderOf)}\n`;
}

function licenceText(root: string): string {
  for (const name of ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt', 'License'])
    try {
      return readFileSync(join(root, name), 'utf8').trim();
    } catch {
      // Under another name, perhaps.
    }
  throw new Error(`no licence was found in ${root}`);
}

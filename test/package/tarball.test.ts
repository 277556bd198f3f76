import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leftovers, linkModule, type Packed, packAndInstall } from './packed.ts';
import { typeErrors } from './type-errors.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

let packed: Packed;
let shipped: readonly string[];
const read = (path: string) => readFileSync(join(packed.installed, path), 'utf8');

beforeAll(async () => {
  packed = await packAndInstall();
  shipped = filesIn(packed.installed);
});
afterAll(() => packed?.remove());

describe('the tarball', () => {
  test('holds the program, its schemas, samples and pages, and nothing else', () => {
    const allowed =
      /^(dist\/.+\.(js|d\.ts)|dist\/command\/(package\.json|third-party\.txt)|schemas\/[^/]+\.json|samples\/([^/]+\.csv|library\/[^/]+\.mjs|README\.md)|docs\/(.+\.md|pictures\/[^/]+\.(png|svg))|(README|CHANGELOG|SECURITY)\.md|LICENSE|package\.json)$/;
    expect(shipped.filter((path) => !allowed.test(path))).toEqual([]);
    expect(shipped.filter((path) => leftovers.includes(path))).toEqual([]);
  });

  test('was built from the source as it is: every file of it, and no file that has none', () => {
    const isCommand = (path: string) => path.startsWith('dist/command/');
    const built = shipped.filter((path) => path.startsWith('dist/') && !isCommand(path));
    const sources = filesIn(join(project, 'src')).filter((path) => path.endsWith('.ts'));
    expect(built).toEqual(
      sources
        .flatMap((path) => [path.replace(/\.ts$/, '.d.ts'), path.replace(/\.ts$/, '.js')])
        .map((path) => `dist/${path}`)
        .sort(),
    );
    // A map that is named and does not ship is looked for in vain by every debugger.
    expect(
      shipped.filter((path) => /^dist\/.*\.js$/.test(path) && read(path).includes('sourceMappingURL=')),
    ).toEqual([]);
  });

  test('names every package whose code the command brings, with its licence, and what it does not bring it depends on', () => {
    const brought = read('dist/command/third-party.txt');
    for (const name of ['zod', 'yargs', 'csv-parse'])
      expect(brought).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(brought.match(/Permission/g)?.length).toBeGreaterThan(5);
    const commands = shipped
      .filter((path) => /^dist\/command\/.*\.js$/.test(path))
      .map(read)
      .join('\n');
    const imported = [...commands.matchAll(/\b(?:__)?require\)?\("([@\w][\w@/.-]*)"\)/g)].map(
      ([, name = '']) => name,
    );
    const outside = [...new Set(imported)].filter((name) => !name.startsWith('node:') && !isBuiltin(name));
    // The last is there and loaded by nobody: only a request whose body is a form or a stream would.
    expect(outside.sort()).toEqual(['pg', 'undici/lib/web/fetch/body.js']);
    expect(commands).toContain('better-sqlite3/build/Release/');
  });

  test('holds every page, every schema, and every sample that is spoken of', () => {
    const pages = filesIn(join(project, 'docs')).filter((path) => path.endsWith('.md'));
    const schemas = filesIn(join(project, 'schemas')).filter((path) => path.endsWith('.json'));
    const samples = [...read('samples/README.md').matchAll(/^\| (\S+\.csv) /gm)].map(([, name]) => name);
    expect(samples.length).toBeGreaterThan(3);
    const wanted = [
      'LICENSE',
      ...pages.map((path) => `docs/${path}`),
      ...schemas.map((path) => `schemas/${path}`),
      ...samples.map((path) => `samples/${path}`),
    ];
    expect(wanted.filter((path) => !shipped.includes(path))).toEqual([]);
  });

  test('has no page that leads to what did not ship', () => {
    const links = shipped
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...read(path).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => ({ path, target })),
      )
      .filter(({ target }) => !/^[a-z]+:/.test(target));
    expect(links.length).toBeGreaterThan(30);
    const dead = links.filter(
      ({ path, target }) => !existsSync(join(packed.installed, dirname(path), target)),
    );
    expect(dead).toEqual([]);
  });

  test('has a command that a shell can start', () => {
    const command = join(packed.installed, 'dist/command/payrun.js');
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(command).mode & 0o111).toBe(0o111);
  });

  test('publint finds nothing', async () => {
    const { messages, pkg } = await publint({ pkgDir: packed.installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('has the version that its changelog begins with', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(/^## (\S+) \(.+\)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
  });
});

describe('an installed payrun', () => {
  test('pays the sample by its command', async () => {
    const printed = await packed.run(
      join(packed.folder, 'node_modules/.bin/payrun'),
      ...['run', 'node_modules/payrun/samples/payroll.csv', '--sandbox', '--yes'],
      ...['--results', 'payroll.results.csv'],
    );
    expect(printed).toContain('paid now  12  KES 585,900.75');
    expect(readFileSync(join(packed.folder, 'payroll.results.csv'), 'utf8').match(/,paid,/g)).toHaveLength(
      12,
    );
  });

  test('pays the sample as a library, by the example that ships', async () => {
    copyFileSync(
      join(packed.installed, 'samples/library/pay-a-file.mjs'),
      join(packed.folder, 'pay-a-file.mjs'),
    );
    const args = ['pay-a-file.mjs', 'node_modules/payrun/samples/payroll.csv', 'workspace'];
    expect(await packed.run(process.execPath, ...args)).toMatch(/^payroll: 12 paid, 0 held/);
  });

  test('lets its schemas and its package.json be found, and nothing of its inside', () => {
    const { resolve } = createRequire(join(packed.folder, 'user.js'));
    expect(resolve('payrun/package.json')).toBe(join(packed.installed, 'package.json'));
    expect(resolve('payrun/schemas/run.schema.json')).toBe(join(packed.installed, 'schemas/run.schema.json'));
    expect(() => resolve('payrun/dist/journal/open-journal.js')).toThrow(/not defined by "exports"/);
  });

  test('has types that hold at their strictest, with the example of the README', () => {
    linkModule(join(packed.folder, 'node_modules'), '@types/node');
    const example = /```js\n(import \{ openPayrun \} from 'payrun';[\s\S]+?)```/.exec(read('README.md'))?.[1];
    expect(example).toContain('await payrun.close()');
    const write = (name: string, text: string) => {
      writeFileSync(join(packed.folder, name), text);
      return join(packed.folder, name);
    };
    const sound = write(
      'example.ts',
      `${example}\nexport const paid: number | undefined = result.kind === 'ran' ? result.summary.statuses.paid : undefined;\n`,
    );
    const wrong = write(
      'wrong.ts',
      `import { openPayrun } from 'payrun';\nopenPayrun({ workspace: 1, service: 'sandbox' });\n`,
    );
    expect(typeErrors([sound, wrong], packed.installed)).toEqual([
      expect.stringMatching(/wrong\.ts: Type 'number' is not assignable to type 'string'/),
    ]);
  });
});

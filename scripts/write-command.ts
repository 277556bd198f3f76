import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile, type Plugin, transform } from 'esbuild';
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/mobile';
import examples from 'libphonenumber-js/mobile/examples';
import metadata from 'libphonenumber-js/mobile/metadata';
import { countries } from '../src/domain/reference-data/countries.ts';
import { schemaOfJournal } from './schema-of-journal.ts';

/**
 * The command as a few files instead of some hundreds: loading them is most of what a short command takes. What it brings
 * of other packages is named beside it with its licence. What is native, or starts threads of its own, stays outside.
 */
const project = fileURLToPath(new URL('../', import.meta.url));
const source = join(project, 'src');
const folder = join(project, 'dist/command');
const target = 'node20.19';
const phonesPath = 'all-of-libphonenumber';
const ownUrlLine = 'const ownUrl = require("node:url").pathToFileURL(__filename).href;';
const options = {
  absWorkingDir: project,
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  external: ['pg', '*.node'],
  plugins: [
    inLayers(),
    configGiven(),
    plainWidth(),
    ownPackage(),
    ownVersion(),
    phonesWhenUsed(),
    nativeOutside(),
    connectionsAlone(),
    logInThisThread(),
  ],
  logOverride: { 'ambiguous-reexport': 'error' },
  define: { journalSchema: JSON.stringify(schemaOfJournal()) },
  legalComments: 'none',
  minifyWhitespace: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;
// Apart: what the thread shares with the command would be small files more to load for every command.
const built = await Promise.all([
  build({ ...options, entryPoints: { payrun: 'src/cli/main.ts' } }),
  build({ ...options, entryPoints: { 'calls-thread': 'src/service/thread/calls-thread.ts' } }),
  build({
    ...options,
    entryPoints: { phones: phonesPath },
    plugins: [wholeTablesAsJson()],
  }),
]);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
for (const { outputFiles } of built) await writeOutputs(outputFiles);
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const roots = inputs.flatMap((path) => packageRoot(path) ?? []);
writeFileSync(join(folder, 'third-party.txt'), [...new Set(roots)].sort().map(notice).join('\n'));

/**
 * As CommonJS, which Node loads in less time than modules. Each file costs a millisecond, so a layer that does nothing but hand
 * on what one other file has is loaded from there.
 */
async function writeOutputs(files: readonly OutputFile[]): Promise<void> {
  const texts = new Map(files.map(({ path, text }) => [basename(path), text]));
  const handedOn = [...texts].flatMap(([name, text]) => {
    const source = onlySource(text);
    return source === undefined ? [] : [[name, source] as const];
  });
  const isWritten = (name: string) => texts.has(name) && !handedOn.some(([layer]) => layer === name);
  for (const [name, text] of texts) {
    if (!isWritten(name)) continue;
    const fromSource = handedOn.reduce(
      (before, [layer, source]) => before.replaceAll(`import("./${layer}")`, `import("./${source}")`),
      text,
    );
    const { code } = await transform(fromSource, {
      format: 'cjs',
      supported: { 'dynamic-import': false },
      platform: 'node',
      target,
      minifyWhitespace: true,
      define: { 'import.meta.url': 'ownUrl' },
      banner: `"use strict";${fromSource.includes('import.meta.url') ? ownUrlLine : ''}`,
    });
    const lost = [...code.matchAll(/\brequire\("\.\/([^"]+)"\)/g)].find(([, file = '']) => !isWritten(file));
    if (lost) throw new Error(`${name} would load ${lost[1]}, which is not written`);
    writeFileSync(join(folder, name), cryptoWhenUsed(code), { mode: name === 'payrun.js' ? 0o755 : 0o644 });
  }
}

/** To load it takes Node longer than any other part of its own, and whoever only looks at a journal does not use it. */
function cryptoWhenUsed(code: string): string {
  const loaded = /var (import_node_crypto\d*)=require\("node:crypto"\);/g;
  return code.replaceAll(loaded, (_, name: string) => {
    const used = new Set([...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, what]) => what));
    const getters = [...used].map(
      (what) => `get ${what}(){return(${name}_??=require("node:crypto")).${what}}`,
    );
    return `var ${name}_;const ${name}={${getters.join(',')}};`;
  });
}

/** Of a file that only hands on: whom it has all of that from. */
function onlySource(text: string): string | undefined {
  const [, names, source, handedOn] =
    /^import\{([^}]+)\}from"\.\/([^"]+)";(?:import"\.\/[^"]+";)*export\{([^}]+)\};\s*$/.exec(text) ?? [];
  return names === handedOn ? source : undefined;
}

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

interface Layer {
  readonly upon: readonly string[];
  readonly names: readonly string[];
}

/**
 * A file costs a millisecond to load, and split wherever commands differ there would be a hundred and fifty. So what is
 * loaded late comes in layers, each one file: to show the help, upon it to look at what was done, and so on.
 */
function inLayers(): Plugin {
  const namespace = 'layer';
  const few: Record<string, Layer> = {
    help: {
      upon: [],
      names: [
        'cli/run-command',
        'cli/flags/help-text',
        'cli/commands/command-help',
        'cli/terminal/styled-text',
        'cli/commands/template',
        'cli/commands/completion',
      ],
    },
    looking: {
      upon: ['help'],
      names: [
        'cli/commands/status',
        'library/batch-status',
        'journal/open-journal',
        'journal/batch-record',
        'journal/known-batch',
      ],
    },
    checking: { upon: ['looking'], names: ['cli/commands/validate', 'pipeline/draft-file'] },
    shared: { upon: ['looking'], names: ['library/shared-place'] },
    configured: { upon: ['looking'], names: ['config'] },
    paying: {
      upon: ['checking', 'configured'],
      names: [
        'cli/commands/plan',
        'cli/commands/run',
        'cli/commands/resume',
        'library/consent',
        'pipeline/plan-file',
        'pipeline/run-batch',
        'pipeline/resume-batch',
        'journal/approval-log',
        'domain/approval/approval-policy',
      ],
    },
    logging: { upon: ['paying'], names: ['logger'] },
    calling: { upon: ['paying'], names: ['service/client', 'library/service-by-hand'] },
    sandbox: { upon: ['paying'], names: ['sandbox/start-sandbox', 'library/enrol-people'] },
  };
  const named = Object.values(few).flatMap(({ names }) => names);
  const late = [
    'cli/main',
    'cli/commands/command-table',
    'library/open-payrun',
    'library/open-workspace',
    'library/journal-place',
    'library/looking-back',
    'library/deciding',
  ].flatMap(lateImports);
  const rest = [...new Set(late)].filter((name) => !named.includes(name));
  const layers: Record<string, Layer> = { ...few, others: { upon: ['paying'], names: rest } };
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        const name = nameOf(join(resolveDir, path));
        const [layer] = Object.entries(layers).find(([, { names }]) => names.includes(name)) ?? [];
        return kind === 'dynamic-import' && layer ? { path: layer, namespace } : undefined;
      });
      building.onResolve({ filter: /^/, namespace }, ({ path }) =>
        layers[path] ? { path, namespace } : undefined,
      );
      building.onLoad({ filter: /^/, namespace }, ({ path }) => {
        const { upon = [], names = [] } = layers[path] ?? {};
        const lines = [
          ...upon.map((layer) => `import '${layer}';`),
          ...names.map((name) => `export * from './${name}.ts';`),
        ];
        return { contents: lines.join('\n'), resolveDir: source };
      });
    },
  };
}

/** The command reads its configuration itself, and what checks one is loaded only where there is one. */
function configGiven(): Plugin {
  const namespace = 'config-given';
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /\/config\.ts$/ }, ({ path, importer }) =>
        nameOf(importer) === 'library/open-workspace' ? { path, namespace } : undefined,
      );
      building.onLoad({ filter: /^/, namespace }, () => ({
        contents: "export const checkConfig = () => { throw new Error('no configuration was given'); };",
      }));
    },
  };
}

/** The names of what a file of ours loads late. */
function lateImports(name: string): string[] {
  const text = readFileSync(join(source, `${name}.ts`), 'utf8');
  const paths = [...text.matchAll(/import\('([^']+)'\)/g)].map(([, path = '']) => path);
  return paths.map((path) => nameOf(join(source, dirname(name), path)));
}

function nameOf(path: string): string {
  return relative(source, path).replace(/\.ts$/, '');
}

/** What is native of better-sqlite3 stays outside, at its one place: the package bindings would search ten. */
function nativeOutside(): Plugin {
  const namespace = 'native-outside';
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /^bindings$/ }, ({ path }) => ({ path, namespace }));
      building.onLoad({ filter: /^/, namespace }, () => ({
        contents: "module.exports = (name) => require('better-sqlite3/build/Release/' + name);",
      }));
    },
  };
}

/**
 * Of undici the service's transport uses the pool of connections alone, and others make requests besides; what the package
 * loads in addition is a tenth of a second of starting.
 */
function connectionsAlone(): Plugin {
  const namespace = 'connections-alone';
  const pool =
    "export { default as Pool } from './dispatcher/pool.js'; export { default as errors } from './core/errors.js';";
  const requests = `
    import Dispatcher from './dispatcher/dispatcher.js';
    import request from './api/api-request.js';
    Object.assign(Dispatcher.prototype, { request });
    export { default as Agent } from './dispatcher/agent.js';
    export { default as Pool } from './dispatcher/pool.js';`;
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /^undici$/ }, ({ importer }) => {
        const path = nameOf(importer) === 'service/transport' ? 'pool' : 'requests';
        return { path, namespace };
      });
      building.onLoad({ filter: /^/, namespace }, ({ path }) => ({
        contents: path === 'pool' ? pool : requests,
        resolveDir: join(project, 'node_modules/undici/lib'),
      }));
      building.onResolve({ filter: /web\/fetch\/body\.js$/ }, () => ({
        path: 'undici/lib/web/fetch/body.js',
        external: true,
      }));
    },
  };
}

/** Of pino what writes from this thread: to log from another one it would start files of its own, and nobody asks for that. */
function logInThisThread(): Plugin {
  return {
    name: 'log-in-this-thread',
    setup(building) {
      building.onLoad({ filter: /pino\/lib\/transport\.js$/ }, () => ({
        contents: "module.exports = () => { throw new Error('logs are written from this thread'); };",
      }));
    },
  };
}

/**
 * Nearly every number is decided by the pattern of its country, so whatever else the package can do stands in a file of its own,
 * which the first number that needs it loads. Of its tables what they say of our countries comes along.
 */
function phonesWhenUsed(): Plugin {
  const namespace = 'phones-when-used';
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /^libphonenumber-js\/mobile/ }, ({ path }) => ({ path, namespace }));
      building.onResolve({ filter: /^\.\/phones\.js$/ }, ({ path }) => ({ path, external: true }));
      building.onLoad({ filter: /^libphonenumber-js\/mobile$/, namespace }, () => ({
        contents: `
          export const parsePhoneNumberFromString = (...given) => require('./phones.js').parsePhoneNumberFromString(...given);
          const examples = ${JSON.stringify(ourExamples())};
          export const getExampleNumber = (country) => {
            const { nationalNumber, national } = examples[country];
            return { nationalNumber, formatNational: () => national };
          };`,
      }));
      building.onLoad({ filter: /^libphonenumber-js\/mobile\/metadata$/, namespace }, () => ({
        contents: JSON.stringify(ourMetadata()),
        loader: 'json',
      }));
      // They are told above.
      building.onLoad({ filter: /^libphonenumber-js\/mobile\/examples$/, namespace }, () => ({
        contents: 'export default undefined;',
      }));
    },
  };
}

function ourMetadata() {
  const of = <Value>(table: Readonly<Record<string, Value>>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, table[name]]));
  return {
    country_calling_codes: of<unknown>(
      metadata.country_calling_codes,
      countries.map(({ dialingCode }) => dialingCode),
    ),
    countries: of<unknown>(
      metadata.countries,
      countries.map(({ iso2 }) => iso2),
    ),
  };
}

/** A number of each country, and how it is written at home. */
function ourExamples() {
  const told = countries.map(({ iso2 }) => {
    const number = getExampleNumber(iso2 as CountryCode, examples);
    if (!number) throw new Error(`there is no example of a number in ${iso2}`);
    const { nationalNumber } = number;
    return [iso2, { nationalNumber, national: number.formatNational() }];
  });
  return Object.fromEntries(told);
}

/** A table of a hundred kilobytes is read as JSON in a fraction of the time that it takes as a program. */
function wholeTablesAsJson(): Plugin {
  return {
    name: 'whole-tables-as-json',
    setup(building) {
      building.onResolve({ filter: new RegExp(`^${phonesPath}$`) }, () => ({
        path: phonesPath,
        namespace: phonesPath,
      }));
      building.onLoad({ filter: /^/, namespace: phonesPath }, () => ({
        contents: "export { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';",
        resolveDir: project,
      }));
      building.onLoad({ filter: /metadata\.mobile\.json\.js$/ }, async ({ path }) => {
        const { default: table } = (await import(path)) as { default: unknown };
        return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(table))});` };
      });
    },
  };
}

/** In place of the package escalade: yargs would look for the package of whoever stands in the current folder. */
function ownPackage(): Plugin {
  const namespace = 'own-package';
  return {
    name: namespace,
    setup(building) {
      building.onResolve({ filter: /^escalade\/sync$/ }, ({ path }) => ({ path, namespace }));
      building.onLoad({ filter: /^/, namespace }, () => ({
        contents:
          "import { fileURLToPath } from 'node:url'; export default () => fileURLToPath(new URL('../../package.json', import.meta.url));",
      }));
    },
  };
}

/** It is built for one version: nobody has to read it from the package each time. */
function ownVersion(): Plugin {
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return {
    name: 'own-version',
    setup(building) {
      building.onLoad({ filter: /\/library\/version\.ts$/ }, () => ({
        contents: `export const version = ${JSON.stringify(version)};`,
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

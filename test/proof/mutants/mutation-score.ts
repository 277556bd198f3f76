import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuse } from '../refuse.ts';

/**
 * Stryker changes every sign of the code on which money rests, one at a time, and counts the changes that no unit test
 * notices. It is not one of the project's packages, for it is as large as all of them: it is fetched for the occasion,
 * into a copy. `npm run mutation -- money states` measures those alone, and leaves the figures of the others.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const stryker = '9.6.1';

const subjects: Readonly<Record<string, readonly string[]>> = {
  money: ['src/domain/money/money.ts', 'src/domain/row/read-decimal.ts', 'src/domain/row/split-amount.ts'],
  reference: ['src/domain/reference.ts'],
  states: ['src/domain/payout/payout-state.ts', 'src/domain/payout/row-fate.ts'],
  names: ['src/domain/names/*.ts'],
  outcomes: ['src/service/call-outcome.ts', 'src/domain/payout/judge-transaction.ts'],
};

const words = process.argv.slice(2);
const known = Object.keys(subjects).join(', ');
if (words.includes('--help')) {
  process.stdout.write(`npm run mutation -- [SUBJECT…]\nMeasures all of them, or those alone: ${known}.\n`);
  process.exit(0);
}
const strange = words.filter((word) => !Object.hasOwn(subjects, word));
if (strange.length > 0) refuse(`There is no subject ${strange.join(', ')}. There are these: ${known}.`);
const chosen = Object.entries(subjects).filter(([subject]) => words.length === 0 || words.includes(subject));

const tests = [
  'test/domain/**/*.test.ts',
  'test/service/call-outcome.test.ts',
  'test/journal/moves.test.ts',
  'test/pipeline/3-plan-batch.test.ts',
  'test/file/rows/amount-sums.test.ts',
];

const copy = mkdtempSync(join(tmpdir(), 'payrun-stryker-'));
try {
  for (const part of [
    'src',
    'test',
    'node_modules',
    'package.json',
    'tsconfig.json',
    'samples',
    'schemas',
    'docs',
  ]) {
    cpSync(join(root, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  }
  write(
    'vitest.config.ts',
    `export default { test: { include: ${JSON.stringify(tests)}, testTimeout: 60_000 } };\n`,
  );
  drawLess(join(copy, 'test', 'domain'));
  write(
    'stryker.config.json',
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      mutate: chosen.flatMap(([, patterns]) => patterns),
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: 'mutation.json' },
      concurrency: 2,
      coverageAnalysis: 'perTest',
      timeoutMS: 5_000,
      ignoreStatic: true,
      inPlace: true,
      allowEmpty: false,
    }),
  );
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${stryker}`);
  command('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  command('npx', ['stryker', 'run', 'stryker.config.json']);
  const report = JSON.parse(readFileSync(join(copy, 'mutation.json'), 'utf8')) as Report;
  const page = join(root, 'docs', 'guarantees.md');
  const text = readFileSync(page, 'utf8');
  process.stdout.write(`${[...unnoticed(report), '', tableOf(report, text)].join('\n')}\n`);
  writeFileSync(
    page,
    text.replace(
      /<!-- mutation -->[\s\S]*<!-- \/mutation -->/,
      `<!-- mutation -->\n\n${tableOf(report, text)}\n\n<!-- /mutation -->`,
    ),
  );
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Thousands of draws find the rare case; two thousand times over they take a night, and a change is seldom that rare. */
function drawLess(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.test.ts')) continue;
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/numRuns: [\d_]+/g, 'numRuns: 50'));
  }
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** The changes that no test noticed, each with its line: what a further test would have to be about. */
function unnoticed({ files }: Report): string[] {
  return Object.entries(files).flatMap(([path, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, mutatorName, replacement = '', location: { start } }) => {
        const line = lines[start.line - 1]?.trim() ?? '';
        return `${path}:${start.line}:${start.column} ${status} ${mutatorName}\n  ${line}\n  ${replacement.replaceAll(/\s+/g, ' ')}`;
      });
  });
}

function tableOf({ files }: Report, page: string): string {
  const rows = Object.entries(subjects).map(([subject, patterns]) => {
    if (!chosen.some(([each]) => each === subject)) {
      const kept = new RegExp(`^\\| ${subject} \\|.*$`, 'm').exec(page)?.[0];
      return kept ?? `| ${subject} | not measured yet | | |`;
    }
    const mutants = Object.entries(files)
      .filter(([path]) => patterns.some((pattern) => fits(path, pattern)))
      .flatMap(([, file]) => file.mutants);
    const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
    const killed = count('Killed', 'Timeout');
    const valid = killed + count('Survived', 'NoCoverage');
    return `| ${subject} | ${valid} | ${killed} | ${valid === 0 ? '' : `${((100 * killed) / valid).toFixed(1)} %`} |`;
  });
  return ['| what | changes | noticed | score |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function fits(path: string, pattern: string): boolean {
  return pattern.endsWith('*.ts') ? path.startsWith(pattern.slice(0, -'*.ts'.length)) : path === pattern;
}

function write(name: string, text: string): void {
  writeFileSync(join(copy, name), text);
}

function command(name: string, args: readonly string[]): void {
  const { status } = spawnSync(name, args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${status}`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';

export interface MutantsRun {
  readonly tried: number;
  /** Those over which their test went red. */
  readonly red: readonly string[];
  /** Those that nothing noticed, and those that could not be tried, each with the reason. */
  readonly survived: readonly string[];
}

/**
 * Applies each deliberate fault to a copy of payrun, one at a time, and runs the test that must notice. A test that is
 * red without any fault would prove nothing, so each is first seen green.
 */
export async function runMutants(
  chosen: readonly Mutant[],
  say: (line: string) => void,
): Promise<MutantsRun> {
  const copy = mkdtempSync(join(tmpdir(), 'payrun-mutants-'));
  const leave = removeWhenStopped(copy);
  const red: string[] = [];
  const survived: string[] = [];
  try {
    fill(copy);
    await build(copy);
    const unfit = new Set<string>();
    for (const mutant of new Map(chosen.map((each) => [witnessOf(each), each])).values()) {
      const { failed, passed } = await runTest(copy, mutant);
      const isGreen = failed === 0 && passed > 0;
      if (!isGreen) unfit.add(witnessOf(mutant));
      say(`${isGreen ? 'green' : 'NOT GREEN'} without a fault: ${witnessOf(mutant)}`);
    }
    for (const mutant of chosen) {
      const trouble = unfit.has(witnessOf(mutant))
        ? `${witnessOf(mutant)} is not green without it`
        : await tryMutant(copy, mutant);
      if (trouble === undefined) red.push(mutant.name);
      else survived.push(`${mutant.name}: ${trouble}`);
      say(
        `${trouble === undefined ? 'red' : 'SURVIVED'}: ${mutant.name}${trouble === undefined ? '' : ` (${trouble})`}`,
      );
    }
  } finally {
    leave();
  }
  return { tried: chosen.length, red, survived };
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const parts = [
  'src',
  'test',
  'samples',
  'schemas',
  'docs',
  'scripts',
  'README.md',
  'package.json',
  'tsconfig.json',
];

/** Stopped by a signal, it takes what it started and the copy along; what is given back removes the copy at the end. */
function removeWhenStopped(copy: string): () => void {
  // What was just killed may still be writing.
  const remove = () => rmSync(copy, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const stop = (signal: NodeJS.Signals) => {
    if (running) killGroup(running);
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    remove();
  };
}

function fill(copy: string): void {
  for (const part of [...parts, 'tsconfig.build.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  mkdirSync(join(copy, 'node_modules'), { recursive: true });
  rmSync(join(copy, 'node_modules'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Every project of the real configuration builds first, with types; a fault need not be well typed to be a fault.
  writeFileSync(
    join(copy, 'vitest.config.ts'),
    `const globalSetup = process.env['PAYRUN_TEST_STORE'] ? ['test/support/start-postgres.ts'] : [];
export default { test: { include: ['test/**/*.test.ts'], globalSetup, testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: ${Math.min(2, availableParallelism())} } };\n`,
  );
}

/** Undefined when its test went red. */
async function tryMutant(copy: string, mutant: Mutant): Promise<string | undefined> {
  const { file, from, to } = mutant;
  const path = join(copy, file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(from).length !== 2) return `its place in ${file} is not there, or not the only one`;
  writeFileSync(
    path,
    sound.replace(from, () => to),
  );
  try {
    await build(copy);
    return (await runTest(copy, mutant)).failed > 0 ? undefined : `${witnessOf(mutant)} stayed green`;
  } finally {
    writeFileSync(path, sound);
  }
}

async function build(copy: string): Promise<void> {
  await run(copy, ['tsc', '-p', 'tsconfig.build.json', '--noCheck']);
  await run(copy, ['tsx', 'scripts/write-command.ts']);
}

let running: ChildProcess | undefined;
const limitMs = 240_000;

/** Its exit code, null where it was killed because it took too long. It leads a group of its own, to go as a whole. */
async function run(copy: string, args: readonly string[], store?: string): Promise<number | null> {
  const env = { ...process.env, ...(store === undefined ? {} : { PAYRUN_TEST_STORE: store }) };
  const child = spawn('npx', args, { cwd: copy, env, stdio: 'ignore', detached: true });
  running = child;
  const limit = setTimeout(() => killGroup(child), limitMs);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  running = undefined;
  return status;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself just now.
  }
}

/** Which test must notice, as it is told. */
function witnessOf({ test, title }: Mutant): string {
  return title === undefined ? test : `${test} (${title})`;
}

/** How many tests of a file failed and passed. One that hangs has failed. */
async function runTest(copy: string, { test, title }: Mutant): Promise<{ failed: number; passed: number }> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const wanted = title ? ['-t', title] : [];
  const reporting = ['--reporter=json', `--outputFile=${report}`, '--bail=1'];
  const store = test.startsWith('test/shared-journal/') ? 'postgres' : undefined;
  const status = await run(copy, ['vitest', 'run', test, ...wanted, ...reporting], store);
  try {
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
      string,
      number
    >;
    return { failed: numFailedTests ?? 0, passed: numPassedTests ?? 0 };
  } catch {
    return { failed: status === 0 ? 0 : 1, passed: 0 };
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { findPostgres, startPostgres } from '../test/support/postgres.ts';
import { makePayroll } from './make-payroll.ts';
import { initOf, payRun } from './programs.ts';
import { runProgram } from './run-program.ts';
import { startService } from './start-service.ts';
import { spreadOf } from './statistics.ts';

/**
 * Workers over a shared journal: how much faster several are than one, and what a row takes of the processor beside a run over
 * a journal in a file. All on one machine: beyond its cores they only wait for each other.
 */
const flags = await yargs(hideBin(process.argv))
  .usage('npx tsx bench/workers.ts')
  .option('rows', { type: 'number', default: 4_000 })
  .option('latency', { type: 'number', default: 50, describe: 'Of every answer of the service, in ms' })
  .option('concurrency', { type: 'number', default: 32, describe: 'Of each worker' })
  .option('crews', {
    type: 'array',
    number: true,
    default: [0, 1, 2],
    describe: 'Workers; 0: a run over SQLite',
  })
  .option('chunk', { type: 'number', describe: 'Payees in a chunk' })
  .option('rounds', { type: 'number', default: 1 })
  .option('log', { type: 'string', describe: 'A folder for what workers say, and the results' })
  .option('profile', { type: 'string', describe: 'A folder for profiles of the workers' })
  .strictOptions()
  .parseAsync();

interface Taken {
  readonly rowsASecond: number;
  /** Of those who pay, a row. */
  readonly cpuUs: number;
  readonly postgresUs: number;
  readonly peakMb: number;
  readonly calls: number;
}

const payrun = fileURLToPath(new URL('../dist/command/payrun.js', import.meta.url));
const usage = new URL('./usage.mjs', import.meta.url).href;
const programs = findPostgres();
if (programs === undefined) throw new Error('no Postgres is installed');

const rounds: Map<number, Taken>[] = [];
for (let round = 0; round < flags.rounds; round += 1) {
  const crews = round % 2 === 0 ? flags.crews : flags.crews.toReversed();
  const taken = new Map<number, Taken>();
  for (const crew of crews) {
    const figures = await (crew === 0 ? measureRun() : measureCrew(crew));
    taken.set(crew, figures);
    say(crew, figures);
  }
  rounds.push(taken);
}
for (const [crew, base] of [
  [2, 1],
  [4, 1],
  [1, 0],
  [2, 0],
] as const)
  compare(crew, base);

function say(crew: number, { rowsASecond, cpuUs, postgresUs, peakMb, calls }: Taken): void {
  const who = crew === 0 ? 'a run over SQLite' : `workers: ${crew}`;
  process.stdout.write(
    `${who.padEnd(18)} ${rowsASecond.toFixed(1)} rows/s, CPU a row ${cpuUs.toFixed(0)} + Postgres ${postgresUs.toFixed(0)} µs, peak ${peakMb.toFixed(0)} MB, ${calls.toFixed(2)} calls a row\n`,
  );
}

function compare(crew: number, base: number): void {
  const ratios = (of: (taken: Taken) => number) =>
    rounds.flatMap((taken) => {
      const [one, other] = [taken.get(crew), taken.get(base)];
      return one && other ? [of(one) / of(other)] : [];
    });
  const speed = ratios(({ rowsASecond }) => rowsASecond);
  if (speed.length === 0) return;
  const cpu = ratios(({ cpuUs, postgresUs }) => cpuUs + postgresUs);
  process.stdout.write(
    `${crew} against ${base}: rows/s ${spreadOf(speed).median.toFixed(2)}, CPU a row ${spreadOf(cpu).median.toFixed(2)}\n`,
  );
}

async function measureRun(): Promise<Taken> {
  const place = await openPlace();
  try {
    const options = { folder: place.folder, origin: place.origin, shim: undefined };
    runProgram(initOf(place), options);
    const used = runProgram(payRun(place, 'measured'), options);
    return {
      ...(await place.paid()),
      cpuUs: used.cpuUs / flags.rows,
      postgresUs: 0,
      peakMb: used.peakKb / 1024,
    };
  } finally {
    place.close();
  }
}

async function measureCrew(crew: number): Promise<Taken> {
  const place = await openPlace();
  const cluster = await startPostgres(programs ?? '');
  const env = { PAYRUN_JOURNAL_URL: cluster.url };
  const options = { folder: place.folder, origin: place.origin, shim: undefined, env };
  const workers: ChildProcess[] = [];
  try {
    runProgram(initOf(place), options);
    const before = postgresCpuUs(cluster.port);
    for (let number = 0; number < crew; number += 1) workers.push(await startWorker(place, env, number));
    const chunk = flags.chunk === undefined ? [] : ['--chunk', String(flags.chunk)];
    runProgram([...payRun(place, 'measured'), '--workers', ...chunk], options);
    const after = postgresCpuUs(cluster.port);
    const used = await Promise.all(workers.map((worker, number) => dismiss(worker, place.folder, number)));
    const sum = (of: (each: WorkerUsage) => number) => used.reduce((all, each) => all + of(each), 0);
    return {
      ...(await place.paid()),
      cpuUs: sum(({ cpuUs }) => cpuUs) / flags.rows,
      postgresUs: (after - before) / flags.rows,
      peakMb: Math.max(...used.map(({ peakKb }) => peakKb)) / 1024,
    };
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await cluster.remove();
    place.close();
  }
}

async function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
  const service = await startService({ latencyMs: flags.latency });
  const file = join(folder, 'payroll.csv');
  await makePayroll(file, flags.rows);
  return {
    ...{ folder, file, origin: service.origin, concurrency: flags.concurrency },
    /** From the first account that was made to the last call. */
    async paid(): Promise<Pick<Taken, 'rowsASecond' | 'calls'>> {
      const { payouts, calls, payingMs } = await service.counts();
      if (payouts !== flags.rows) throw new Error(`${payouts} of ${flags.rows} rows were paid`);
      return { rowsASecond: (flags.rows * 1000) / payingMs, calls: calls / flags.rows };
    },
    close(): void {
      service.stop();
      const results = join(folder, 'measured.results.csv');
      if (flags.log !== undefined && existsSync(results)) cpSync(results, join(flags.log, 'results.csv'));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Place = Awaited<ReturnType<typeof openPlace>>;

interface WorkerUsage {
  readonly cpuUs: number;
  readonly peakKb: number;
}

/** It is there, and waits for something to do. */
async function startWorker(
  { folder, origin, concurrency }: Place,
  env: NodeJS.ProcessEnv,
  number: number,
): Promise<ChildProcess> {
  const workspace = join(folder, `machine-${number}`);
  const all = {
    ...env,
    ...{ PATH: process.env['PATH'], HOME: folder, PAYRUN_BASE_URL: origin },
    ...{ PAYRUN_API_KEY: 'sk_bench', PAYRUN_PUBLIC_KEY: 'pk_bench' },
  };
  spawnSync(process.execPath, [payrun, 'init', '--workspace', workspace], { env: all });
  const log = join(flags.log ?? folder, `worker-${number}.log`);
  if (flags.log !== undefined) mkdirSync(flags.log, { recursive: true });
  const profiling =
    flags.profile === undefined
      ? []
      : ['--cpu-prof', '--cpu-prof-dir', flags.profile, '--cpu-prof-interval', '400'];
  const worker = spawn(
    process.execPath,
    [
      ...[...profiling, '--import', usage, payrun, 'worker', '--workspace', workspace],
      ...['--concurrency', String(concurrency)],
    ],
    {
      env: { ...all, PAYRUN_BENCH_USAGE: join(folder, `usage-${number}.json`) },
      stdio: ['ignore', 'ignore', openSync(log, 'w')],
    },
  );
  // It says where it works as soon as it is there. Nobody can listen while the run is waited for.
  while (readFileSync(log, 'utf8') === '') await setTimeout(50);
  return worker;
}

async function dismiss(worker: ChildProcess, folder: string, number: number): Promise<WorkerUsage> {
  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  await ended;
  return JSON.parse(readFileSync(join(folder, `usage-${number}.json`), 'utf8')) as WorkerUsage;
}

/** Of the server and all its processes, those that have ended too. */
function postgresCpuUs(port: number): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' });
  const processes = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  const [server] = processes.find((words) => words.includes(`-p`) && words.includes(String(port))) ?? [];
  const all = processes.filter(([pid, parent]) => pid === server || parent === server);
  return all.reduce((sum, [pid]) => sum + ticksOf(pid ?? '', pid === server) * 10_000, 0);
}

/** In hundredths of a second. */
function ticksOf(pid: string, withEnded: boolean): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return fields.slice(11, withEnded ? 15 : 13).reduce((sum, each) => sum + each, 0);
  } catch {
    return 0;
  }
}

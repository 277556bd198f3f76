import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Queue = 'bullmq' | 'dbos';

export interface QueueServer {
  /** How it is reached. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => void;
}

const needed = {
  bullmq: { package: 'bullmq', programs: ['redis-server', 'redis-cli'] },
  dbos: { package: '@dbos-inc/dbos-sdk', programs: ['initdb', 'postgres', 'pg_isready'] },
} as const;

/** Why a queue is not compared with here; undefined where it is. */
export function whyMissing(queue: Queue): string | undefined {
  const { package: name, programs } = needed[queue];
  const modules = fileURLToPath(new URL('./queues/node_modules/', import.meta.url));
  if (!existsSync(join(modules, name))) return `${name} is not installed (npm install in bench/queues)`;
  const absent = programs.find((program) => spawnSync(program, ['--version']).status !== 0);
  return absent && `${absent} is not installed`;
}

/** A server of its own for the measured process, in a folder that is thrown away. */
export function startQueue(queue: Queue, folder: string): Promise<QueueServer> {
  return queue === 'dbos' ? startPostgres(folder) : startRedis(folder);
}

async function startRedis(folder: string): Promise<QueueServer> {
  const port = String(await freePort());
  const args = ['--port', port, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'everysec'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  await until(() => spawnSync('redis-cli', ['-p', port, 'ping']).status === 0);
  return { env: { PAYRUN_BENCH_REDIS: `redis://127.0.0.1:${port}` }, stop: stopOf(server) };
}

/** Postgres does not run as root: there it runs as the user of that name. */
async function startPostgres(folder: string): Promise<QueueServer> {
  const cluster = mkdtempSync(join(tmpdir(), 'payrun-bench-postgres-'));
  const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asUser.length > 0) spawnSync('chown', ['postgres', cluster]);
  const run = (words: readonly string[]): [string, string[]] => {
    const [command = '', ...rest] = [...asUser, ...words];
    return [command, rest];
  };
  const made = spawnSync(...run(['initdb', '-D', cluster, '-U', 'bench', '-A', 'trust', '-E', 'UTF8']));
  if (made.status !== 0) throw new Error(`no cluster could be made: ${made.stderr}`);
  const port = String(await freePort());
  const served = run(['postgres', '-D', cluster, '-p', port, '-k', cluster, '-h', '127.0.0.1']);
  const server = spawn(...served, { stdio: 'ignore', cwd: folder });
  await until(() => spawnSync('pg_isready', ['-h', '127.0.0.1', '-p', port]).status === 0);
  const stop = () => {
    stopOf(server)();
    rmSync(cluster, { recursive: true, force: true });
  };
  return { env: { PAYRUN_BENCH_POSTGRES: `postgresql://bench@127.0.0.1:${port}/postgres` }, stop };
}

function stopOf(server: ChildProcess): () => void {
  return () => void server.kill('SIGINT');
}

async function until(isReady: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('a server did not come up');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

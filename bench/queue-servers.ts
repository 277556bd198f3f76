import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.ts';
import { findPostgres, startPostgres } from '../test/support/postgres.ts';

export type Queue = 'bullmq' | 'dbos';

export interface QueueServer {
  /** How it is reached. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => void;
}

const needed = {
  bullmq: { package: 'bullmq', programs: ['redis-server', 'redis-cli'] },
  dbos: { package: '@dbos-inc/dbos-sdk', programs: [] },
} as const;

/** Why a queue is not compared with here; undefined where it is. */
export function whyMissing(queue: Queue): string | undefined {
  const { package: name, programs } = needed[queue];
  const modules = fileURLToPath(new URL('./queues/node_modules/', import.meta.url));
  if (!existsSync(join(modules, name))) return `${name} is not installed (npm install in bench/queues)`;
  if (queue === 'dbos' && findPostgres() === undefined) return 'Postgres is not installed';
  const absent = programs.find((program) => spawnSync(program, ['--version']).status !== 0);
  return absent && `${absent} is not installed`;
}

/** A server of its own for the measured process, in a folder that is thrown away. */
export function startQueue(queue: Queue, folder: string): Promise<QueueServer> {
  return queue === 'dbos' ? startPostgresServer() : startRedis(folder);
}

async function startRedis(folder: string): Promise<QueueServer> {
  const port = String(await freePort());
  const args = ['--port', port, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'everysec'];
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  await until(() => spawnSync('redis-cli', ['-p', port, 'ping']).status === 0);
  return { env: { PAYRUN_BENCH_REDIS: `redis://127.0.0.1:${port}` }, stop: stopOf(server) };
}

/** On a disk, as its users have it. */
async function startPostgresServer(): Promise<QueueServer> {
  const cluster = await startPostgres(findPostgres() ?? '', tmpdir());
  return { env: { PAYRUN_BENCH_POSTGRES: cluster.url }, stop: () => void cluster.remove() };
}

/** Asked to end, it would want to save first, and refuse where its folder is gone. */
function stopOf(server: ChildProcess): () => void {
  return () => void server.kill('SIGKILL');
}

async function until(isReady: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('a server did not come up');
}

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

/** Where its programs are: on the path, or where Debian puts them; undefined where there is none, or nobody to run it. */
export function findPostgres(): string | undefined {
  if (isRoot() && spawnSync('runuser', ['-u', 'postgres', '--', 'true']).status !== 0) return undefined;
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...versions.map((each) => join(debian, each, 'bin')),
  ];
  return folders.find((folder) =>
    ['initdb', 'pg_ctl', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

export interface PostgresCluster {
  /** Of its first database, for the user who owns everything. */
  readonly url: string;
  readonly port: number;
  /** As a machine does that loses power, or nicely. */
  stop(mode: 'immediate' | 'fast'): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A server of its own that a test may kill. It does not run as root: there it runs as the user of its name. */
export async function startPostgres(programs: string, parent = inMemory()): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(parent, 'payrun-postgres-'));
  if (isRoot()) spawnSync('chown', ['postgres', folder]);
  const data = join(folder, 'data');
  const run = async (program: string, ...args: readonly string[]): Promise<void> => {
    const words = [join(programs, program), ...args];
    const [command = '', ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...words] : words;
    await promisify(execFile)(command, rest, { cwd: folder });
  };
  await run('initdb', '-D', data, '-U', 'payrun', '-A', 'trust', '-E', 'UTF8', '--no-locale');
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -h 127.0.0.1 -c max_connections=300`;
  const start = () => run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
  await start();
  return {
    url: `postgres://payrun@127.0.0.1:${port}/postgres`,
    port,
    start,
    async stop(mode) {
      const stopped = run('pg_ctl', '-D', data, '-m', mode, '-t', '10', '-w', 'stop');
      // On a machine without power nothing is left to wait for.
      await (mode === 'immediate' ? stopped.catch(() => killServer(data)) : stopped);
    },
    async remove() {
      try {
        await run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
      } catch {
        // It was down already.
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function killServer(data: string): void {
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

/** Where the system has such a place: a test waits for no disk. */
function inMemory(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

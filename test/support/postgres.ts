import { execFile, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  return folders.find((folder) => programsUsed.every((name) => existsSync(join(folder, name))));
}

/** All from one place: where somebody linked a few of them onto the path, the others are elsewhere. */
const programsUsed = ['initdb', 'pg_ctl', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore'];

export interface PostgresCluster {
  /** Of its first database, for the user who owns everything. */
  readonly url: string;
  readonly port: number;
  /** As a machine does that loses power, or nicely. */
  stop(mode: 'immediate' | 'fast'): Promise<void>;
  start(): Promise<void>;
  /** What it wrote down so far. */
  log(): string;
  remove(): Promise<void>;
}

/** A server that follows another one and may take its place. */
export interface PostgresStandby extends PostgresCluster {
  promote(): Promise<void>;
}

/** Where other machines reach a server: by TLS alone, as payrun speaks to no other. */
interface ReachedAbroad {
  readonly address: string;
  readonly key: string;
  readonly cert: string;
}

/** A server of its own that a test may kill. It does not run as root: there it runs as the user of its name. */
export async function startPostgres(
  programs: string,
  parent = inMemory(),
  abroad?: ReachedAbroad,
): Promise<PostgresCluster> {
  const place = makePlace(programs, parent);
  await place.run('initdb', '-D', place.data, '-U', 'payrun', '-A', 'trust', '-E', 'UTF8', '--no-locale');
  if (abroad) letIn(place, abroad);
  return startIn(place, abroad ? `127.0.0.1,${abroad.address}` : '127.0.0.1');
}

/** One that follows the other, without keeping it waiting: what it has not heard of when that one dies, it never will. */
export async function followPostgres(programs: string, primary: PostgresCluster): Promise<PostgresStandby> {
  const place = makePlace(programs, inMemory());
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'payrun'];
  await place.run('pg_basebackup', ...from, '-D', place.data, '-R', '-c', 'fast');
  const started = await startIn(place, '127.0.0.1');
  return { ...started, promote: () => place.run('pg_ctl', '-D', place.data, '-w', 'promote') };
}

interface ServerPlace {
  readonly folder: string;
  readonly data: string;
  run(program: string, ...args: readonly string[]): Promise<void>;
}

function makePlace(programs: string, parent: string): ServerPlace {
  const folder = mkdtempSync(join(parent, 'payrun-postgres-'));
  ownedByServer(folder);
  return {
    folder,
    data: join(folder, 'data'),
    async run(program, ...args) {
      const words = [join(programs, program), ...args];
      const [command = '', ...rest] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...words] : words;
      await promisify(execFile)(command, rest, { cwd: folder });
    },
  };
}

function letIn({ folder, data }: ServerPlace, { key, cert }: ReachedAbroad): void {
  for (const [name, text] of Object.entries({ key, cert })) {
    const path = join(folder, `${name}.pem`);
    writeFileSync(path, text, { mode: 0o600 });
    ownedByServer(path);
  }
  const files = `ssl_key_file = '${folder}/key.pem'\nssl_cert_file = '${folder}/cert.pem'\n`;
  appendFileSync(join(data, 'postgresql.conf'), `ssl = on\n${files}`);
  appendFileSync(join(data, 'pg_hba.conf'), 'hostssl all all all trust\n');
}

async function startIn({ folder, data, run }: ServerPlace, addresses: string): Promise<PostgresCluster> {
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -h ${addresses} -c max_connections=300`;
  const start = () => run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
  await start();
  return {
    url: `postgres://payrun@127.0.0.1:${port}/postgres`,
    port,
    start,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
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

function ownedByServer(path: string): void {
  if (isRoot()) spawnSync('chown', ['postgres', path]);
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

import { readFileSync } from 'node:fs';
import type { EnvironmentKind } from '../../domain/environment/environment.ts';
import { isLoopback } from '../../domain/environment/is-loopback.ts';
import { PayrunError } from '../../errors.ts';

/** Where a shared journal stands, as the driver wants it. */
export interface SharedAccess {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Of the database; where several journals stand in one, each has its own. */
  readonly schema: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ssl: false | { readonly rejectUnauthorized: true; readonly ca?: string | undefined };
}

const usualPort = 5432;

/**
 * `postgres://user:password@host:port/database`, with `?sslrootcert=FILE` for a private authority and `?host=/folder` for a
 * socket, `?schema=name` where several journals stand in one database. A server elsewhere is spoken to by TLS alone, and must be the one it says it is.
 */
export function readSharedUrl(text: string): SharedAccess {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw invalid('it does not begin with postgres:// or cannot be read');
  const { searchParams: extras } = url;
  // Read as it stands, part of a password would be a host or a database, and be shown as such.
  if (/[@/]/.test(url.pathname.slice(1)))
    throw invalid('a user or password with @, / or the like is written with %40, %2F and so on');
  const strange = [...extras.keys()].find(
    (name) => !['host', 'schema', 'sslmode', 'sslrootcert'].includes(name),
  );
  if (strange !== undefined) throw invalid(`it has the parameter ${strange}, which payrun does not know`);
  const host = extras.get('host') ?? decodeURIComponent(url.hostname);
  if (host === '') throw invalid('it names no host');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw invalid('it names no database');
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPort : Number(url.port),
    database,
    schema: extras.get('schema') ?? 'payrun',
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    ssl: tlsFor(host, extras),
  };
}

function tlsFor(host: string, extras: URLSearchParams): SharedAccess['ssl'] {
  const mode = extras.get('sslmode') ?? 'verify-full';
  const file = extras.get('sslrootcert') ?? undefined;
  const isHere = host.startsWith('/') || isLoopback(host);
  if (isHere && file === undefined && extras.get('sslmode') !== 'verify-full') return false;
  if (mode !== 'verify-full')
    throw invalid(`sslmode=${mode} would let another server pose as it: only verify-full is taken`);
  return { rejectUnauthorized: true, ...(file === undefined ? {} : { ca: authorityIn(file) }) };
}

function authorityIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`sslrootcert cannot be read: ${(error as Error).message}`);
  }
}

/** Each kind of environment keeps its own memory, as it does in files of its own. */
export function schemaOf({ schema }: SharedAccess, kind: EnvironmentKind): string {
  return kind === 'live' ? schema : `${schema}_${kind}`;
}

/** For people: without user and password. */
export function placeOf({ host, port, database }: SharedAccess, schema: string): string {
  return `postgres://${host}:${port}/${database} (schema ${schema})`;
}

/** Never with the URL itself: it may hold a password. */
function invalid(why: string): PayrunError {
  return new PayrunError(
    'journal-url-invalid',
    `PAYRUN_JOURNAL_URL cannot be used: ${why}. It is written as postgres://user@host:5432/database.`,
  );
}

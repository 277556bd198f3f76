import type { Config } from '../../config.ts';
import type { Environment } from '../../domain/environment/environment.ts';
import { PayrunError } from '../../errors.ts';
import type { EnvironmentKind, ServiceAccess, ServiceChoice } from '../../index.ts';
import { defaultPrefix, sandboxPrefix } from '../../service/contract/prefixes.ts';
import { sayNotice } from '../terminal/say-notice.ts';
import { isOwnSandbox, isPaidAt, sandboxMarkVariable } from './own-sandbox.ts';
import { readCaFile } from './read-ca-file.ts';
import { readSecretFile } from './read-secret-file.ts';

const environmentWord = { sandbox: 'SANDBOX', test: 'TEST', live: 'LIVE' } as const satisfies Record<
  EnvironmentKind,
  string
>;

export type EnvironmentWord = (typeof environmentWord)[EnvironmentKind];

/** How the first line of every command calls a service. Only the word: what is asked of a live service is asked of any. */
export function wordOf(kind: EnvironmentKind, config: Config): EnvironmentWord {
  return isOwnSandbox(named(config), process.env[sandboxMarkVariable])
    ? environmentWord.sandbox
    : environmentWord[kind];
}

/** Of what was paid elsewhere, or under another key, the settings say nothing. */
export function ownSandboxIn(config: Config): (environment: Environment) => boolean {
  const access = named(config);
  const isOwn = isOwnSandbox(access, process.env[sandboxMarkVariable]);
  return (environment) => isOwn && isPaidAt(access, environment);
}

function named(config: Config): { readonly baseUrl: string; readonly publicKey: string } {
  return {
    baseUrl: process.env['PAYRUN_BASE_URL'] ?? config.baseUrl ?? '',
    publicKey: process.env['PAYRUN_PUBLIC_KEY'] ?? config.publicKey ?? '',
  };
}

/**
 * The service that the settings name; undefined where they name none. Missing credentials never fall back to the sandbox:
 * a cron job that lost its environment must not report success.
 */
export function serviceOf(sandbox: boolean, config: Config): ServiceChoice | undefined {
  if (sandbox) return 'sandbox';
  if ((process.env['PAYRUN_BASE_URL'] ?? config.baseUrl) === undefined) return undefined;
  const kind = apiPrefix(config) === sandboxPrefix ? 'test' : 'live';
  return { kind, access: () => accessOf(config) };
}

function accessOf(config: Config): ServiceAccess {
  const access = { ...credentials(config), prefix: apiPrefix(config), authorities: readCaFile() };
  // Certificates are checked whatever it says; Node would warn on every run that they are not.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  return access;
}

function apiPrefix(config: Config): string {
  return process.env['PAYRUN_API_PREFIX'] ?? config.apiPrefix ?? defaultPrefix;
}

/** All that is missing is said at once: nobody wants to mend it one run at a time. */
function credentials(config: Config): { baseUrl: string; publicKey: string; apiKey: string } {
  const { baseUrl, publicKey } = named(config);
  const apiKey = readApiKey();
  if (baseUrl === '' || publicKey === '' || apiKey === '') throw notSet(baseUrl, publicKey, apiKey);
  return { baseUrl, publicKey, apiKey };
}

function readApiKey(): string {
  const file = process.env['PAYRUN_API_KEY_FILE'];
  if (file === undefined || file === '') return process.env['PAYRUN_API_KEY'] ?? '';
  if (process.env['PAYRUN_API_KEY'])
    sayNotice('PAYRUN_API_KEY and PAYRUN_API_KEY_FILE are both set: the file is used.');
  return readSecretFile('PAYRUN_API_KEY_FILE', file, 'credentials-missing');
}

function notSet(
  baseUrl: string,
  publicKey: string,
  apiKey: string,
  otherwise = ', or try the embedded service with --sandbox.',
): PayrunError {
  const names = [
    ...(baseUrl ? [] : ['PAYRUN_BASE_URL']),
    ...(publicKey ? [] : ['PAYRUN_PUBLIC_KEY']),
    ...(apiKey ? [] : ['PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE)']),
  ];
  const last = names.at(-1) ?? '';
  const list = names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`;
  return new PayrunError(
    'credentials-missing',
    `${list} not set, so there is no service to speak to. Set ${names.length === 1 ? 'it' : 'them'}${otherwise}`,
  );
}

/** No address: what else is missing is said with it. */
export function noService(config: Config, otherwise?: string): PayrunError {
  const key = process.env['PAYRUN_API_KEY'] || process.env['PAYRUN_API_KEY_FILE'];
  return notSet('', process.env['PAYRUN_PUBLIC_KEY'] || config.publicKey || '', key ?? '', otherwise);
}

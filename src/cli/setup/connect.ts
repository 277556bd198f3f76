import type { Config } from '../../config.ts';
import { withoutTrailing } from '../../domain/text/without-trailing.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import type { AskedService } from '../../pipeline/plan-file.ts';
import type { Service, ServiceOptions } from '../../service/client.ts';
import { defaultPrefix, sandboxPrefix } from '../../service/contract/endpoints.ts';
import { type EnvironmentKind, sandboxStatePath } from '../../workspace.ts';
import { readCaFile } from './read-ca-file.ts';
import { readSecretFile } from './read-secret-file.ts';
import { version } from './version.ts';

export interface Connection {
  readonly service: Service;
  readonly kind: EnvironmentKind;
  /** Where it is, without the account: that is known once the profile was read. */
  readonly place: string;
  /** With which it is spoken to. */
  readonly publicKey: string;
  /** Only of the embedded service: the way to its control path. */
  readonly control: { readonly url: string; readonly apiKey: string } | undefined;
  close(): Promise<void>;
}

/** How the first line of every command calls them. */
export const environmentWord = { sandbox: 'SANDBOX', test: 'TEST', live: 'LIVE' } as const satisfies Record<
  EnvironmentKind,
  string
>;

type Tuning = Pick<ServiceOptions, 'timeoutMs' | 'concurrency' | 'ratePerSecond'>;

/** What kind of service the settings name; undefined where they name none. */
export function environmentKind(sandbox: boolean, config: Config): EnvironmentKind | undefined {
  if (sandbox) return 'sandbox';
  if ((process.env['PAYRUN_BASE_URL'] ?? config.baseUrl) === undefined) return undefined;
  return apiPrefix(config) === sandboxPrefix ? 'test' : 'live';
}

/**
 * The embedded service in this process, which keeps its state in the workspace if there is one, or the configured
 * service. Missing credentials never fall back to the sandbox: a
 * cron job that lost its environment must not report success.
 */
export async function connect(
  sandbox: boolean,
  workspace: string | undefined,
  config: Config,
  tuning: Tuning = {},
): Promise<Connection> {
  const { connectService } = await import('../../service/client.ts');
  if (sandbox) {
    const { startSandbox } = await import('../../sandbox/start-sandbox.ts');
    const embedded = await startSandbox({
      statePath: workspace === undefined ? undefined : sandboxStatePath(workspace),
    });
    const { url, apiKey, publicKey } = embedded;
    const service = connectService({ baseUrl: url, apiKey, publicKey, version, ...tuning });
    const close = async () => {
      await service.close();
      await embedded.close();
    };
    return { service, kind: 'sandbox', place: 'sandbox', publicKey, control: { url, apiKey }, close };
  }
  const { baseUrl, publicKey, apiKey } = credentials(config);
  const prefix = apiPrefix(config);
  const authorities = readCaFile();
  // Certificates are checked whatever it says; Node would warn on every run that they are not.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  const service = connectService({ baseUrl, apiKey, publicKey, version, prefix, authorities, ...tuning });
  return {
    service,
    kind: prefix === sandboxPrefix ? 'test' : 'live',
    place: `${withoutTrailing(baseUrl, '/')}${prefix}`,
    publicKey,
    control: undefined,
    close: () => service.close(),
  };
}

function apiPrefix(config: Config): string {
  return process.env['PAYRUN_API_PREFIX'] ?? config.apiPrefix ?? defaultPrefix;
}

/** All that is missing is said at once: nobody wants to mend it one run at a time. */
function credentials(config: Config): { baseUrl: string; publicKey: string; apiKey: string } {
  const baseUrl = process.env['PAYRUN_BASE_URL'] ?? config.baseUrl ?? '';
  const publicKey = process.env['PAYRUN_PUBLIC_KEY'] ?? config.publicKey ?? '';
  const apiKey = readApiKey();
  const missing = [
    ...(baseUrl === '' ? ['PAYRUN_BASE_URL'] : []),
    ...(publicKey === '' ? ['PAYRUN_PUBLIC_KEY'] : []),
    ...(apiKey === '' ? ['PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE)'] : []),
  ];
  if (missing.length > 0) throw notSet(missing);
  return { baseUrl, publicKey, apiKey };
}

function readApiKey(): string {
  const file = process.env['PAYRUN_API_KEY_FILE'];
  if (file === undefined || file === '') return process.env['PAYRUN_API_KEY'] ?? '';
  return readSecretFile('PAYRUN_API_KEY_FILE', file, 'credentials-missing');
}

function notSet(names: readonly string[]): PayrunError {
  const last = names.at(-1) ?? '';
  const list = names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`;
  return new PayrunError(
    'credentials-missing',
    exitCode.configuration,
    `${list} not set, so there is no service to speak to. Set ${names.length === 1 ? 'it' : 'them'}, or try the embedded service with --sandbox.`,
  );
}

/** The service as a plan asks it. On the embedded one the people of the file are made known first. */
export function askedOf({ service, place, publicKey, control }: Connection): AskedService {
  const prepare: AskedService['prepare'] =
    control && (async (payees) => (await import('./enrol-people.ts')).enrolPeople(control, payees));
  return { service, place, publicKey, prepare };
}

/** No address: what else is missing is said with it. */
export function noService(config: Config): PayrunError {
  const key = process.env['PAYRUN_API_KEY'] || process.env['PAYRUN_API_KEY_FILE'];
  return notSet([
    'PAYRUN_BASE_URL',
    ...(process.env['PAYRUN_PUBLIC_KEY'] || config.publicKey ? [] : ['PAYRUN_PUBLIC_KEY']),
    ...(key ? [] : ['PAYRUN_API_KEY (or PAYRUN_API_KEY_FILE)']),
  ]);
}

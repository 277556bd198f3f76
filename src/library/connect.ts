import type { Clock } from '../clock.ts';
import type { EnvironmentKind } from '../domain/environment/environment.ts';
import { withoutTrailing } from '../domain/text/without-trailing.ts';
import type { AskedService } from '../pipeline/plan/plan-options.ts';
import type { Service } from '../service/client.ts';
import { defaultPrefix, sandboxPrefix } from '../service/contract/prefixes.ts';
import type { Pulse } from '../service/pulse.ts';
import type { PaceShare } from '../service/shared-pace.ts';
import { sandboxStatePath } from '../workspace.ts';
import type { Settings } from './settings.ts';
import { version } from './version.ts';

/** Where a service is, and what opens it. */
export interface ServiceAccess {
  readonly baseUrl: string;
  readonly publicKey: string;
  readonly apiKey: string;
  /** Where its paths begin. */
  readonly prefix?: string | undefined;
  /** Certificates (PEM) of a private authority. */
  readonly authorities?: string | undefined;
}

/** Credentials that are read when they are first needed. */
export interface LaterAccess {
  readonly kind: 'test' | 'live';
  readonly access: () => ServiceAccess;
}

/** `sandbox`: the one that payrun brings along, which moves no real money. */
export type ServiceChoice = 'sandbox' | ServiceAccess | LaterAccess;

export interface Connection extends AskedService {
  readonly service: Service;
  readonly publicKey: string;
  close(): Promise<void>;
}

export function kindOf(choice: ServiceChoice): EnvironmentKind {
  if (choice === 'sandbox') return 'sandbox';
  if ('access' in choice) return choice.kind;
  return choice.prefix === sandboxPrefix ? 'test' : 'live';
}

interface ConnectExtras {
  readonly pulse?: Pulse | undefined;
  /** Of a worker: its calls and those of others keep one pace. */
  readonly paceShare?: PaceShare | undefined;
}

/** The embedded service in this process, which keeps its state in the workspace if there is one, or the given one. */
export async function connect(
  choice: ServiceChoice,
  workspace: string | undefined,
  { timeoutMs, concurrency, ratePerSecond }: Settings,
  clock: Clock,
  { pulse, paceShare }: ConnectExtras = {},
): Promise<Connection> {
  const { connectService } = await import('../service/client.ts');
  const tuning = { version, timeoutMs, concurrency, ratePerSecond, clock, pulse, paceShare };
  if (choice === 'sandbox') {
    const { startSandbox } = await import('../sandbox/start-sandbox.ts');
    const embedded = await startSandbox({
      statePath: workspace === undefined ? undefined : sandboxStatePath(workspace),
    });
    const { url, apiKey, publicKey } = embedded;
    const service = connectService({ baseUrl: url, apiKey, publicKey, ...tuning });
    return {
      service,
      place: 'sandbox',
      publicKey,
      prepare: async (payees) => (await import('./enrol-people.ts')).enrolPeople({ url, apiKey }, payees),
      close: async () => {
        await service.close();
        await embedded.close();
      },
    };
  }
  const access = 'access' in choice ? choice.access() : choice;
  const { baseUrl, publicKey, apiKey, prefix = defaultPrefix, authorities } = access;
  const service = connectService({ baseUrl, apiKey, publicKey, prefix, authorities, ...tuning });
  const place = `${withoutTrailing(baseUrl, '/')}${prefix}`;
  return { service, place, publicKey, close: () => service.close() };
}

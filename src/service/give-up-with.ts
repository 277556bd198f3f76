import type { Service } from './client.ts';
import { type EndpointName, endpoints } from './contract/endpoints.ts';
import type { CallOptions } from './sender.ts';

/** The same service, of which nothing is tried again once the signal is aborted. */
export function giveUpWith(service: Service, giveUp: AbortSignal): Service {
  const methods = (Object.keys(endpoints) as EndpointName[]).map((name) => {
    const method = service[name] as (request?: unknown, options?: CallOptions) => unknown;
    return [name, (request?: unknown, options?: CallOptions) => method(request, { ...options, giveUp })];
  });
  return { ...service, ...(Object.fromEntries(methods) as Partial<Service>) };
}

import { strict as assert } from 'node:assert';
import type * as z from 'zod';
import type { Endpoint } from './contract/endpoint.ts';
import { sandboxPrefix } from './contract/prefixes.ts';

export interface RequestParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Method, path and body of a call. A request that does not fit the contract is a bug of the caller's. */
export function httpRequest(
  endpoint: Endpoint,
  parts: RequestParts,
  place: { readonly basePath: string; readonly prefix: string },
): { readonly method: Endpoint['method']; readonly path: string; readonly body: string | undefined } {
  const prefix = endpoint.sandboxOnly ? sandboxPrefix : place.prefix;
  const params = fitting(endpoint, 'params', parts.params);
  const query = fitting(endpoint, 'query', parts.query);
  const body = fitting(endpoint, 'body', parts.body);

  const segments = params
    ? endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(String(params[name])))
    : endpoint.path;
  const search = query ? searchOf(query) : '';
  const path = `${place.basePath}${prefix}${segments}${search && `?${search}`}`;
  return { method: endpoint.method, path, body: body && JSON.stringify(body) };
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.map(([name, value]) => `${name}=${encoded(String(value))}`).join('&');
}

function fitting(
  endpoint: Endpoint,
  part: 'params' | 'query' | 'body',
  value: unknown,
): Record<string, unknown> | undefined {
  const schema: z.ZodType<Record<string, unknown>> | undefined = endpoint[part];
  const fit = schema?.safeParse(value);
  if (fit?.success) return fit.data;
  if (!schema && value === undefined) return undefined;
  // Places and rules only: the values may be account or card numbers.
  const faults = fit?.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
  const fault = fit ? `does not fit the contract: ${faults}` : 'is not part of the request';
  return assert.fail(`${endpoint.method} ${endpoint.path}: ${part} ${fault}`);
}

/** Half a surrogate pair makes encodeURIComponent throw: text that holds one is just not found. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

import type { Endpoint } from '../../service/contract/endpoint.ts';
import { type EndpointName, endpoints } from '../../service/contract/endpoints.ts';
import { defaultPrefix, sandboxPrefix } from '../../service/contract/prefixes.ts';

export type Match =
  | {
      readonly kind: 'endpoint';
      readonly name: EndpointName;
      readonly params: Record<string, string>;
      readonly test: boolean;
    }
  | { readonly kind: 'wrong-method' }
  | { readonly kind: 'none' };

const patterns = Object.entries(endpoints).map(([name, endpoint]: [string, Endpoint]) => ({
  name: name as EndpointName,
  method: endpoint.method,
  segments: endpoint.path.split('/').slice(1),
  sandboxOnly: endpoint.sandboxOnly === true,
}));

/** Finds the endpoint of a path, under either prefix. */
export function matchRoute(method: string, path: string): Match {
  const prefix = [sandboxPrefix, defaultPrefix].find((each) => path.startsWith(`${each}/`));
  if (prefix === undefined) return { kind: 'none' };
  const test = prefix === sandboxPrefix;
  const segments = path.slice(prefix.length + 1).split('/');
  let otherMethod = false;
  for (const pattern of patterns) {
    if (pattern.sandboxOnly && !test) continue;
    const params = paramsOf(pattern.segments, segments);
    if (!params) continue;
    if (pattern.method === method) return { kind: 'endpoint', name: pattern.name, params, test };
    otherMethod = true;
  }
  return { kind: otherMethod ? 'wrong-method' : 'none' };
}

/** Undefined where the path is another one, or is not encoded as an address is. */
function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  try {
    for (const [index, part] of pattern.entries()) {
      const segment = segments[index] ?? '';
      const isParam = part.startsWith('{');
      if (isParam ? segment === '' : segment !== part) return undefined;
      if (isParam) params[part.slice(1, -1)] = decodeURIComponent(segment);
    }
    return params;
  } catch {
    return undefined;
  }
}

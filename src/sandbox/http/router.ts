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

interface Pattern {
  readonly name: EndpointName;
  readonly method: string;
  readonly segments: readonly string[];
  readonly sandboxOnly: boolean;
}

const patterns: readonly Pattern[] = Object.entries(endpoints).map(
  ([name, endpoint]: [string, Endpoint]) => ({
    name: name as EndpointName,
    method: endpoint.method,
    segments: endpoint.path.split('/').slice(1),
    sandboxOnly: endpoint.sandboxOnly === true,
  }),
);

const fixed = new Map(
  patterns
    .filter(
      (pattern) => !pattern.sandboxOnly && pattern.segments.every((segment) => !segment.startsWith('{')),
    )
    .map((pattern) => [`${pattern.method} ${defaultPrefix}/${pattern.segments.join('/')}`, pattern.name]),
);

/** Finds the endpoint of a path, under either prefix. */
export function matchRoute(method: string, path: string): Match {
  const name = fixed.get(`${method} ${path}`);
  if (name !== undefined) return { kind: 'endpoint', name, params: {}, test: false };
  for (const prefix of [sandboxPrefix, defaultPrefix]) {
    if (!path.startsWith(`${prefix}/`)) continue;
    return matchBelow(method, path.slice(prefix.length + 1).split('/'), prefix === sandboxPrefix);
  }
  return { kind: 'none' };
}

function matchBelow(method: string, segments: readonly string[], test: boolean): Match {
  let otherMethod = false;
  for (const pattern of patterns) {
    if (pattern.sandboxOnly && !test) continue;
    const params = matchSegments(pattern.segments, segments);
    if (!params) continue;
    if (pattern.method === method) return { kind: 'endpoint', name: pattern.name, params, test };
    otherMethod = true;
  }
  return { kind: otherMethod ? 'wrong-method' : 'none' };
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith('{')) {
      if (part !== segment) return undefined;
    } else {
      const value = decoded(segment);
      if (value === undefined || value === '') return undefined;
      params[part.slice(1, -1)] = value;
    }
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

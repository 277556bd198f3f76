import type { EnvironmentKind } from '../../domain/environment/environment.ts';
import { sandboxPrefix } from '../../service/contract/prefixes.ts';

/** By the place of the service that results come from. */
export function kindOfPlace(place: string): EnvironmentKind {
  if (place === 'sandbox') return 'sandbox';
  return place.endsWith(sandboxPrefix) ? 'test' : 'live';
}

/** The event cell of a results file: `412:9f3c…`. Where no money moved it says so, `sandbox:412:9f3c…`. */
export function eventCell(kind: EnvironmentKind, event: string): string {
  return kind === 'live' ? event : `${kind}:${event}`;
}

export function splitEvent(cell: string): { readonly kind: EnvironmentKind; readonly event: string } {
  const [, kind = 'live', event = ''] = /^(?:(sandbox|test):)?(.*)$/s.exec(cell) ?? [];
  return { kind: kind as EnvironmentKind, event };
}

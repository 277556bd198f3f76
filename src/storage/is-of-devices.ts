import { dirname, resolve } from 'node:path';

/** `/dev/stdin`, or what a shell makes of `<(…)`: it has no name of its own, and nobody keeps files beside it. */
export function isOfDevices(path: string): boolean {
  return /^\/(?:dev|dev\/fd|proc\/[^/]+\/fd)$/.test(dirname(resolve(path)));
}

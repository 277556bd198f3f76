/**
 * Whether what was learnt at a time still holds. A time that is yet to come was written while the clock ran ahead: how
 * long ago that was nobody knows, so it holds no more.
 */
export function isFresh(atMs: number, nowMs: number, maxAgeMs: number): boolean {
  return atMs <= nowMs && nowMs - atMs <= maxAgeMs;
}

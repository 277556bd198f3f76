import { leavesWithinMs } from '../domain/leaves-within.ts';

/**
 * How long ago a send was begun, before its intent was written. By both clocks, for one of them stands still while a machine
 * sleeps and the other can be set.
 */
export interface BegunAgo {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/**
 * Asked where the first byte is written: a process that was frozen since it began, or a machine that slept, does not send what
 * others may long have looked for.
 */
export function mayStillLeave({ monotonicMs, wallMs }: BegunAgo): boolean {
  const isSoon = (passedMs: number) => Math.abs(passedMs) <= leavesWithinMs;
  return isSoon(monotonicMs) && isSoon(wallMs);
}

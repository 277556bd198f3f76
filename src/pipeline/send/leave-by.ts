import type { Clock } from '../../clock.ts';
import { leavesWithinMs } from '../../domain/leaves-within.ts';

/**
 * Begun before an intent is written, asked where the first byte is: a process that was frozen in between, or a machine
 * that slept, does not send what others may long have looked for. Both clocks must agree, for one of them stands still
 * while a machine sleeps and the other can be set.
 */
export function leaveBy(clock: Clock): () => boolean {
  const [begunMs, begunAtMs] = [clock.monotonicMs(), clock.nowMs()];
  const isSoon = (passedMs: number) => Math.abs(passedMs) <= leavesWithinMs;
  return () => isSoon(clock.monotonicMs() - begunMs) && isSoon(clock.nowMs() - begunAtMs);
}

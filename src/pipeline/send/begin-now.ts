import type { Clock } from '../../clock.ts';
import type { BegunAgo } from '../../service/begun-ago.ts';

/** Begun before an intent is written, asked where the first byte is. */
export function beginNow(clock: Clock): () => BegunAgo {
  const [begunMs, begunAtMs] = [clock.monotonicMs(), clock.nowMs()];
  return () => ({ monotonicMs: clock.monotonicMs() - begunMs, wallMs: clock.nowMs() - begunAtMs });
}

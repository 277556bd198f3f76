import type { Clock } from '../clock.ts';
import type { Heartbeat } from '../domain/heartbeat.ts';

/** Whether the service answers, for whoever watches: a run that waits for a dead host must not look like one that works. */
export interface Pulse {
  began(): void;
  ended(isAnswered: boolean): void;
  triedAgain(): void;
  read(): Heartbeat;
}

export function createPulse(clock: Pick<Clock, 'monotonicMs'>): Pulse {
  let silentSinceMs: number | undefined;
  let callsOpen = 0;
  let triedAgain = 0;
  return {
    began() {
      callsOpen += 1;
      silentSinceMs ??= clock.monotonicMs();
    },
    ended(isAnswered) {
      callsOpen -= 1;
      if (isAnswered) silentSinceMs = callsOpen > 0 ? clock.monotonicMs() : undefined;
    },
    triedAgain() {
      triedAgain += 1;
    },
    read: () => ({
      silentMs: silentSinceMs === undefined ? 0 : clock.monotonicMs() - silentSinceMs,
      callsOpen,
      triedAgain,
    }),
  };
}

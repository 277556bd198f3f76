import type { RunEvent } from '../../src/pipeline/run/run-events.ts';

/** What a run is told so that it is interrupted once it has said something so many times. */
export function stopAfter(
  count: number,
  isIt: (event: RunEvent) => boolean,
): { readonly signal: AbortSignal; readonly onEvent: (event: RunEvent) => void } {
  const stop = new AbortController();
  let seen = 0;
  const onEvent = (event: RunEvent) => {
    if (!isIt(event)) return;
    seen += 1;
    if (seen >= count) stop.abort();
  };
  return { signal: stop.signal, onEvent };
}

export function isAccepted(event: RunEvent): boolean {
  return event.kind === 'moved' && event.to === 'submitted';
}

/** The send of one is over. That it was accepted may not be journaled yet. */
export function isSent(event: RunEvent): boolean {
  return event.kind === 'stage' && event.stage === 'submit';
}

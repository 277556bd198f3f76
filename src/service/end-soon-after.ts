import type { Clock } from '../clock.ts';
import { whenAborted } from '../when-aborted.ts';
import { type EndpointName, endpoints } from './contract/endpoints.ts';
import type { CallOptions } from './sender.ts';

type Method = (request?: unknown, options?: CallOptions) => unknown;

/** So long an answer is still waited for: a service that answers at all has answered by then. */
const stillWaitedMs = 2_000;

export interface Ending<Service> {
  readonly service: Service;
  /** For when nothing is called any more. */
  letGo(): void;
}

/**
 * The same service for whoever may be told to stop: from then on nothing is tried again, and no answer waited for but a moment. A
 * payout that is being sent is not touched by that: it is awaited as long as its time-out says.
 */
export function endSoonAfter<Service extends object>(
  service: Service,
  stop: AbortSignal,
  clock: Clock,
): Ending<Service> {
  const unneeded = new AbortController();
  /** One for all that began before the stop: to make one takes longer than all else that is done here. */
  const begunBefore = new AbortController();
  const stopListening = whenAborted(stop, () => endSoon(begunBefore));

  function endSoon(calls: AbortController): AbortSignal {
    void clock.sleep(stillWaitedMs, unneeded.signal).then(() => calls.abort());
    return calls.signal;
  }

  /** What is begun later belongs to a payout whose send is over only now. */
  function until(given: AbortSignal | undefined): AbortSignal {
    const signal = stop.aborted ? endSoon(new AbortController()) : begunBefore.signal;
    return given ? AbortSignal.any([given, signal]) : signal;
  }

  const called = service as Readonly<Record<string, Method>>;
  const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => name !== 'createPayout');
  const methods = names.map((name) => {
    return [
      name,
      (request?: unknown, options?: CallOptions) =>
        called[name]?.(request, { ...options, signal: until(options?.signal), giveUp: stop }),
    ];
  });
  return {
    service: { ...service, ...(Object.fromEntries(methods) as Partial<Service>) },
    letGo() {
      stopListening();
      unneeded.abort();
    },
  };
}

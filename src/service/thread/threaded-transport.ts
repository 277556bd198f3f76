import type { Exchange } from '../exchange.ts';
import type { Transport, TransportOptions } from '../transport.ts';
import { type CallsThread, startCallsThread } from './start-calls-thread.ts';

/**
 * Makes exchanges in a thread of their own, where they go on while the journal is written here. Where the thread cannot be had, or
 * has ended, all is done here: only then is loaded what that takes.
 */
export function openThreadedTransport(
  options: TransportOptions,
  start: (options: TransportOptions) => Promise<CallsThread | undefined> = startCallsThread,
): Transport {
  const starting = start(options);
  let thread: CallsThread | undefined;
  let here: Promise<Transport> | undefined;
  /** Those that wait, or waited, to know where they are made. */
  const begun = new Set<Promise<Exchange>>();
  let isClosed = false;
  let closing: Promise<void> | undefined;

  async function present(): Promise<Transport> {
    thread ??= await starting;
    if (thread && !thread.hasEnded()) return thread;
    here ??= import('../transport.ts').then(({ openTransport }) => openTransport(options));
    return here;
  }

  async function close(): Promise<void> {
    await starting;
    await Promise.allSettled(begun);
    await Promise.all([thread?.close(), here?.then((transport) => transport.close())]);
  }

  return {
    exchange(request) {
      if (isClosed) return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'closed' });
      if (thread && !thread.hasEnded()) return thread.exchange(request);
      const exchange = present().then((transport) => transport.exchange(request));
      const done = () => begun.delete(exchange);
      begun.add(exchange);
      void exchange.then(done, done);
      return exchange;
    },
    close() {
      isClosed = true;
      closing ??= close();
      return closing;
    },
  };
}

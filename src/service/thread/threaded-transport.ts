import { Buffer } from 'node:buffer';
import type { Exchange } from '../exchange.ts';
import { type HttpRequest, openTransport, type Transport, type TransportOptions } from '../transport.ts';
import { type CallsThread, startCallsThread } from './start-calls-thread.ts';

/**
 * Makes exchanges in a thread of their own, where they go on while the journal is written here. A list that may not come whole is
 * taken piece by piece where it is kept. Where the thread cannot be had, or has ended, all is done here.
 */
export function openThreadedTransport(
  options: TransportOptions,
  start: (options: TransportOptions) => Promise<CallsThread | undefined> = startCallsThread,
): Transport {
  const lists = openTransport({ ...options, connections: 1 });
  const starting = start(options);
  let thread: CallsThread | undefined;
  let here: Transport | undefined;
  let isClosed = false;
  let closing: Promise<void> | undefined;

  function present(): Transport {
    if (thread && !thread.hasEnded()) return thread;
    here ??= openTransport(options);
    return here;
  }

  async function afterStart(): Promise<Transport> {
    thread = await starting;
    return present();
  }

  async function exchangeList(request: HttpRequest): Promise<Exchange> {
    const transport = await afterStart();
    // Without a thread a list has one of the connections that all have.
    if (transport !== thread) return transport.exchange(request);
    if (request.wholeBytes !== undefined) return skimmed(await thread.exchange(request), request.skim);
    // All together have no more connections than are allowed, unless others call meanwhile.
    await thread.letIdleGo();
    return lists.exchange(request);
  }

  async function close(): Promise<void> {
    await starting;
    // Those who waited for it tell it first.
    await new Promise(setImmediate);
    await Promise.all([lists.close(), thread?.close(), here?.close()]);
  }

  return {
    exchange(request) {
      if (isClosed) return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'closed' });
      if (request.skim) return exchangeList(request);
      if (thread || here) return present().exchange(request);
      return afterStart().then((transport) => transport.exchange(request));
    },
    close() {
      isClosed = true;
      closing ??= close();
      return closing;
    },
  };
}

/** What came whole, as if it had come piece by piece. */
function skimmed(happened: Exchange, skim: HttpRequest['skim']): Exchange {
  if (!skim || happened.kind !== 'reply' || happened.body.ended !== 'complete') return happened;
  const kept = [skim(Buffer.from(happened.body.text)), skim()];
  return { ...happened, body: { ended: 'complete', text: Buffer.concat(kept).toString() } };
}

import { Buffer } from 'node:buffer';
import { createSecureContext } from 'node:tls';
import { type Dispatcher, errors, Pool } from 'undici';
import { whenAborted } from '../when-aborted.ts';
import { type BegunAgo, mayStillLeave } from './begun-ago.ts';
import { type Exchange, type Reply, type ReplyBody, readHeaders } from './exchange.ts';
import { trustedAuthorities } from './trusted-authorities.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With the query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly replyLimitBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** In place of a signal, which takes longer to make and to listen to: is told what to do once nobody wants the reply. */
  readonly whenUnwanted?: ((act: () => void) => () => void) | undefined;
  /** Of a send. Asked where the first byte is written: where that is too long ago, nothing leaves. */
  readonly begunAgo?: (() => BegunAgo) | undefined;
  /** Takes each piece of a reply as it arrives, and then its end, and gives what is to be kept as the reply. */
  readonly skim?: ((piece?: Buffer) => Buffer) | undefined;
  /** Of a reply that may come whole before it is skimmed: where it is longer than so much, it is too large for that. */
  readonly wholeBytes?: number | undefined;
}

export interface Transport {
  /** Makes one exchange and never a second one by itself. What goes wrong is in the value. */
  exchange(request: HttpRequest): Promise<Exchange>;
  /** Takes no new exchange, waits for those under way (each is bounded by its time-out), then lets the connections go. */
  close(): Promise<void>;
}

/** One whose connections can be given to somebody else for a while. */
export interface YieldingTransport extends Transport {
  /** Those that nobody uses are let go. The next exchange makes a new one. */
  letIdleGo(): Promise<void>;
}

export interface TransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connections: number;
  /** For the whole exchange: the wait for a free connection, connecting, the request and the reply together. */
  readonly timeoutMs: number;
  /** Certificates (PEM) of authorities that are believed besides those that everybody believes. */
  readonly authorities?: string | undefined;
}

export function openTransport(options: TransportOptions): YieldingTransport {
  const { timeoutMs } = options;
  let pool = openPool(options);
  const underWay = new Set<Promise<Exchange>>();
  let closed = false;

  return {
    exchange(request) {
      if (closed) return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'closed' });
      const exchange = exchangeOver(pool, request, timeoutMs);
      const done = () => underWay.delete(exchange);
      underWay.add(exchange);
      void exchange.then(done, done);
      return exchange;
    },
    async letIdleGo() {
      const before = pool;
      pool = openPool(options);
      const gone = before.close();
      // Those in use go when they are not any more.
      if (underWay.size === 0) await gone;
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
      await pool.destroy();
    },
  };
}

function openPool({ origin, connections, timeoutMs, authorities }: TransportOptions): Pool {
  return new Pool(origin, {
    connections,
    // Never a second request behind an unanswered one: if the first fails, undici would send the second again.
    pipelining: 1,
    allowH2: false,
    // One clock for the whole exchange, ours. These two would only ever cut in on it.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Node gives each address of a host 250 ms before it drops it for the next: less than a round trip for some.
    connect: {
      timeout: timeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 1000,
      // Said here, for otherwise NODE_TLS_REJECT_UNAUTHORIZED decides: the key would go to whoever answers.
      rejectUnauthorized: true,
      ...(authorities && {
        secureContext: createSecureContext({ ca: [...trustedAuthorities(authorities)] }),
      }),
    },
  });
}

function exchangeOver(pool: Pool, request: HttpRequest, timeoutMs: number): Promise<Exchange> {
  const {
    method,
    path,
    headers,
    body = null,
    replyLimitBytes,
    signal,
    whenUnwanted,
    begunAgo,
    skim,
    wholeBytes,
  } = request;
  const limitBytes = skim ? replyLimitBytes : Math.min(replyLimitBytes, wholeBytes ?? replyLimitBytes);
  return new Promise((resolve, reject) => {
    let settled = false;
    let stopListening: (() => void) | undefined;
    // Set just before the first byte is written: from then on the request may have left.
    let started: Dispatcher.DispatchController | undefined;
    let head: Omit<Reply, 'kind' | 'body'> | undefined;
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    let skimmingMs = 0;

    const settle = (give: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      stopListening?.();
      give();
    };
    const giveUp = (cause: BrokenOff, error?: unknown) => {
      settle(() => resolve(brokenOff(cause, head, started !== undefined, error)));
      started?.abort(new Error(cause));
    };
    const expire = () => {
      if (skimmingMs < 1) return giveUp('timed-out');
      // That was our time, not the service's.
      timer = setTimeout(expire, skimmingMs);
      skimmingMs = 0;
    };
    let timer = setTimeout(expire, timeoutMs);
    if (signal?.aborted) return giveUp('aborted');
    const abort = () => giveUp('aborted');
    stopListening = signal ? whenAborted(signal, abort) : whenUnwanted?.(abort);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        // undici calls this before it writes; where it throws, nothing is written and the connection is kept.
        if (begunAgo && !mayStillLeave(begunAgo())) giveUp('too-late');
        if (settled) throw new Error('given up while it waited for a connection: it must not leave now');
        if (started) throw new Error('an exchange is sent once');
        started = controller;
      },
      onResponseStart(_controller, status, received) {
        if (status < 200) return;
        head = { status, headers: firstValues(received) };
        if (Number(head.headers['content-length']) > limitBytes) giveUp('too-large');
      },
      onResponseData(_controller, chunk) {
        if (settled) return;
        receivedBytes += chunk.length;
        if (receivedBytes > limitBytes) return giveUp('too-large');
        if (!skim) return void chunks.push(chunk);
        const begunMs = performance.now();
        chunks.push(skim(chunk));
        skimmingMs += performance.now() - begunMs;
      },
      onResponseEnd() {
        if (skim && !settled) chunks.push(skim());
        settle(() =>
          resolve(head ? { kind: 'reply', ...head, body: textOf(chunks) } : brokenOff('error', head, true)),
        );
      },
      onResponseError(_controller, error) {
        // A path or header that cannot be written is a bug of ours, and no waiting makes it better.
        if (!started && error instanceof errors.InvalidArgumentError) settle(() => reject(error));
        else giveUp('error', error);
      },
    };
    // A list is read now and then: its connection ends with it, and leaves room for another.
    const reset = skim !== undefined || wholeBytes !== undefined;
    pool.dispatch({ method, path, headers: headers as Record<string, string>, body, reset }, handler);
  });
}

type BrokenOff = 'error' | 'timed-out' | 'aborted' | 'too-large' | 'too-late';

function brokenOff(
  cause: BrokenOff,
  head: Omit<Reply, 'kind' | 'body'> | undefined,
  started: boolean,
  error?: unknown,
): Exchange {
  if (head)
    return {
      kind: 'reply',
      ...head,
      body: { ended: cause === 'error' || cause === 'too-late' ? 'cut-off' : cause },
    };
  const phase = started ? 'after-send' : 'before-send';
  return { kind: 'no-reply', phase, cause: cause === 'too-large' ? 'error' : cause, error };
}

/** undici has their names in lower case. */
function firstValues(received: Readonly<Record<string, string | string[] | undefined>>): Reply['headers'] {
  const values: { -readonly [Name in keyof Reply['headers']]: string } = {};
  for (const name of readHeaders) {
    const value = received[name];
    const first = typeof value === 'string' ? value : value?.[0];
    if (first !== undefined) values[name] = first;
  }
  return values;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(chunks: readonly Buffer[]): ReplyBody {
  try {
    // Fails on bytes that are not UTF-8, and on more than a string can hold.
    const [whole] = chunks;
    const bytes = chunks.length === 1 && whole ? whole : Buffer.concat(chunks);
    return { ended: 'complete', text: utf8.decode(bytes) };
  } catch {
    return { ended: 'not-text' };
  }
}

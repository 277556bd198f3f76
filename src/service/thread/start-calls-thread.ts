import { Worker } from 'node:worker_threads';
import { whenAborted } from '../../when-aborted.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpRequest, TransportOptions, YieldingTransport } from '../transport.ts';
import { packCall, unpackEnd } from './packed-messages.ts';
import {
  type AbortMessage,
  begunBefore,
  type CallMessage,
  gathered,
  type LetGoMessage,
  readyMessage,
} from './thread-messages.ts';

/** A transport on a thread of its own. It takes no `skim`: what it gives of a list it gives whole. */
export interface CallsThread extends YieldingTransport {
  /** Then it cannot be told of anything any more. What was under way when it ended may have been sent. */
  hasEnded(): boolean;
}

interface Waiting {
  readonly give: (happened: Exchange) => void;
  readonly fail: (fault: Error) => void;
  readonly stopListening: (() => void) | undefined;
}

/** Undefined where no thread can be had: then everything is done without. */
export async function startCallsThread(
  options: TransportOptions,
  file = ownFile,
): Promise<CallsThread | undefined> {
  const worker = file && begin(options, file);
  if (!worker) return undefined;
  const thread = await new Promise<CallsThread | undefined>((resolve) => {
    // At once: a thread that ends now says so before anybody who waits for this goes on.
    worker.once('message', (message) => resolve(message === readyMessage ? callsOver(worker) : undefined));
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
  if (!thread) await worker.terminate();
  return thread;
}

/** Of what is built: Node runs no TypeScript in a thread. */
const ownFile = import.meta.url.endsWith('.ts') ? undefined : new URL('./calls-thread.js', import.meta.url);

const nothingLeft = { kind: 'no-reply', phase: 'before-send', cause: 'closed' } as const;

function begin(options: TransportOptions, file: URL): Worker | undefined {
  try {
    return new Worker(file, { workerData: options, name: 'calls' });
  } catch {
    return undefined;
  }
}

function callsOver(worker: Worker): CallsThread {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isEnded = false;
  let isClosed = false;
  let closing: Promise<void> | undefined;
  let whenNoneWait = () => {};
  const tell = gathered<CallMessage | AbortMessage | LetGoMessage>(
    (messages) =>
      worker.postMessage(messages.map((message) => ('id' in message ? packCall(message) : message))),
    (act) => process.nextTick(act),
    () => waiting.size,
  );

  function end(id: number): Waiting | undefined {
    const ended = waiting.get(id);
    ended?.stopListening?.();
    waiting.delete(id);
    if (waiting.size === 0) {
      worker.unref();
      whenNoneWait();
    }
    return ended;
  }

  worker.on('message', (ends: readonly Parameters<typeof unpackEnd>[0][]) => {
    for (const packed of ends) {
      const message = unpackEnd(packed);
      const ended = end(message.id);
      if ('isLetGo' in message) ended?.give(nothingLeft);
      else if ('fault' in message) ended?.fail(new Error(message.fault));
      else ended?.give(message.happened);
    }
  });
  /** Nobody can say any more how far what it had under way came. */
  const lost = () => {
    isEnded = true;
    for (const id of [...waiting.keys()])
      end(id)?.give({ kind: 'no-reply', phase: 'after-send', cause: 'error' });
  };
  worker.on('error', lost);
  worker.on('exit', lost);
  worker.on('messageerror', lost);
  // Only what it is asked for keeps the process.
  worker.unref();

  function wait({ give, fail }: Omit<Waiting, 'stopListening'>, signal?: AbortSignal): number {
    lastId += 1;
    const id = lastId;
    const stopListening = signal && whenAborted(signal, () => tell({ abort: id }));
    if (waiting.size === 0) worker.ref();
    waiting.set(id, { give, fail, stopListening });
    return id;
  }

  function ask(request: HttpRequest, give: Waiting['give'], fail: Waiting['fail']): void {
    const { method, path, headers, body, replyLimitBytes, wholeBytes, signal, begunAgo } = request;
    const id = wait({ give, fail }, signal);
    const begun = begunAgo && begunBefore(begunAgo());
    const isAbortable = signal !== undefined;
    tell({ id, method, path, headers, body, replyLimitBytes, wholeBytes, isAbortable, begun });
  }

  async function close(): Promise<void> {
    if (waiting.size > 0)
      await new Promise<void>((resolve) => {
        whenNoneWait = resolve;
      });
    await worker.terminate();
  }

  return {
    hasEnded: () => isEnded,
    exchange(request) {
      if (isEnded || isClosed) return Promise.resolve(nothingLeft);
      if (request.signal?.aborted)
        return Promise.resolve({ kind: 'no-reply', phase: 'before-send', cause: 'aborted' });
      return new Promise((give, fail) => ask(request, give, fail));
    },
    letIdleGo() {
      if (isEnded || isClosed) return Promise.resolve();
      return new Promise((give, fail) => tell({ letGo: wait({ give: () => give(), fail }) }));
    },
    close() {
      isClosed = true;
      closing ??= close();
      return closing;
    },
  };
}

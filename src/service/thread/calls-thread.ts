import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { codeOf } from '../connection-error.ts';
import type { Exchange } from '../exchange.ts';
import { type HttpRequest, openTransport, type TransportOptions } from '../transport.ts';
import { type PackedCall, packEnd, unpackCall } from './packed-messages.ts';
import {
  type AbortMessage,
  agoNow,
  type CallMessage,
  type EndMessage,
  gathered,
  type LetGoMessage,
  readyMessage,
} from './thread-messages.ts';

/**
 * What a thread of calls runs: it makes the exchanges that it is told of and says what became of each. Of payouts and of the
 * journal it knows nothing; the intent of whatever it is told to send is on disk.
 */
assert(parentPort, 'this file is run as a thread');
const port = parentPort;
const transport = openTransport(workerData as TransportOptions);
/** What ends those that somebody may end. */
const aborts = new Map<number, () => void>();
let underWay = 0;
const tell = gathered<EndMessage>(
  (ends) => port.postMessage(ends.map(packEnd)),
  setImmediate,
  () => underWay,
);

port.on('message', (messages: readonly (PackedCall | AbortMessage | LetGoMessage)[]) => {
  for (const message of messages) {
    if ('abort' in message) aborts.get(message.abort)?.();
    else if ('letGo' in message) void letGo(message.letGo);
    else void make(unpackCall(message));
  }
});
port.postMessage(readyMessage);

/** Written out: to spread one object over another takes longer than all else that is done here. */
async function make(call: CallMessage): Promise<void> {
  const { id, method, path, headers, body, replyLimitBytes, wholeBytes, isAbortable, begun } = call;
  underWay += 1;
  try {
    const begunAgo = begun && (() => agoNow(begun));
    const whenUnwanted = isAbortable ? abortOf(id) : undefined;
    const happened = await transport.exchange({
      method,
      path,
      headers,
      body,
      replyLimitBytes,
      wholeBytes,
      begunAgo,
      whenUnwanted,
    });
    tell({ id, happened: plain(happened) });
  } catch (error) {
    tell({ id, fault: error instanceof Error ? error.message : String(error) });
  } finally {
    underWay -= 1;
  }
}

function abortOf(id: number): HttpRequest['whenUnwanted'] {
  return (act) => {
    aborts.set(id, act);
    return () => void aborts.delete(id);
  };
}

async function letGo(id: number): Promise<void> {
  await transport.letIdleGo();
  tell({ id, isLetGo: true });
}

/** An error leaves its code behind when it goes from one thread to another, and nothing else of it is read. */
function plain(happened: Exchange): Exchange {
  if (happened.kind === 'reply' || happened.error === undefined) return happened;
  return { ...happened, error: { code: codeOf(happened.error) } };
}

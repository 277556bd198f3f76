import { monotonicMs } from '../../clock.ts';
import type { BegunAgo } from '../begun-ago.ts';
import type { Exchange } from '../exchange.ts';
import type { HttpRequest } from '../transport.ts';

/** One exchange that the thread is to make. */
export interface CallMessage
  extends Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body' | 'replyLimitBytes' | 'wholeBytes'> {
  readonly id: number;
  readonly isAbortable: boolean;
  readonly begun: Begun | undefined;
}

/** Of a send: how long ago it was begun by the clocks of who began it, and when that was said. */
interface Begun {
  readonly ago: BegunAgo;
  readonly saidMs: number;
  readonly saidAtMs: number;
}

export interface AbortMessage {
  readonly abort: number;
}

/** Of the connections that nobody uses. */
export interface LetGoMessage {
  readonly letGo: number;
}

/** What became of it; a fault is a request that cannot be written, and a bug of ours. */
export type EndMessage =
  | { readonly id: number; readonly happened: Exchange }
  | { readonly id: number; readonly fault: string }
  | { readonly id: number; readonly isLetGo: true };

/** The first thing that a thread says. */
export const readyMessage = 'ready';

export function begunBefore(ago: BegunAgo): Begun {
  return { ago, saidMs: monotonicMs(), saidAtMs: Date.now() };
}

/** On the other side: what has passed since it was said comes on top, by both clocks. */
export function agoNow({ ago, saidMs, saidAtMs }: Begun): BegunAgo {
  return {
    monotonicMs: ago.monotonicMs + monotonicMs() - saidMs,
    wallMs: ago.wallMs + Date.now() - saidAtMs,
  };
}

/** Enough for a message to be worth its while, and few enough that the other side begins before this one has ended. */
const most = 8;
/** Of so few calls under way each is told at once: what a message costs is less than what a connection would rest. */
const few = 8;

/** Posts together what comes together, where many calls are under way: a message costs as much as ten that are in it. */
export function gathered<Message>(
  post: (messages: readonly Message[]) => void,
  soon: (act: () => void) => void,
  underWay: () => number,
): (message: Message) => void {
  let waiting: Message[] = [];
  const postAll = () => {
    if (waiting.length === 0) return;
    const together = waiting;
    waiting = [];
    post(together);
  };
  return (message) => {
    waiting.push(message);
    if (waiting.length === most || underWay() <= few) postAll();
    else if (waiting.length === 1) soon(postAll);
  };
}

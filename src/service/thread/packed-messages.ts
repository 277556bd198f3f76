import type { HttpRequest } from '../transport.ts';
import type { CallMessage, EndMessage } from './thread-messages.ts';

/** A call as it goes from thread to thread: names of its parts would take longer to write and to read than the parts. */
export type PackedCall = readonly [
  id: number,
  method: HttpRequest['method'],
  path: string,
  headers: string,
  body: string | undefined,
  replyLimitBytes: number,
  wholeBytes: number | undefined,
  isAbortable: boolean,
  agoMonotonicMs?: number,
  agoWallMs?: number,
  saidMs?: number,
  saidAtMs?: number,
];

export function packCall(call: CallMessage): PackedCall {
  const { id, method, path, body, replyLimitBytes, wholeBytes, isAbortable, begun } = call;
  const headers = headersText(call.headers);
  if (!begun) return [id, method, path, headers, body, replyLimitBytes, wholeBytes, isAbortable];
  const { ago, saidMs, saidAtMs } = begun;
  const { monotonicMs, wallMs } = ago;
  const said = [monotonicMs, wallMs, saidMs, saidAtMs] as const;
  return [id, method, path, headers, body, replyLimitBytes, wholeBytes, isAbortable, ...said];
}

export function unpackCall(call: PackedCall): CallMessage {
  const [id, method, path, headers, body, replyLimitBytes, wholeBytes, isAbortable] = call;
  const [, , , , , , , , monotonicMs, wallMs = 0, saidMs = 0, saidAtMs = 0] = call;
  const begun = monotonicMs === undefined ? undefined : { ago: { monotonicMs, wallMs }, saidMs, saidAtMs };
  return {
    id,
    method,
    path,
    headers: headersOf(headers),
    body,
    replyLimitBytes,
    wholeBytes,
    isAbortable,
    begun,
  };
}

type Headers = HttpRequest['headers'];

/** The calls under a token have the same headers: they are written once, and read once. */
const texts = new WeakMap<Headers, string>();

function headersText(headers: Headers): string {
  const text = texts.get(headers) ?? JSON.stringify(headers);
  texts.set(headers, text);
  return text;
}

const lastHeaders = new Map<string, Headers>();
const mostHeaders = 8;

function headersOf(text: string): Headers {
  const known = lastHeaders.get(text);
  if (known) return known;
  if (lastHeaders.size === mostHeaders) lastHeaders.clear();
  const headers = JSON.parse(text) as Headers;
  lastHeaders.set(text, headers);
  return headers;
}

/** A whole reply, which is what nearly all of them come to: with those of its headers that are there, in the order of their names. */
type PackedReply = readonly [id: number, status: number, text: string, headers: readonly string[]];

export function packEnd(end: EndMessage): PackedReply | EndMessage {
  if (!('happened' in end)) return end;
  const { id, happened } = end;
  if (happened.kind !== 'reply' || happened.body.ended !== 'complete') return end;
  return [id, happened.status, happened.body.text, Object.entries(happened.headers).flat()];
}

export function unpackEnd(end: PackedReply | EndMessage): EndMessage {
  if (!isPacked(end)) return end;
  const [id, status, text, flat] = end;
  const headers: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) headers[flat[at] ?? ''] = flat[at + 1] ?? '';
  return { id, happened: { kind: 'reply', status, headers, body: { ended: 'complete', text } } };
}

function isPacked(end: PackedReply | EndMessage): end is PackedReply {
  return Array.isArray(end);
}

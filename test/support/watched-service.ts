import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PayrollService } from './payroll-service.ts';

/** One call as it reached the service's door. Times are of one clock that never goes back. */
export interface SeenCall {
  readonly method: string;
  /** Without the prefix, with the query. */
  readonly path: string;
  readonly body: string;
  /** Of a payout, or of the list filtered by it. */
  readonly reference: string | undefined;
  /** By which it was let in. */
  readonly token: string;
  readonly atMs: number;
  /** When the caller was answered or cut off; undefined while it waits. */
  endedMs: number | undefined;
  status: number | undefined;
}

/** What happens to a call instead of being passed on and answered. */
export type Interference =
  /** The connection drops and the service never hears of it. */
  | { readonly kind: 'lose-request' }
  /** The service does it, the connection drops. */
  | { readonly kind: 'lose-reply' }
  /** Nobody answers and the service never hears of it. */
  | { readonly kind: 'ignore' }
  /** The connection drops, the service hears of it so much later. */
  | { readonly kind: 'land-later'; readonly byMs: number }
  /** The service does it; the answer waits. */
  | { readonly kind: 'answer-later'; readonly until: Promise<unknown> }
  /** It waits at the door. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  /** The service never hears of it; this is the answer. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The service's answer, changed. */
  | {
      readonly kind: 'change';
      readonly reply: (text: string) => string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface WatchedService extends PayrollService {
  /** Every call of payrun in the order of arrival. */
  readonly calls: readonly SeenCall[];
  /** Those that would move money out. */
  payoutCalls(): SeenCall[];
  /** Waits for what is still on its way to the service. */
  landed(): Promise<void>;
  /** From now on this is asked what to do to each call; without it, calls are passed on. */
  interfere(decide?: Interfere): void;
}

type Interfere = (call: SeenCall) => Interference | undefined;

const prefix = '/api/b2b';

/** A door in front of the service, which sees every call, and may do something to it. It ends with its test. */
export async function watchService(service: PayrollService): Promise<WatchedService> {
  const calls: SeenCall[] = [];
  let interfere: Interfere = passOn;
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const passed = pass(service.url, request, response, calls, (call) => interfere(call))
      .catch(() => void response.destroy())
      .finally(() => underWay.delete(passed));
    underWay.add(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return {
    ...service,
    url: `http://127.0.0.1:${port}`,
    calls,
    payoutCalls: () => calls.filter(isPayout),
    landed: async () => void (await Promise.all(underWay)),
    interfere: (decide = passOn) => {
      interfere = decide;
    },
  };
}

export function isPayout({ method, path }: Pick<SeenCall, 'method' | 'path'>): boolean {
  return method === 'POST' && path === '/fiat/payout';
}

/** The list of transactions filtered by a reference. */
export function isLookUp({ method, path }: Pick<SeenCall, 'method' | 'path'>): boolean {
  return method === 'GET' && path.startsWith('/transactions?') && path.includes('externalReference=');
}

/** A page of the list of all transactions. */
export function isPage({ method, path }: Pick<SeenCall, 'method' | 'path'>): boolean {
  return method === 'GET' && path.startsWith('/transactions?') && !path.includes('externalReference=');
}

async function pass(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  calls: SeenCall[],
  interfere: Interfere,
): Promise<void> {
  const url = request.url ?? '/';
  const method = request.method ?? 'GET';
  const body = await readAll(request);
  const path = url.startsWith(prefix) ? url.slice(prefix.length) : url;
  const call: SeenCall = {
    method,
    path,
    body,
    reference: referenceOf(method, path, body),
    token: request.headers.authorization ?? '',
    atMs: performance.now(),
    endedMs: undefined,
    status: undefined,
  };
  calls.push(call);
  const end = (finish: () => void) => {
    call.endedMs = performance.now();
    finish();
  };
  const forward = () => exchange(`${target}${url}`, method, request, body);
  const what = interfere(call);
  switch (what?.kind) {
    case 'ignore':
      return;
    case 'lose-request':
      return end(() => response.destroy());
    case 'land-later':
      end(() => response.destroy());
      await new Promise((resolve) => setTimeout(resolve, what.byMs));
      return void (await forward());
    case 'answer':
      call.status = what.status;
      return end(() => send(response, what.status, what.headers ?? {}, JSON.stringify(what.body)));
    case 'lose-reply':
      await forward();
      return end(() => response.destroy());
    case 'answer-later':
    case 'change':
    case 'wait':
    case undefined: {
      if (what?.kind === 'wait') await what.until;
      const reply = await forward();
      if (what?.kind === 'answer-later') await what.until;
      call.status = (what?.kind === 'change' ? what.status : undefined) ?? reply.status;
      const text = what?.kind === 'change' ? what.reply(reply.text) : reply.text;
      const { status = reply.status } = call;
      const headers = { ...reply.headers, ...(what?.kind === 'change' ? what.headers : {}) };
      return end(() => send(response, status, headers, text));
    }
  }
}

function passOn(): undefined {
  return undefined;
}

async function exchange(url: string, method: string, request: IncomingMessage, body: string) {
  const headers: Record<string, string> = {};
  for (const name of ['authorization', 'api-key', 'content-type']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const reply = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
  const retryAfter = reply.headers.get('retry-after');
  return {
    status: reply.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
    text: await reply.text(),
  };
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(text);
}

function referenceOf(method: string, path: string, body: string): string | undefined {
  if (isPayout({ method, path })) {
    return (JSON.parse(body) as { externalReference?: string }).externalReference;
  }
  if (!isLookUp({ method, path })) return undefined;
  return new URLSearchParams(path.slice(path.indexOf('?'))).get('externalReference') ?? undefined;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { headerOf, parseJson, readBody, refuseBrokenRequests, sameSecret } from '../../incoming-http.ts';
import { type EndpointName, endpoints } from '../../service/contract/endpoints.ts';
import { failureOf } from '../../service/contract/error-codes.ts';
import type { PayoutRequest } from '../../service/contract/payouts.ts';
import type { Faults, OrderedAnswer } from '../faults/faults.ts';
import type { Control } from '../routes/control.ts';
import { parseRequest, type Request, type SandboxService } from '../sandbox-service.ts';
import type { Settings } from '../settings.ts';
import type { Tokens } from '../store/tokens.ts';
import { answer, failure, failureBody, invalid, type Reply, type RouteResult, toReply } from './reply.ts';
import { type Match, matchRoute } from './router.ts';

const largestBodyBytes = 64 * 1024;
const largestControlBodyBytes = 32 * 1024 * 1024;
const controlPrefix = '/_sandbox/';
const pageOfProxy = '<html><body><h1>Please wait</h1></body></html>';

interface Parts {
  readonly service: SandboxService;
  readonly control: Control;
  readonly faults: Faults;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Answers that wait on purpose do not hold up a stop. */
  readonly stopping: AbortSignal;
  readonly openapi: () => unknown;
}

/** HTTP around the service: bodies, tokens, the forms of failures, and everything that can go wrong on a wire. */
export function createHttpServer(parts: Parts): Server {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 60_000 });
  server.on('request', (request, response) => {
    response.on('error', () => undefined);
    void serve(parts, request, response).catch(() => {
      // Nothing is known to lead here; if something does, its sender is told so and the service goes on.
      if (!response.headersSent) send(response, toReply(undefined, failure('E-GEN.S-50')));
      else response.destroy();
    });
  });
  refuseBrokenRequests(server);
  return server;
}

async function serve(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/';
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
  const isControl = path.startsWith(controlPrefix);

  if (isControl && !sameSecret(headerOf(request, 'api-key'), parts.settings.apiKey)) {
    request.resume();
    const refusal = failure('E-GEN.S-01', 'The api-key header is missing or wrong.');
    return send(response, toReply(undefined, refusal));
  }
  const text = await readBody(request, isControl ? largestControlBodyBytes : largestBodyBytes);
  if (text === undefined) {
    response.setHeader('connection', 'close');
    return send(response, toReply(undefined, failure('E-GEN.S-13')));
  }
  if (path === '/openapi.json' && request.method === 'GET') {
    return send(response, { status: 200, body: parts.openapi() });
  }
  if (isControl) {
    return send(response, await parts.control(request.method ?? '', path.slice(controlPrefix.length), text));
  }
  await serveEndpoint(parts, request, response, matchRoute(request.method ?? '', path), query, text);
}

async function serveEndpoint(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  match: Match,
  query: string,
  text: string,
): Promise<void> {
  if (match.kind === 'endpoint' && match.name === 'exchangeToken') {
    return deliver(parts, response, 'exchangeToken', '', () => exchangeToken(parts, request, text));
  }
  const endpoint = match.kind === 'endpoint' ? endpoints[match.name] : undefined;
  if (!(await hasToken(parts, request))) return send(response, toReply(endpoint, failure('E-GEN.S-01')));
  if (match.kind === 'none') return send(response, toReply(undefined, failure('E-GEN.S-04')));
  if (match.kind === 'wrong-method') return send(response, toReply(undefined, failure('E-GEN.S-05')));
  const name = match.name as Request['name'];

  const raw = readParts(name, match.params, query, text, match.test);
  const asked = 'ok' in raw ? raw : parseRequest(raw);
  if ('ok' in asked) return send(response, toReply(endpoint, asked));
  await deliver(
    parts,
    response,
    name,
    subjectOf(asked),
    () => parts.service.run(asked),
    () => parts.service.landLater(asked, parts.faults.plan().lateByMs),
  );
}

/** What a fault is drawn for: a payout by its reference, anything else by all that it asks. */
function subjectOf({ name, params, query, body }: Request): string {
  if (name === 'createPayout') return (body as PayoutRequest).externalReference;
  return JSON.stringify([params, query, body]);
}

/** Answers, or does to the answer what the fault says. Faults that come before processing never process. */
async function deliver(
  parts: Parts,
  response: ServerResponse,
  name: EndpointName,
  subject: string,
  run: () => Promise<RouteResult>,
  landLater?: () => Promise<void>,
): Promise<void> {
  const plan = parts.faults.plan();
  const endpoint = endpoints[name];
  const ordered = parts.faults.takeOrdered(name);
  if (ordered && ordered.fault === undefined) return send(response, orderedReply(name, ordered));
  const fault = ordered?.fault ?? parts.faults.draw(name, subject);
  if (fault === 'late-landing') await landLater?.();
  const process = async () => toReply(endpoint, await run());
  if (plan.latencyMs > 0) await parts.clock.sleep(plan.latencyMs, parts.stopping);
  switch (fault) {
    case undefined: {
      const reply = await process();
      if (reply.onTheWay === 'lost-reply') return void response.destroy();
      if (reply.onTheWay === 'slow') await parts.clock.sleep(plan.slowByMs, parts.stopping);
      return send(response, reply);
    }
    case 'storm-401':
      return send(response, toReply(endpoint, failure('E-GEN.S-01')));
    case 'storm-429':
      return send(response, {
        ...toReply(endpoint, failure('E-GEN.S-29')),
        headers: { 'retry-after': plan.retryAfter },
      });
    case 'lost-request':
    case 'late-landing':
      return void response.destroy();
    case 'error-500':
      return send(response, serverError(name));
    case 'lost-reply':
      await process();
      return void response.destroy();
    case 'error-500-after':
      await process();
      return send(response, serverError(name));
    case 'html':
      await process();
      return void response.setHeader('content-type', 'text/html').end(pageOfProxy);
    case 'cut-body':
      return sendHalf(response, await process());
    case 'slow': {
      const reply = await process();
      await parts.clock.sleep(plan.slowByMs, parts.stopping);
      return send(response, reply);
    }
  }
}

function serverError(name: EndpointName): Reply {
  return { status: 500, body: failureBody(endpoints[name], 500, 'Something went wrong.', 'E-GEN.S-50') };
}

function orderedReply(name: EndpointName, ordered: OrderedAnswer): Reply {
  const code = ordered.errorCode ?? 'E-GEN.S-50';
  const known = Object.hasOwn(failureOf, code) ? failureOf[code as keyof typeof failureOf] : undefined;
  const status = ordered.status ?? known?.status ?? 400;
  const body = failureBody(endpoints[name], status, known?.message ?? 'Ordered failure.', code);
  return ordered.retryAfter === undefined
    ? { status, body }
    : { status, body, headers: { 'retry-after': ordered.retryAfter } };
}

async function exchangeToken(parts: Parts, request: IncomingMessage, text: string): Promise<RouteResult> {
  const parsed = endpoints.exchangeToken.body.safeParse(parseJson(text));
  if (!parsed.success) return invalid('publicKey is required');
  const known =
    sameSecret(headerOf(request, 'api-key'), parts.settings.apiKey) &&
    sameSecret(parsed.data.publicKey, parts.settings.publicKey);
  if (!known) return failure('E-GEN.S-01', 'The API key or the public key is not known.');
  const { token, expiresAt } = await parts.tokens.issue(parsed.data.publicKey);
  return answer({ token, expiresAt });
}

async function hasToken(parts: Parts, request: IncomingMessage): Promise<boolean> {
  const value = headerOf(request, 'authorization');
  if (!/^bearer /i.test(value)) return false;
  const token = value.slice('bearer '.length).trim();
  return parts.tokens.verify(token);
}

function readParts(
  name: Request['name'],
  params: Record<string, string>,
  query: string,
  text: string,
  test: boolean,
): Request | RouteResult {
  const fields: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(fields, key)) return invalid(`${key} is given twice`);
    fields[key] = value;
  }
  let body: unknown;
  if ('body' in endpoints[name]) {
    body = parseJson(text);
    if (body === undefined) return invalid('the body is not JSON');
  }
  return { name, params, query: fields, body, test };
}

function send(response: ServerResponse, reply: Reply): void {
  response.end(begin(response, reply));
}

function sendHalf(response: ServerResponse, reply: Reply): void {
  const text = begin(response, reply);
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Writes the head, which promises the whole of the body that it gives. */
function begin(response: ServerResponse, reply: Reply): string {
  const text = JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  return text;
}

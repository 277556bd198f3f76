import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { headerOf, parseJson, readBody, refuseBrokenRequests, sameSecret } from '../incoming-http.ts';
import type { WebhookHints } from '../journal/webhook-hints.ts';
import { webhookDelivery, webhookSecretHeader } from '../service/contract/webhooks.ts';

const largestBodyBytes = 64 * 1024;
const mostConnections = 200;

/** What came in, so that the person who started it can see that it works. */
export interface ListenerCounts {
  hints: number;
  /** Authenticated, and about nothing that this journal knows. */
  strange: number;
  refused: number;
}

/**
 * Takes webhooks as hints. Whoever does not know the secret learns nothing here, not even whether there is such a
 * reference; whoever knows it can only have a payout read a little sooner.
 */
export function createWebhookListener(secret: string, hints: WebhookHints, counts: ListenerCounts): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  });
  server.maxConnections = mostConnections;
  server.on('request', (request, response) => {
    response.on('error', () => undefined);
    void answer(secret, hints, counts, request).then(
      (status) => send(request, response, status),
      // The hint could not be written: the service may try again.
      () => send(request, response, 503),
    );
  });
  refuseBrokenRequests(server);
  return server;
}

async function answer(
  secret: string,
  hints: WebhookHints,
  counts: ListenerCounts,
  request: IncomingMessage,
): Promise<200 | 401> {
  const delivery = isAuthentic(secret, request)
    ? deliveryOf(await readBody(request, largestBodyBytes))
    : undefined;
  if (!delivery) {
    counts.refused += 1;
    return 401;
  }
  const known = await hints.leave({
    reference: (delivery.data.externalReference ?? '').trim().toLowerCase(),
    transactionId: (delivery.data.transactionId ?? '').trim(),
  });
  if (known) counts.hints += 1;
  else counts.strange += 1;
  return 200;
}

/** Before the body is read. */
function isAuthentic(secret: string, request: IncomingMessage): boolean {
  return sameSecret(headerOf(request, webhookSecretHeader), secret) && request.method === 'POST';
}

function deliveryOf(text: string | undefined) {
  const parsed = webhookDelivery.safeParse(parseJson(text ?? ''));
  return parsed.success ? parsed.data : undefined;
}

const lingerMs = 1_000;

/**
 * The status and nothing else. What is still coming in is let run out for a moment: a connection that is cut off with
 * bytes unread would take the answer with it.
 */
function send(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (!request.complete) {
    response.setHeader('connection', 'close');
    request.resume();
    setTimeout(() => request.destroy(), lingerMs).unref();
  }
  response.writeHead(status, { 'content-length': 0 });
  response.end();
}

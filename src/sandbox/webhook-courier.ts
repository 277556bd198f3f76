import { request } from 'undici';
import type { Clock } from '../clock.ts';
import { webhookRetryPausesMs, webhookSecretHeader, webhookTimeoutMs } from '../service/contract/webhooks.ts';
import type { WebhookEvent, WebhookRecords } from './webhook-records.ts';

const deliveriesAtOnce = 16;
const longestWaitMs = 60_000;

/** Delivers recorded webhooks over HTTP until stopped. What a stop interrupts is delivered after the next start. */
export function startWebhookCourier(records: WebhookRecords, secret: string, clock: Clock) {
  const stopping = new AbortController();
  let wake = new AbortController();

  const underWay = new Map<string, Promise<void>>();

  /** A receiver that hangs holds up only its own delivery. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      for (const event of records.due(clock.nowMs(), deliveriesAtOnce)) {
        if (underWay.size >= deliveriesAtOnce || underWay.has(event.id)) continue;
        const delivery = deliver(event).finally(() => {
          underWay.delete(event.id);
          wake.abort();
        });
        underWay.set(event.id, delivery);
      }
      const nextMs = underWay.size > 0 ? undefined : records.nextMs();
      const waitMs = nextMs === undefined ? longestWaitMs : Math.max(1, nextMs - clock.nowMs());
      await clock.sleep(Math.min(waitMs, longestWaitMs), AbortSignal.any([stopping.signal, wake.signal]));
    }
    await Promise.all(underWay.values());
  }

  async function deliver(event: WebhookEvent): Promise<void> {
    const reply = await post(event, secret, stopping.signal);
    if (stopping.signal.aborted) return;
    const pauseMs = webhookRetryPausesMs[event.tries];
    if (reply.accepted) records.recordReply(event.id, 'SUCCESS', reply.status, undefined);
    else if (pauseMs === undefined) records.recordReply(event.id, 'FAILED', reply.status, undefined);
    else records.recordReply(event.id, 'CREATED', reply.status, clock.nowMs() + pauseMs);
  }

  const working = work();
  return {
    /** Something new may be due. */
    wake: () => wake.abort(),
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}

export type WebhookCourier = ReturnType<typeof startWebhookCourier>;

/** Redirects are not followed and the reply's body is thrown away unread: only its status says anything. */
async function post(
  event: WebhookEvent,
  secret: string,
  stopped: AbortSignal,
): Promise<{ accepted: boolean; status: string }> {
  try {
    const reply = await request(event.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [webhookSecretHeader]: secret },
      body: `{"event":${JSON.stringify(event.event)},"data":${event.data},"timestamp":${JSON.stringify(new Date(event.createdMs).toISOString())}}`,
      signal: AbortSignal.any([stopped, AbortSignal.timeout(webhookTimeoutMs)]),
    });
    reply.body.on('error', () => undefined).destroy();
    return { accepted: reply.statusCode >= 200 && reply.statusCode < 300, status: String(reply.statusCode) };
  } catch (error) {
    const name = (error as Error).name;
    return { accepted: false, status: name === 'TimeoutError' ? 'timeout' : 'unreachable' };
  }
}

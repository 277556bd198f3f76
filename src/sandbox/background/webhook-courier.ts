import { Agent } from 'undici';
import type { Clock } from '../../clock.ts';
import {
  webhookRetryPausesMs,
  webhookSecretHeader,
  webhookTimeoutMs,
} from '../../service/contract/webhooks.ts';
import type { WebhookEvent, WebhookRecords } from '../store/webhook-records.ts';

const deliveriesAtOnce = 16;
const longestWaitMs = 60_000;
const pauseAfterTroubleMs = 1_000;

/** Delivers recorded webhooks over HTTP until stopped. What a stop interrupts is delivered after the next start. */
export function startWebhookCourier(records: WebhookRecords, secret: string, clock: Clock) {
  const stopping = new AbortController();
  let wake = new AbortController();

  const underWay = new Map<string, Promise<void>>();
  const receivers = new Agent();

  /** A receiver that hangs holds up only its own delivery; a full disk holds up all of them, and ends none. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const waitMs = await begin().catch(() => pauseAfterTroubleMs);
      await clock.sleep(waitMs, AbortSignal.any([stopping.signal, wake.signal]));
    }
    await Promise.all(underWay.values());
  }

  /** Begins what is due, and says how long to wait for the next. */
  async function begin(): Promise<number> {
    for (const event of records.due(clock.nowMs(), [...underWay.keys()], deliveriesAtOnce - underWay.size)) {
      const delivery = deliver(event)
        .catch(() => clock.sleep(pauseAfterTroubleMs, stopping.signal))
        .finally(() => {
          underWay.delete(event.id);
          wake.abort();
        });
      underWay.set(event.id, delivery);
    }
    const nextMs = underWay.size < deliveriesAtOnce ? records.nextMs([...underWay.keys()]) : undefined;
    const waitMs = nextMs === undefined ? longestWaitMs : Math.max(1, nextMs - clock.nowMs());
    return Math.min(waitMs, longestWaitMs);
  }

  async function deliver(event: WebhookEvent): Promise<void> {
    const reply = await post(receivers, event, secret, stopping.signal);
    if (stopping.signal.aborted) return;
    const pauseMs = webhookRetryPausesMs[event.tries];
    if (reply.accepted) records.recordReply(event, 'SUCCESS', reply.status, undefined);
    else if (pauseMs === undefined) records.recordReply(event, 'FAILED', reply.status, undefined);
    else records.recordReply(event, 'CREATED', reply.status, clock.nowMs() + pauseMs);
  }

  const working = work();
  return {
    /** Something new may be due. */
    wake: () => wake.abort(),
    async stop(): Promise<void> {
      stopping.abort();
      await working;
      await receivers.destroy();
    },
  };
}

/** Redirects are not followed and the reply's body is thrown away unread: only its status says anything. */
async function post(
  receivers: Agent,
  event: WebhookEvent,
  secret: string,
  stopped: AbortSignal,
): Promise<{ accepted: boolean; status: string }> {
  try {
    const { origin, pathname, search } = new URL(event.url);
    const reply = await receivers.request({
      origin,
      path: `${pathname}${search}`,
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

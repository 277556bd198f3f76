import { answer, failure, invalid } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import { newId } from '../store/new-id.ts';
import type { WebhookEvent } from '../store/webhook-records.ts';

export const listWebhooks: Route<'listWebhooks'> = (world, { query }) =>
  answer({ data: world.webhooks.list(query).map(shown) });

export const readWebhook: Route<'readWebhook'> = (world, { params }) => {
  const event = world.webhooks.find(params.id);
  return event ? answer({ data: shown(event) }) : failure('E-GEN.S-04', 'Webhook not found.');
};

export const resendWebhook: Route<'resendWebhook'> = (world, { params, atMs }) => {
  if (!world.webhooks.find(params.id)) return failure('E-GEN.S-04', 'Webhook not found.');
  world.webhooks.sendAgain(params.id, atMs);
  return answer({ message: 'Webhook resent.' });
};

/** An event only: the transaction stays what it is. A reference nobody used gets one all the same. */
export const simulateWebhook: Route<'simulateWebhook'> = (world, { body, atMs }) => {
  const [known] = world.transactions.findByReference(body.externalReference);
  const recorded = world.webhooks.record(
    'transaction_updated',
    {
      id: known?.id ?? newId(),
      type: known?.type ?? 'deposit',
      externalReference: body.externalReference,
      status: body.webhookStatus.toUpperCase() as 'PENDING' | 'SUCCESSFUL' | 'FAILED',
      test: true,
    },
    atMs,
  );
  return recorded === undefined ? invalid('no sandbox webhook URL is configured') : { ok: true, body: {} };
};

function shown(event: WebhookEvent): Record<string, unknown> {
  return {
    id: event.id,
    createdAt: new Date(event.createdMs).toISOString(),
    event: event.event,
    data: JSON.parse(event.data),
    response: { status: event.responseStatus ?? '' },
    webhookUrl: event.url,
    status: event.status,
  };
}

import * as z from 'zod';
import { assumed } from './assumptions.ts';
import type { Endpoint } from './endpoint.ts';
import { doneReply, externalReference, identifier, isoDate, succeeded } from './fields.ts';
import { transactionStatus } from './transactions.ts';

/** The header that carries the shared secret, and the pauses between tries (assumption `webhook-delivery`). */
export const webhookSecretHeader = 'x-webhook-signature';
export const webhookTimeoutMs = 15_000;
export const webhookRetryPausesMs: readonly number[] = [5_000, 15_000, 45_000];

const webhookData = z.looseObject({
  transactionId: z.string().nullish(),
  status: z.string().nullish(),
  type: z.string().nullish(),
  externalReference: z.string().nullish(),
});

/** What is sent to the receiver's URL. */
export const webhookDelivery = assumed(
  'webhook-delivery',
  z.looseObject({
    event: z.string(),
    data: webhookData,
    timestamp: z.union([z.string(), z.number()]).optional(),
  }),
).meta({ id: 'WebhookDelivery' });

export const webhookRecord = z
  .looseObject({
    id: z.string().optional(),
    createdAt: z.string().nullish(),
    event: z.string(),
    data: webhookData,
    response: z.looseObject({ status: z.string().nullish() }).nullish(),
    webhookUrl: z.string().nullish(),
    status: z.string().nullish(),
  })
  .meta({ id: 'WebhookRecord' });

export const webhookStatus = z.enum(['CREATED', 'FAILED', 'SUCCESS']);

const byId = z.strictObject({ id: identifier });
const tag = 'Webhooks';

export const listWebhooks = {
  method: 'GET',
  path: '/webhooks',
  tag,
  summary: 'Webhook records, newest first',
  effect: 'read',
  query: assumed(
    'webhook-list-parameters',
    z.strictObject({
      status: webhookStatus.optional(),
      startDate: isoDate.optional(),
      endDate: isoDate.optional(),
      limit: z.coerce.number<number | string>().int().min(1).max(200).default(50),
      reference: z.string().max(200).optional(),
    }),
  ),
  reply: z.looseObject({ success: succeeded, data: z.array(webhookRecord) }),
} satisfies Endpoint;

/** The singular path segment is the specification's. */
export const readWebhook = {
  method: 'GET',
  path: '/webhook/{id}',
  tag,
  summary: 'One webhook record',
  effect: 'read',
  params: byId,
  reply: z.looseObject({ success: succeeded, data: webhookRecord }),
} satisfies Endpoint;

export const resendWebhook = {
  method: 'POST',
  path: '/webhooks/{id}/resend',
  tag,
  summary: 'Deliver a webhook again',
  effect: 'write',
  params: byId,
  reply: doneReply,
} satisfies Endpoint;

export const simulateWebhook = {
  method: 'POST',
  path: '/utilities/simulate-webhook',
  tag,
  summary: 'Send a simulated event for a reference',
  effect: 'write',
  sandboxOnly: true,
  body: z.strictObject({ externalReference, webhookStatus: assumed('simulate-values', transactionStatus) }),
  reply: z.looseObject({}),
} satisfies Endpoint;

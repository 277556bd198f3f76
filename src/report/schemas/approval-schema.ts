import * as z from 'zod';
import { moneyText } from './money-text.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const key = z.string().meta({ description: 'ed25519: and the public key' });

export const approvalPolicySchema = z.strictObject({
  needed: z.number().int().min(1),
  approvers: z.array(z.strictObject({ key, name: z.string() })),
});

export const plannerSchema = z.strictObject({
  key,
  name: z.string(),
  at: z.iso.datetime(),
  signature: z.string().meta({ description: 'Over the whole plan, without itself' }),
});

/** What `payrun approve` writes: one person’s consent to one plan. */
export const approvalSchema = z
  .strictObject({
    kind: z.literal('approval'),
    plan: digest.meta({ description: 'SHA-256 of the bytes of the plan file' }),
    batch: z.string(),
    environment: z.string().nullable(),
    fileDigest: digest.nullable().meta({ description: 'SHA-256 of the bytes of the payout file' }),
    digest: digest.meta({ description: 'Of the intention, as the plan has it' }),
    totals: z.record(z.string(), moneyText).meta({ description: 'What may be sent, by currency' }),
    policy: digest.meta({ description: 'Of what the configuration asks for' }),
    approver: z.strictObject({ key, name: z.string() }),
    at: z.iso.datetime(),
    signature: z.string().meta({ description: 'Over all of this, without itself' }),
  })
  .meta({ id: 'Approval', title: 'One person’s consent to one plan' });

export type ApprovalDocument = z.output<typeof approvalSchema>;

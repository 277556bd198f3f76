import * as z from 'zod';

const texts = z.array(z.string());
const namePolicy = z.enum(['hold', 'pay']);
const count = z.number().int().min(0);

/** The flags that shape a plan, as they were typed: whoever pays by the plan file pays with them. */
export const planOptionsSchema = z
  .strictObject({
    map: texts,
    default: texts,
    encoding: z.string(),
    delimiter: z.string(),
    decimal: z.enum(['point', 'comma']),
    'allow-shared': count,
    'repeat-window': z.string(),
    'same-batch': z.boolean(),
    'allow-repeats': count,
    'skip-invalid': z.boolean(),
    'on-close': namePolicy,
    'on-mismatch': namePolicy,
    'on-unchecked': namePolicy,
    'limit-payout': texts,
    reserve: texts,
    notice: z.string(),
  })
  .partial();

export type PlanFlagValues = z.output<typeof planOptionsSchema>;

export const policySchema = z.strictObject({
  skipInvalid: z.boolean(),
  onClose: namePolicy,
  onMismatch: namePolicy,
  onUnchecked: namePolicy,
  limitPayout: z.record(z.string(), z.string()),
});

export const repeatsSchema = z.strictObject({
  windowMs: count,
  allowed: count,
  sameBatch: z.boolean(),
});

import type { PlanFlagValues } from '../../report/schemas/plan-settings-schema.ts';

/** The flags that shape a plan. The name of the batch is part of the plan itself, with its date filled in. */
export const shaping = [
  'map',
  'default',
  'encoding',
  'delimiter',
  'decimal',
  'allow-shared',
  'repeat-window',
  'same-batch',
  'allow-repeats',
  'skip-invalid',
  'on-close',
  'on-mismatch',
  'on-unchecked',
  'limit-payout',
  'reserve',
  'notice',
] as const satisfies (keyof PlanFlagValues)[];

import type { Minor } from './money.ts';
import { decimalOf } from './show-money.ts';

/** What a person decided about which sound rows are paid: it shapes the plan, and is journaled with the batch. */
export interface Policy {
  /** Pay the sound rows of a file that has others. */
  readonly skipInvalid: boolean;
  readonly onClose: NamePolicy;
  readonly onMismatch: NamePolicy;
  readonly onUnchecked: NamePolicy;
  /** A payout above it is held, by currency. */
  readonly limitPayout: ReadonlyMap<string, Minor>;
}

export type NamePolicy = 'hold' | 'pay';

/** Plain values, the same for the same policy: for the digest, the journal and JSON. */
export function policyDocument({ limitPayout, ...policy }: Policy): Record<string, unknown> {
  const limits = [...limitPayout].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    skipInvalid: policy.skipInvalid,
    onClose: policy.onClose,
    onMismatch: policy.onMismatch,
    onUnchecked: policy.onUnchecked,
    limitPayout: Object.fromEntries(
      limits.map(([currency, minor]) => [currency, decimalOf(minor, currency)]),
    ),
  };
}

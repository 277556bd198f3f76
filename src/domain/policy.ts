import { decimalOf } from './money/format-money.ts';
import { type Minor, minorFromDecimal } from './money/money.ts';
import type { NameCount } from './names/name-evidence.ts';
import { findCurrency } from './reference-data/countries.ts';

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

/** Whether a payout with this verdict waits for a person. No policy pays to an account that does not exist. */
export function holdsVerdict({ onClose, onMismatch, onUnchecked }: Policy, verdict: NameCount): boolean {
  const policies: Readonly<Record<NameCount, NamePolicy>> = {
    match: 'pay',
    close: onClose,
    mismatch: onMismatch,
    unchecked: onUnchecked,
    'no-account': 'hold',
  };
  return policies[verdict] === 'hold';
}

/** What a later command may ask of a batch besides its policy. Only the stricter of the two ever counts. */
export type Tightening = {
  readonly [Part in 'onClose' | 'onMismatch' | 'onUnchecked' | 'limitPayout']?: Policy[Part] | undefined;
};

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

/** The policy that a document was made of. What it does not name is held, and not limited. */
export function policyFromDocument(document: Readonly<Record<string, unknown>>): Policy {
  const word = (name: keyof Policy): NamePolicy => (document[name] === 'pay' ? 'pay' : 'hold');
  const limits = Object.entries((document['limitPayout'] ?? {}) as Record<string, string>);
  return {
    skipInvalid: document['skipInvalid'] === true,
    onClose: word('onClose'),
    onMismatch: word('onMismatch'),
    onUnchecked: word('onUnchecked'),
    limitPayout: new Map(
      limits.flatMap(([currency, decimal]) => {
        const minor = minorFromDecimal(decimal, findCurrency(currency)?.decimals ?? 0);
        return minor === undefined ? [] : [[currency, minor] as const];
      }),
    ),
  };
}

export function tightenPolicy(policy: Policy, by: Tightening): Policy {
  const stricter = (one: NamePolicy, other: NamePolicy | undefined): NamePolicy =>
    one === 'hold' || other === 'hold' ? 'hold' : 'pay';
  const limitPayout = new Map(policy.limitPayout);
  for (const [currency, limit] of by.limitPayout ?? []) {
    const known = limitPayout.get(currency);
    limitPayout.set(currency, known !== undefined && known < limit ? known : limit);
  }
  return {
    skipInvalid: policy.skipInvalid,
    onClose: stricter(policy.onClose, by.onClose),
    onMismatch: stricter(policy.onMismatch, by.onMismatch),
    onUnchecked: stricter(policy.onUnchecked, by.onUnchecked),
    limitPayout,
  };
}

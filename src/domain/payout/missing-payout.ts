import { counted } from '../text/counted.ts';
import type { PayoutState } from './payout-state.ts';

/** Why a payout that was sent does not show that its account is the one that is asked. */
export type WhyMissing = 'not-found' | 'differs' | 'other-transaction' | 'not-told';

export interface MissingPayout {
  readonly payment: string;
  readonly state: PayoutState;
  readonly why: WhyMissing;
}

const linesShown = 20;

const whyTexts: Readonly<Record<WhyMissing, string>> = {
  'not-found': 'the service does not find it',
  differs: 'something else stands under its reference',
  'other-transaction': 'another transaction stands under its reference',
  'not-told': 'the service cannot be asked for it',
};

/** A line each for the first of them, and how many more there are. */
export function missingLines(first: readonly MissingPayout[], count: number): string {
  const shown = first.slice(0, linesShown);
  const more = count > shown.length ? [`  and ${counted(count - shown.length, 'more payout')}`] : [];
  return [
    ...shown.map(({ payment, state, why }) => `  payment ${payment} (${state}): ${whyTexts[why]}`),
    ...more,
  ].join('\n');
}

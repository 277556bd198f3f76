import { decimalOf } from '../../domain/money/format-money.ts';
import type { Minor } from '../../domain/money/money.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import { type Reason, type ReasonCode, reasonText } from '../../domain/payout/reasons.ts';
import { maskPayees } from '../../domain/text/mask-numbers.ts';

/** What takes long because it asks the service about everybody, in the order of a run. */
export type Stage = 'names' | 'payees' | 'look-up' | 'submit' | 'settle';

/** What a run tells whoever listens: live view, log and JSON lines are listeners, none of them known to the pipeline. */
export type RunEvent =
  /** How far a stage has come. */
  | { readonly kind: 'stage'; readonly stage: Stage; readonly done: number; readonly of: number }
  /** What is about to be sent, in all. */
  | {
      readonly kind: 'sending';
      readonly payouts: number;
      readonly amounts: readonly { readonly currency: string; readonly amount: string }[];
    }
  | {
      readonly kind: 'moved';
      readonly key: string;
      readonly from: PayoutState;
      readonly to: PayoutState;
      readonly currency: string;
      readonly amount: string;
      readonly code: ReasonCode | '';
      /** For people. */
      readonly reason: string;
    }
  /** What became of payouts since workers have the batch, and what was sent of it: again whenever it has changed. */
  | {
      readonly kind: 'by-workers';
      readonly moved: Readonly<Partial<Record<PayoutState, number>>>;
      readonly sent: readonly { readonly currency: string; readonly amount: string }[];
    }
  | { readonly kind: 'waiting'; readonly why: string; readonly forMs: number }
  /** For whoever wants to know more; `answers` where it is about what somebody asked for, who must hear it. */
  | { readonly kind: 'notice'; readonly message: string; readonly answers?: true }
  | { readonly kind: 'alarm'; readonly message: string };

export type OnEvent = (event: RunEvent) => void;

/** All of one currency together, whichever wallet it is taken from. */
export function sendingEvent(payouts: number, totals: readonly CurrencySum[]): RunEvent {
  return { kind: 'sending', payouts, amounts: amountsOf(totals) };
}

export function amountsOf(totals: readonly CurrencySum[]): { currency: string; amount: string }[] {
  const sums = new Map<string, Minor>();
  for (const { currency, amountMinor } of totals)
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  return [...sums].map(([currency, minor]) => ({ currency, amount: decimalOf(minor, currency) }));
}

interface CurrencySum {
  readonly currency: string;
  readonly amountMinor: Minor;
}

/** Where a payout went. */
export function movedEvent(
  payout: Pick<Payout, 'key' | 'state' | 'currency' | 'amountMinor'>,
  to: PayoutState,
  why: Reason | string,
  from = payout.state,
): RunEvent {
  const { key, currency, amountMinor } = payout;
  const told =
    typeof why === 'string'
      ? { code: '' as const, reason: why }
      : { code: why.code, reason: reasonText(why) };
  return { kind: 'moved', key, from, to, currency, amount: decimalOf(amountMinor, currency), ...told };
}

/** Events go to logs and screens, where no account number belongs: a payment that goes by its payee is said with four digits. */
export function withoutNumbers(event: RunEvent): RunEvent {
  switch (event.kind) {
    case 'moved':
      return { ...event, key: maskPayees(event.key), reason: maskPayees(event.reason) };
    case 'notice':
    case 'alarm':
      return { ...event, message: maskPayees(event.message) };
    case 'stage':
    case 'sending':
    case 'by-workers':
    case 'waiting':
      return event;
  }
}

import { type Reason, type ReasonCode, reasonText } from '../../domain/payout/reasons.ts';
import { maskPayees } from '../../domain/text/mask-numbers.ts';

/** What a run tells whoever listens: live view, log and JSON lines are listeners, none of them known to the pipeline. */
export type RunEvent =
  /** How far a stage that asks the service about everybody has come. */
  | {
      readonly kind: 'stage';
      readonly stage: 'payees' | 'names' | 'submit';
      readonly done: number;
      readonly of: number;
    }
  | {
      readonly kind: 'moved';
      readonly key: string;
      readonly from: string;
      readonly to: string;
      readonly code: ReasonCode | '';
      /** For people. */
      readonly reason: string;
    }
  | { readonly kind: 'waiting'; readonly why: string; readonly forMs: number }
  /** For whoever wants to know more; `answers` where it is about what somebody asked for, who must hear it. */
  | { readonly kind: 'notice'; readonly message: string; readonly answers?: true }
  | { readonly kind: 'alarm'; readonly message: string };

export type OnEvent = (event: RunEvent) => void;

/** A reason as an event has it. */
export function told(reason: Reason): { readonly code: ReasonCode | ''; readonly reason: string } {
  return { code: reason.code, reason: reasonText(reason) };
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
    case 'waiting':
      return event;
  }
}

import type { Payout } from '../../domain/payout/payout.ts';
import { type Reason, reason } from '../../domain/payout/reasons.ts';
import type { AccountClaim } from '../../journal/known-payees.ts';
import type { NotOk } from '../../service/call-outcome.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import { accountDifferences } from './account-agrees.ts';

/** What the search for the account of a payee came to. */
export type FoundAccount =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'trouble'; readonly reason: Reason }
  /** The service gave no clear answer: the payout stays planned and the next round asks again. */
  | { readonly kind: 'later' };

/** Another run wrote of the account while it was being decided. */
export type Moved = { readonly kind: 'moved' };

export function notGranted(
  claim: Exclude<AccountClaim, { kind: 'granted' }>,
  account: string,
): FoundAccount | Moved {
  if (claim.kind === 'moved') return claim;
  if (claim.kind === 'of-another') return anothers(account);
  if (claim.kind === 'changed') return changed(account);
  return { kind: 'trouble', reason: reason('account-in-use', { account, batch: claim.batch }) };
}

export const takenReason = {
  changed: (account: string) => reason('account-changed', { account }),
  'of-another': (account: string) => reason('account-of-another', { account }),
} as const;

export function changed(account: string): FoundAccount {
  return { kind: 'trouble', reason: takenReason.changed(account) };
}

export function anothers(account: string): FoundAccount {
  return { kind: 'trouble', reason: takenReason['of-another'](account) };
}

type Refusal = Extract<NotOk, { kind: 'refused' }>;

export function accountRefused(refusal: Refusal): FoundAccount {
  return { kind: 'trouble', reason: reason('account-refused', saidOf(refusal)) };
}

export function notCorrected(account: ExternalAccount, payout: Payout, refusal: Refusal): FoundAccount {
  const differences = accountDifferences(account, payout);
  if (differences === '') return accountRefused(refusal);
  const details = { account: account.externalAccountId, differences, ...saidOf(refusal) };
  return { kind: 'trouble', reason: reason('account-not-corrected', details) };
}

function saidOf({ errorCode: code, message }: Refusal) {
  return { errorCode: code, words: message ?? 'the service gave no other words' };
}

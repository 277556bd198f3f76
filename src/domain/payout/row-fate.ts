import type { Payout } from './payout.ts';
import type { PayoutState } from './payout-state.ts';

/** What becomes of a row, given what the journal knows of its payout. */
export type RowFate =
  /** Not known yet: will be added. */
  | 'new'
  /** Known and unchanged: goes on from where it stands. */
  | 'carries-on'
  /** Was held because its row had left the file, and the row is back: will be sent. */
  | 'brought-back'
  /** Changed before anything was sent, or after a refusal: starts over under the same reference. */
  | 'replaced'
  /** Changed after a conclusive failure: a new attempt. */
  | 'new-attempt'
  /** A person dropped it: stays dropped, changed or not. */
  | 'stays-cancelled'
  /** Changed after it was or may have been sent: blocking. */
  | 'conflict'
  /** Changed in nothing but its name, narration, operator, branch or the way its bank is written, and it was sent: a warning. */
  | 'renamed';

/** What the merge compares. The fingerprint is payee, amount, currency and wallet. */
export interface ComparedRow
  extends Pick<Payout, 'fingerprint' | 'accountName' | 'narration' | 'operator' | 'branchCode'> {
  /** As it is sent: another way to write it is the same payee, and may be what the service takes. */
  readonly bankCode: string;
}

export interface KnownPayout extends ComparedRow, Pick<Payout, 'state'> {
  /** Why it is held; `file` where its row had left the file. */
  readonly hold: string;
  /** The service took it under its present reference: a person has given it up, or had it tried again since. */
  readonly isTaken: boolean;
}

export function planRow(row: ComparedRow, known: KnownPayout | undefined): RowFate {
  if (!known) return 'new';
  const changed = row.fingerprint !== known.fingerprint;
  const corrected =
    changed ||
    row.accountName !== known.accountName ||
    row.operator !== known.operator ||
    row.bankCode !== known.bankCode ||
    row.branchCode !== known.branchCode;
  const touched = corrected || row.narration !== known.narration;
  // Its transaction may still pay: what it pays is what was sent.
  if (known.isTaken && touched && beforeSending.has(known.state)) return changed ? 'conflict' : 'renamed';
  switch (known.state) {
    case 'cancelled':
      return 'stays-cancelled';
    case 'held':
      if (touched) return 'replaced';
      return known.hold === 'file' ? 'brought-back' : 'carries-on';
    case 'planned':
    case 'ready':
    case 'refused':
      return touched ? 'replaced' : 'carries-on';
    case 'failed':
    case 'returned':
      // Another narration mends nothing, and must not be what sends money again.
      return corrected ? 'new-attempt' : 'carries-on';
    case 'submitting':
    case 'submitted':
    case 'unclear':
    case 'paid':
      if (changed) return 'conflict';
      return touched ? 'renamed' : 'carries-on';
  }
}

const beforeSending: ReadonlySet<PayoutState> = new Set(['planned', 'ready', 'held', 'refused']);

/** Whether money will go out for the row now. Held ones wait for a person; those on their way or at their end need none. */
export function willSend(fate: RowFate, state: PayoutState | undefined): boolean {
  switch (fate) {
    case 'new':
    case 'replaced':
    case 'new-attempt':
    case 'brought-back':
      return true;
    case 'carries-on':
      return state === 'planned' || state === 'ready';
    case 'stays-cancelled':
    case 'conflict':
    case 'renamed':
      return false;
  }
}

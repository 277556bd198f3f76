import type { Problem } from '../problems/problem.ts';
import { batchProblem } from '../problems/problem-kinds.ts';
import { type PaymentKey, payeeKey, referenceOf } from '../reference.ts';
import type { RawRow, Row } from '../row.ts';
import { cleanText } from '../text/clean-text.ts';
import { readableText } from '../text/readable-text.ts';
import { parsePaymentId } from './parse-payment-id.ts';
import { readCell } from './read-cell.ts';
import { RowFindings } from './row-findings.ts';
import { mendCell } from './spreadsheet-damage.ts';

/** Which payment a row is. */
export interface Identity {
  readonly key: string;
  readonly attempt: number;
  readonly problems: readonly Problem[];
}

/** How the batch tells its payments apart. */
export interface IdentityContext {
  readonly batch: string;
  readonly keyKind: PaymentKey['kind'];
  /** The journal knows the batch. */
  readonly isKnown: boolean;
  /** By payee: keys under which payouts were accepted while their bank was another one to us. */
  readonly earlierKeys?: ReadonlyMap<string, string> | undefined;
}

/** How far a file may say that a payment has come which the journal does not know: each attempt costs look-ups. */
export const mostNamedAttempts = 20;
/** Of a payment that the journal knows, by whose own count it goes. */
const mostAttempts = 1000;

/**
 * In a file of ours the key beside the row says which payment it is, so that a corrected number stays the same
 * payment; its reference must belong to that key, or somebody moved cells about. Rows added by hand have neither.
 */
export function rowIdentity(row: Row, raw: RawRow, context: IdentityContext): Identity {
  const { batch, keyKind, isKnown, earlierKeys } = context;
  const payee = keyKind === 'payee' ? payeeKey(row.payee) : '';
  const own = keyKind === 'paymentId' ? (row.paymentId ?? '') : (earlierKeys?.get(payee) ?? payee);
  const given = givenKey(raw);
  const reference = raw.payrun.payrun_reference?.trim().toLowerCase() ?? '';
  if (given === '' && reference === '') return { key: own, attempt: 1, problems: [] };
  const key = given === '' ? own : given;
  const attempt = givenAttempt(raw);
  if (attempt === undefined || reference !== referenceOf(batch, keyKind, key, attempt)) {
    const message = `Line ${raw.line} carries payrun_key "${readableText(key)}" with a payrun_reference that is not its own. Somebody moved or changed payrun_ cells: take the row from the results file again; or, if it is a new payment, empty all its payrun_ cells.`;
    const moved = { line: raw.line, column: 'payrun_reference', message, value: reference };
    return { key, attempt: 1, problems: [batchProblem('identity-broken', moved)] };
  }
  if (!isKnown && attempt > mostNamedAttempts) {
    const message = `Line ${raw.line} says that payment "${readableText(key)}" is at attempt ${attempt}; no file may name more than ${mostNamedAttempts} of a batch that this journal does not know. Empty all its payrun_ cells: what the service already holds is then found, and not paid again.`;
    const tooHigh = { line: raw.line, column: 'payrun_attempt', message, value: String(attempt) };
    return { key, attempt: 1, problems: [batchProblem('attempt-too-high', tooHigh)] };
  }
  if (keyKind === 'paymentId' && own !== key) {
    const message = `Line ${raw.line} says paymentId "${readableText(own)}", but payrun_key says that it is payment "${readableText(key)}", and that counts. For another payment empty the payrun_ cells of the row.`;
    const ignored = { line: raw.line, column: 'payrun_key', message, value: key };
    return { key, attempt, problems: [batchProblem('payment-id-ignored', ignored)] };
  }
  return { key, attempt, problems: [] };
}

/** The key of a row that cannot be paid, so far as it can be read: mended later, it would be that payment. */
export function invalidRowKey(raw: RawRow, keyKind: PaymentKey['kind']): string | undefined {
  const given = givenKey(raw);
  if (given !== '') return given;
  if (keyKind === 'payee') return undefined;
  const unheard = new RowFindings(raw.line, {});
  return parsePaymentId(mendCell(readCell(raw, 'paymentId'), unheard), true, unheard);
}

/** `line:17` is not a key but the place of a row that was never a payment. */
function givenKey(raw: RawRow): string {
  const { text } = cleanText(raw.payrun.payrun_key ?? '');
  return /^line:\d+$/.test(text) ? '' : text;
}

function givenAttempt(raw: RawRow): number | undefined {
  const text = raw.payrun.payrun_attempt?.trim() || '1';
  const attempt = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return attempt >= 1 && attempt <= mostAttempts ? attempt : undefined;
}

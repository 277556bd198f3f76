import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';
import { isDateLike } from './spreadsheet-damage.ts';

const longestPaymentId = 200;

/** The id is half of what makes a payment the same payment: it is cleaned, never folded, and never guessed. */
export function parsePaymentId(cell: Cell, hasColumn: boolean, findings: RowFindings): string | undefined {
  if (cell.spoilt || !hasColumn) return undefined;
  const { text } = cell;
  if (text === '') {
    return findings.problem(
      'payment-id-missing',
      cell,
      'This row has no paymentId. Give every row an id of its own that stays the same when the file is sent again.',
    );
  }
  if (text.length > longestPaymentId) {
    return findings.problem(
      'payment-id-too-long',
      cell,
      `This paymentId has ${text.length} characters; at most ${longestPaymentId} are allowed. Shorten it.`,
    );
  }
  if (isDateLike(text)) {
    findings.problem(
      'payment-id-date',
      cell,
      `The paymentId ${readableText(text)} looks like a date. If the spreadsheet made it one, format the column as text and enter the id again; if it is your id, nothing is to be done.`,
    );
  }
  return text;
}

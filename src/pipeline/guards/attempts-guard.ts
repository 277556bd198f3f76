import pLimit from 'p-limit';
import { type PaymentKey, referenceOf } from '../../domain/reference.ts';
import { mostNamedAttempts } from '../../domain/row/row-identity.ts';
import { counted } from '../../domain/text/counted.ts';
import { maskPayees } from '../../domain/text/mask-numbers.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { LaterAttempt } from '../../journal/draft/draft-attempts.ts';
import { carefulLookUp, hasFailed, type LookUpContext } from '../look-up/careful-look-up.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { serviceError } from '../run/service-error.ts';
import type { Guard } from './guards.ts';

const rowsShown = 10;

/**
 * A payment that this journal does not know may be at attempt 2 or later only because every attempt before has failed,
 * and the service still shows that. Cells alone prove nothing: whoever writes "attempt 2" into a file would have people
 * paid under a reference that nobody else looks for.
 */
export async function attemptsGuard(
  context: LookUpContext,
  batch: { readonly name: string; readonly keyKind: PaymentKey['kind'] },
  pages: Iterable<readonly LaterAttempt[]>,
  concurrency: number,
): Promise<Guard | undefined> {
  const limit = pLimit(concurrency);
  const unproven: string[] = [];
  for (const page of pages) {
    let refused = unproven.length;
    const ask = async (row: LaterAttempt) => {
      // A file that is refused anyway need not be asked about to its end.
      if (refused > rowsShown) return undefined;
      const why = await whyUnproven(context, batch, row);
      if (why !== undefined) refused += 1;
      return why;
    };
    // All together: a question that fails while another is waited for must stop the plan, and not the process.
    const whys = await Promise.all(page.map((row) => limit(() => ask(row))));
    for (const [place, row] of page.entries()) {
      const why = whys[place];
      if (why !== undefined) unproven.push(lineOf(row, why));
    }
    if (unproven.length > rowsShown) break;
  }
  if (unproven.length === 0) return undefined;
  const many = unproven.length > rowsShown;
  const rows = many
    ? `More than ${rowsShown} rows name`
    : `${counted(unproven.length, 'row')} ${unproven.length === 1 ? 'names' : 'name'}`;
  return {
    code: 'attempts',
    message: [
      `${rows} a later attempt of a payment that this journal does not know, and the service does not show that every earlier attempt failed:`,
      ...unproven.slice(0, rowsShown),
      `Use the workspace that this file comes from, or restore its journal. Else empty all payrun_ cells of these rows: what the service already holds is then found, and not paid again.`,
    ].join('\n'),
  };
}

/** Undefined where every earlier attempt is shown as failed. */
async function whyUnproven(
  context: LookUpContext,
  { name, keyKind }: { readonly name: string; readonly keyKind: PaymentKey['kind'] },
  row: LaterAttempt,
): Promise<string | undefined> {
  if (row.attempt > mostNamedAttempts) return `no file may name more than ${mostNamedAttempts}`;
  for (let attempt = 1; attempt < row.attempt; attempt += 1) {
    const reference = referenceOf(name, keyKind, row.key, attempt);
    const seen = await carefulLookUp(context, { ...row, id: -1, reference });
    if (seen.kind === 'unavailable')
      throw serviceError(seen.outcome, 'Earlier attempts could not be looked up');
    if (!hasFailed(seen)) return `attempt ${attempt} ${shownAs(seen)}`;
  }
  return undefined;
}

function shownAs(seen: Exclude<LookUp, { kind: 'unavailable' }>): string {
  switch (seen.kind) {
    case 'not-found':
      return 'is not shown';
    case 'found':
      return `is ${seen.status} (${seen.transactionId})`;
    case 'differs':
    case 'undecided':
      return `cannot be told: ${seen.why}`;
  }
}

function lineOf({ line, key, attempt }: LaterAttempt, why: string): string {
  return `  line ${line}: payment ${maskPayees(readableText(key))}, attempt ${attempt}: ${why}`;
}

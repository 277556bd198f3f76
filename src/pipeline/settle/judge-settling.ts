import { judgeAnswers } from '../../domain/payout/judge-answers.ts';
import { type Judgement, showsReference, showsWhere } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { ShownTransaction } from '../../domain/payout/shown-transaction.ts';
import { mostHits, rowsOf } from '../look-up/look-up.ts';
import type { RunContext } from '../run/run-context.ts';
import { landingFor } from '../send/resolve-unknown-sends.ts';

/**
 * Reads the transaction of a payout and judges it; undefined where the service does not tell. Where the single read says
 * successful and not how much went where, the list is asked for that as well. A failure needs no such question here:
 * nothing is called failed before a look-up, which judges both.
 */
export async function judgeSettling(context: RunContext, payout: Payout): Promise<Judgement | undefined> {
  const { transactionId } = payout;
  const read = await context.service.readTransaction({ params: { transactionId } });
  return read.kind === 'ok' ? judgeRead(context, payout, read.value.data) : undefined;
}

/** What a single read says, beside rows that a list was seen to show of the same transaction. */
export async function judgeRead(
  context: RunContext,
  payout: Payout,
  read: ShownTransaction,
  seen: readonly ShownTransaction[] = [],
): Promise<Judgement | undefined> {
  const alone = await judgedOnce(context, read, [], payout);
  if (alone.kind !== 'ours' || alone.status !== 'successful') return alone;
  if (seen.length > 0) return judgedOnce(context, read, seen, payout);
  if (showsWhere(read, payout)) return alone;
  const rows = await askList(context, payout);
  if (!rows) return undefined;
  if (rows.length > 0) return judgedOnce(context, read, rows, payout);
  // A list may lag, or know nothing of references. Once it had its time, the single read is all there is.
  return payout.state === 'submitted' && landingFor(context, payout) > 0 ? undefined : alone;
}

/** What the list shows of the transaction of a payout, asked by its reference; undefined where it is not answered. */
export async function askList(
  { service }: RunContext,
  { reference, transactionId }: Payout,
): Promise<ShownTransaction[] | undefined> {
  const listed = await service.listTransactions({ query: { externalReference: reference, limit: mostHits } });
  return listed.kind === 'ok' ? rowsOf(listed.value.data, transactionId) : undefined;
}

/**
 * One transaction pays one payout. A service that names the same one for two is believed about neither, unless it shows
 * whose reference it carries.
 */
export async function judgedOnce(
  { payouts }: RunContext,
  shown: ShownTransaction,
  rows: readonly ShownTransaction[],
  payout: Payout,
): Promise<Judgement> {
  const judged = judgeAnswers(shown, rows, payout, payout.transactionId);
  if (
    judged.kind !== 'ours' ||
    showsReference(shown) ||
    !(await payouts.transactionTaken(payout.transactionId, payout.id))
  )
    return judged;
  return { kind: 'differs', why: 'it is known as another payout’s', status: judged.status };
}

import { showsWhere } from '../../domain/payout/judge-transaction.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import type { ListedTransaction } from '../../service/contract/transactions.ts';
import { mayBePaidTwice } from '../look-up/all-attempts.ts';
import { mostHits, rowsOf } from '../look-up/look-up.ts';
import { eachOf } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';
import { concludeSettling } from './conclude-settling.ts';
import { judgedOnce } from './judge-settling.ts';

const longestStretch = 200;

/** Payouts that were sent one after the other, and the transaction that a list is read from to meet them. */
interface Stretch {
  readonly payouts: readonly Payout[];
  /** Undefined: from the newest. */
  readonly from: string | undefined;
  /** Of those that stand above it: where others send at the same time, theirs are in between. */
  readonly above: ReadonlySet<string>;
}

/**
 * Settles by the transactions list, ten at a call, what it shows beyond doubt. The list is newest first and payouts stand
 * in it about as they were sent: so each stretch of the batch is read from just above it downwards, several at a time.
 * Gives those that it shows to be on their way. Whatever it does not decide is read singly.
 */
export async function settleByPages(context: RunContext): Promise<ReadonlySet<number>> {
  const pending = new Set<number>();
  const { payouts, settings } = context;
  const count = await payouts.count(['submitted']);
  if (count < 2) return pending;
  const least = Math.max(mostHits, 2 * settings.concurrency, Math.ceil(count / settings.concurrency));
  const size = Math.min(longestStretch, least);
  await eachOf(context, stretches(context, size), (stretch) => readStretch(context, stretch, pending));
  return pending;
}

/** What was sent at once may have come to the service in another order: so many more stand above a stretch. */
async function* stretches(context: RunContext, size: number): AsyncIterableIterator<Stretch> {
  const { chunks, settings } = context;
  const page = await (chunks === undefined ? asInFile : asSent)(context, size);
  // Where workers send, several do.
  const atOnce = chunks === undefined ? settings.concurrency : 2 * settings.concurrency;
  for (let own = await page(), above: readonly Payout[]; own.length > 0; own = above) {
    above = await page();
    const ids = new Set(above.map(({ transactionId }) => transactionId));
    yield { payouts: own, from: above[atOnce]?.transactionId, above: ids };
  }
}

type NextPage = () => Promise<readonly Payout[]>;

async function asInFile({ payouts }: RunContext, size: number): Promise<NextPage> {
  let lastId = 0;
  return async () => {
    const page = await payouts.page(['submitted'], lastId, size);
    lastId = page.at(-1)?.id ?? lastId;
    return page;
  };
}

/** Chunks that were sent at the same time stand among each other in the list. */
async function asSent({ payouts }: RunContext, size: number): Promise<NextPage> {
  const ids = await payouts.submittedAsSent();
  let place = 0;
  return async () => {
    for (; place < ids.length; ) {
      const page = await payouts.submittedOf(ids.slice(place, place + size));
      place += size;
      if (page.length > 0) return page;
    }
    return [];
  };
}

async function readStretch(
  context: RunContext,
  { payouts, from, above }: Stretch,
  pending: Set<number>,
): Promise<void> {
  const left = new Map(payouts.map((payout) => [payout.transactionId, payout]));
  const mostStrange = 2 + Math.ceil(context.settings.concurrency / mostHits);
  let last = from;
  // A page that shows nothing of the batch is one of others' transactions; too many of those, and the list leads nowhere.
  for (let strange = 0; left.size > 0 && strange < mostStrange && !context.stopping(); ) {
    const query = { limit: mostHits, ...(last !== undefined && { transactionId: last }) };
    const listed = await context.service.listTransactions({ query });
    if (listed.kind !== 'ok') return;
    const shown = listed.value.data;
    const met = [...new Set(shown.map(({ transactionId }) => transactionId))].flatMap(
      (transactionId) => left.get(transactionId) ?? [],
    );
    for (const payout of met) {
      left.delete(payout.transactionId);
      await settleByRow(context, payout, shown, pending);
    }
    const isOurs = met.length > 0 || shown.some(({ transactionId }) => above.has(transactionId));
    strange = isOurs ? 0 : strange + 1;
    const next = shown.at(-1)?.transactionId;
    if (shown.length < mostHits || next === last) return;
    last = next;
  }
}

/** By the same test as a single read. A row that shows less, or more than one answer, is not enough; nor is a failure. */
async function settleByRow(
  context: RunContext,
  payout: Payout,
  shown: readonly ListedTransaction[],
  pending: Set<number>,
): Promise<void> {
  const [row, second] = rowsOf(shown, payout.transactionId);
  if (!row || second || payout.code !== '' || (await mayBePaidTwice(context, payout))) return;
  const judged = await judgedOnce(context, row, [], payout);
  if (judged.kind !== 'ours' || judged.contradiction || !showsWhere(row, payout)) return;
  if (judged.status === 'pending') pending.add(payout.id);
  // The list cuts fractions off: only the whole amount says how much went out.
  else if (judged.status === 'successful' && judged.shownMinor === payout.amountMinor)
    await concludeSettling(context, payout, judged);
}

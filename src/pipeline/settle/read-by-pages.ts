import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { ListedTransaction } from '../../service/contract/transactions.ts';
import { mostHits } from '../look-up/look-up.ts';
import { eachOf } from '../run/each-payout.ts';
import type { RunContext } from '../run/run-context.ts';

const longestStretch = 200;

/** Which payouts are looked for in the list, and what is done with one that a page of it shows. */
interface ByPages {
  readonly state: 'submitted' | 'paid';
  readonly isWanted?: (payout: Payout) => boolean;
  readonly take: (payout: Payout, shown: readonly ListedTransaction[]) => Promise<void>;
}

/** Payouts that were sent one after the other, and the transaction that a list is read from to meet them. */
interface Stretch {
  readonly payouts: readonly Payout[];
  /** Undefined: from the newest. */
  readonly from: string | undefined;
  /** Of those that stand above it: where others send at the same time, theirs are in between. */
  readonly above: ReadonlySet<string>;
}

/**
 * Looks payouts of one state up in the transactions list, ten at a call. The list is newest first and payouts stand in it
 * about as they were sent: so each stretch of the batch is read from just above it downwards, several at a time.
 */
export async function readByPages(context: RunContext, wish: ByPages): Promise<void> {
  const { payouts, settings } = context;
  const count = await payouts.count([wish.state]);
  if (count < 2) return;
  const least = Math.max(mostHits, 2 * settings.concurrency, Math.ceil(count / settings.concurrency));
  const size = Math.min(longestStretch, least);
  let isAnswered = true;
  await eachOf(context, stretches(context, wish.state, size), async (stretch) => {
    if (isAnswered) isAnswered = await readStretch(context, stretch, wish);
  });
}

/** What was sent at once may have come to the service in another order: so many more stand above a stretch. */
async function* stretches(
  context: RunContext,
  state: ByPages['state'],
  size: number,
): AsyncIterableIterator<Stretch> {
  const { chunks, settings } = context;
  const isSentApart = chunks !== undefined && state === 'submitted';
  const page = isSentApart ? await asSent(context, size) : asInFile(context, [state], size);
  // Where workers send, several do.
  const atOnce = isSentApart ? 2 * settings.concurrency : settings.concurrency;
  for (let own = await page(), above: readonly Payout[]; own.length > 0; own = above) {
    above = await page();
    const ids = new Set(above.map(({ transactionId }) => transactionId));
    yield { payouts: own, from: above[atOnce]?.transactionId, above: ids };
  }
}

type NextPage = () => Promise<readonly Payout[]>;

function asInFile({ payouts }: RunContext, states: readonly PayoutState[], size: number): NextPage {
  let lastId = 0;
  return async () => {
    const page = await payouts.page(states, lastId, size);
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

/** False where the list does not answer: then it is not asked for the others either. */
async function readStretch(
  context: RunContext,
  { payouts, from, above }: Stretch,
  { isWanted = () => true, take }: ByPages,
): Promise<boolean> {
  const left = new Map(payouts.filter(isWanted).map((payout) => [payout.transactionId, payout]));
  // Each counts once: a list that goes round in circles leads nowhere either.
  const notPassed = new Set(above);
  const mostStrange = 2 + Math.ceil(context.settings.concurrency / mostHits);
  let last = from;
  // A page that shows nothing of the batch is one of others' transactions; too many of those, and the list leads nowhere.
  for (let strange = 0; left.size > 0 && strange < mostStrange && !context.stopping(); ) {
    const query = { limit: mostHits, ...(last !== undefined && { transactionId: last }) };
    const listed = await context.service.listTransactions({ query });
    if (listed.kind !== 'ok') return false;
    const shown = listed.value.data;
    const met = [...new Set(shown.map(({ transactionId }) => transactionId))].flatMap(
      (transactionId) => left.get(transactionId) ?? [],
    );
    for (const payout of met) {
      left.delete(payout.transactionId);
      await take(payout, shown);
    }
    const passed = shown.filter(({ transactionId }) => notPassed.delete(transactionId));
    strange = met.length + passed.length > 0 ? 0 : strange + 1;
    const next = shown.at(-1)?.transactionId;
    if (shown.length < mostHits || next === last) break;
    last = next;
  }
  return true;
}

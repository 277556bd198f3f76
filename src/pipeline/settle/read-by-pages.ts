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
  const search = createSearch();
  let isAnswered = true;
  await eachOf(context, stretches(context, wish.state, size), async (stretch) => {
    if (isAnswered && !(await readStretch(context, stretch, wish, search))) isAnswered = false;
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
  const page = isSentApart ? await asSent(context) : asInFile(context, [state]);
  // Where workers send, several do.
  const atOnce = isSentApart ? 2 * settings.concurrency : settings.concurrency;
  // The lower end of a stretch is met by the one below it: the lowest is as much shorter as it has nobody there.
  const lowest = Math.max(mostHits, size - atOnce);
  for (let own = await page(lowest), above: readonly Payout[]; own.length > 0; own = above) {
    above = await page(size);
    if (above.length > 0 && above.length <= atOnce) {
      // With so few above it a stretch is read from the newest all the same, and meets them on its way: at the top of the
      // list they are its own.
      const further = await page(size);
      const isTop = further.length === 0;
      if (isTop) own = [...own, ...above];
      above = isTop ? [] : [...above, ...further];
    }
    const ids = new Set(above.map(({ transactionId }) => transactionId));
    yield { payouts: own, from: above[atOnce]?.transactionId, above: ids };
  }
}

type NextPage = (size: number) => Promise<readonly Payout[]>;

function asInFile({ payouts }: RunContext, states: readonly PayoutState[]): NextPage {
  let lastId = 0;
  return async (size) => {
    const page = await payouts.page(states, lastId, size);
    lastId = page.at(-1)?.id ?? lastId;
    return page;
  };
}

/** Chunks that were sent at the same time stand among each other in the list. */
async function asSent({ payouts }: RunContext): Promise<NextPage> {
  const ids = await payouts.submittedAsSent();
  let place = 0;
  return async (size) => {
    for (; place < ids.length; ) {
      const page = await payouts.submittedOf(ids.slice(place, place + size));
      place += size;
      if (page.length > 0) return page;
    }
    return [];
  };
}

/** What all stretches under way still look for, by its transaction: whichever meets it takes it. */
function createSearch() {
  const sought = new Map<string, { readonly payout: Payout; readonly left: Set<string> }>();
  return {
    /** What is left of these, also as others meet them. */
    begin(payouts: readonly Payout[]): Set<string> {
      const left = new Set(payouts.map(({ transactionId }) => transactionId));
      for (const payout of payouts) sought.set(payout.transactionId, { payout, left });
      return left;
    },

    /** Each is met once. */
    meet(transactionId: string): Payout[] {
      const met = sought.get(transactionId);
      sought.delete(transactionId);
      met?.left.delete(transactionId);
      return met ? [met.payout] : [];
    },

    end(left: Set<string>): void {
      for (const transactionId of left)
        if (sought.get(transactionId)?.left === left) sought.delete(transactionId);
    },
  };
}

type Search = ReturnType<typeof createSearch>;

/** False where the list does not answer: then it is not asked for the others either. */
async function readStretch(
  context: RunContext,
  { payouts, from, above }: Stretch,
  { isWanted = () => true, take }: ByPages,
  search: Search,
): Promise<boolean> {
  const left = search.begin(payouts.filter(isWanted));
  const takeAll = async (met: readonly Payout[], shown: readonly ListedTransaction[]) => {
    for (const payout of met) await take(payout, shown);
  };
  const isEnough = () => left.size === 0 || context.stopping();
  // Each counts once: a list that goes round in circles leads nowhere either.
  const notPassed = new Set([...above, ...left]);
  const mostStrange = 2 + Math.ceil(context.settings.concurrency / mostHits);
  let last = from;
  let strange = 0;
  try {
    let listed = isEnough() ? undefined : await askFrom(context, last);
    while (listed?.kind === 'ok') {
      const shown = listed.value.data;
      const met = shown.flatMap(({ transactionId }) => search.meet(transactionId));
      const passed = shown.filter(({ transactionId }) => notPassed.delete(transactionId));
      // A page that shows nothing of the batch is one of others' transactions; too many of those, and the list leads nowhere.
      strange = met.length + passed.length > 0 ? 0 : strange + 1;
      const next = shown.at(-1)?.transactionId;
      const isOver = strange >= mostStrange || shown.length < mostHits || next === last;
      last = next;
      // The next page is on its way while this one is written down, and that is waited for whatever becomes of the page.
      const isMore = !isOver && !isEnough();
      const [following, taken] = await Promise.allSettled([
        isMore ? askFrom(context, next) : undefined,
        takeAll(met, shown),
      ]);
      if (taken.status === 'rejected') throw taken.reason;
      if (following.status === 'rejected') throw following.reason;
      listed = following.value;
    }
    return listed === undefined;
  } finally {
    search.end(left);
  }
}

function askFrom({ service }: RunContext, last: string | undefined) {
  return service.listTransactions({
    query: { limit: mostHits, ...(last !== undefined && { transactionId: last }) },
  });
}

import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { Asked } from '../../journal/asked.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import type { BackgroundWrites } from './background-writes.ts';

const pageSize = 200;

/** Of a run, or of whoever else goes through payouts. */
interface Passing {
  readonly settings: { readonly concurrency: number };
  /** True once no more may be begun. */
  readonly stopping?: (() => boolean) | undefined;
  readonly writes?: BackgroundWrites | undefined;
}

/** Does one step to each payout in some states, in the order of the file, so many at a time. */
export function eachPayout(
  passing: Passing & { readonly payouts: Pick<Asked<Payouts>, 'page'> },
  states: readonly PayoutState[],
  step: (payout: Payout) => Promise<void>,
): Promise<void> {
  return eachOfPages(passing, (afterId, limit) => passing.payouts.page(states, afterId, limit), step);
}

type ReadPage = (afterId: number, limit: number) => readonly Payout[] | Promise<readonly Payout[]>;

/** All of them, read a page at a time: those that have moved on since are not met again. */
export function eachOfPages(
  passing: Passing,
  read: ReadPage,
  step: (payout: Payout) => Promise<void>,
): Promise<void> {
  let page: readonly Payout[] = [];
  let place = 0;
  let lastId = 0;
  let isOver = false;
  let reading: Promise<void> | undefined;

  async function readNext(): Promise<void> {
    page = await read(lastId, pageSize);
    place = 0;
    lastId = page.at(-1)?.id ?? lastId;
    isOver = page.length === 0;
    reading = undefined;
  }

  /** Whoever comes while a page is read waits for that one. */
  async function afterReading(): Promise<Payout | undefined> {
    while (place >= page.length && !isOver) {
      reading ??= readNext();
      await reading;
    }
    return page[place++];
  }

  return eachTaken(passing, () => page[place++] ?? afterReading(), step);
}

/** Of what is at hand, or comes one after the other. */
export async function eachOf<Item>(
  passing: Passing,
  items: Iterable<Item> | AsyncIterable<Item>,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  const left = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const itemOf = (next: IteratorResult<Item>) => (next.done ? undefined : next.value);
  const take = () => {
    const next = left.next();
    return next instanceof Promise ? next.then(itemOf) : itemOf(next);
  };
  try {
    await eachTaken(passing, take, step);
  } finally {
    await left.return?.();
  }
}

/**
 * One more is begun whenever one has ended: nothing queues, however large the batch. The first error begins no more, lets
 * what is under way end, and is then thrown. At the end all is on disk.
 */
async function eachTaken<Item>(
  { settings, stopping = () => false, writes }: Passing,
  take: () => Item | undefined | Promise<Item | undefined>,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  async function work(): Promise<void> {
    try {
      while (!failure && !stopping()) {
        const taken = take();
        const item = taken instanceof Promise ? await taken : taken;
        if (item === undefined) return;
        await step(item);
      }
    } catch (error) {
      failure ??= { error };
    }
  }
  await Promise.all(Array.from({ length: settings.concurrency }, work));
  await writes?.done();
  if (failure) throw failure.error;
}

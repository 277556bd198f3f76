import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';
import type { BackgroundWrites } from './background-writes.ts';

const pageSize = 200;

/** Of a run, or of whoever else goes through payouts. */
interface Passing {
  readonly settings: { readonly concurrency: number };
  /** True once no more may be begun. */
  readonly stopping?: () => boolean;
  readonly writes?: BackgroundWrites | undefined;
}

/** Does one step to each payout in some states, in the order of the file, so many at a time. */
export function eachPayout(
  passing: Passing & { readonly payouts: Payouts },
  states: readonly PayoutState[],
  step: (payout: Payout) => Promise<void>,
): Promise<void> {
  const page: Page = (afterId, limit) => passing.payouts.page(states, afterId, limit);
  return eachOf(passing, inOrder(page), step);
}

type Page = (afterId: number, limit: number) => readonly Payout[];

/** All of them, read a page at a time: those that have moved on since are not met again. */
export function* inOrder(read: Page): IterableIterator<Payout> {
  for (let page = read(0, pageSize); page.length > 0; page = read(page.at(-1)?.id ?? 0, pageSize))
    yield* page;
}

/**
 * One more is begun whenever one has ended: nothing queues, however large the batch. The first error begins no more, lets
 * what is under way end, and is then thrown. At the end all is on disk.
 */
export async function eachOf<Item>(
  { settings, stopping = () => false, writes }: Passing,
  items: Iterable<Item>,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  async function work(): Promise<void> {
    try {
      while (!failure && !stopping()) {
        const next = left.next();
        if (next.done) return;
        await step(next.value);
      }
    } catch (error) {
      failure ??= { error };
    }
  }
  await Promise.all(Array.from({ length: settings.concurrency }, work));
  left.return?.();
  await writes?.done();
  if (failure) throw failure.error;
}

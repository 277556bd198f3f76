import pLimit from 'p-limit';
import type { Payout } from '../../domain/payout/payout.ts';
import type { PayoutState } from '../../domain/payout/payout-state.ts';
import type { Payouts } from '../../journal/payouts/payout-queries.ts';

const pageSize = 200;

/** Does one step to each payout in some states, in the order of the file, so many at a time. */
export function eachPayout(
  payouts: Payouts,
  states: readonly PayoutState[],
  concurrency: number,
  stopping: () => boolean,
  step: (payout: Payout) => Promise<void>,
): Promise<void> {
  const page: Page = (afterId, limit) => payouts.page(states, afterId, limit);
  return eachOfPages(page, concurrency, stopping, step);
}

type Page = (afterId: number, limit: number) => Payout[];

/**
 * Workers pull from one stream of pages: nothing queues, however large the batch. The first error stops the pulling,
 * lets what is under way end, and is then thrown.
 */
export async function eachOfPages(
  read: Page,
  concurrency: number,
  stopping: () => boolean,
  step: (payout: Payout) => Promise<void>,
): Promise<void> {
  const next = stream(read);
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    while (!failure && !stopping()) {
      const payout = next();
      if (!payout) return;
      try {
        await step(payout);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  const limit = pLimit(concurrency);
  await Promise.all(Array.from({ length: concurrency }, () => limit(worker)));
  if (failure) throw failure.error;
}

function stream(read: Page): () => Payout | undefined {
  let page: Payout[] = [];
  let place = 0;
  let lastId = 0;
  return () => {
    if (place >= page.length) {
      page = read(lastId, pageSize);
      place = 0;
    }
    const payout = page[place];
    place += 1;
    if (payout) lastId = payout.id;
    return payout;
  };
}

import type { Clock } from '../../clock.ts';
import type { Service } from '../../service/client.ts';
import { type AccountList, openAccountList } from './account-list.ts';
import { type ListedAccounts, readListedAccounts } from './listed-accounts.ts';

/** A list that serves for a while, whichever parts of batches its process works on. */
export interface KeptList {
  readonly list: ListedAccounts;
  readonly readMs: number;
}

/** It is on its way. */
export interface ListReading {
  readonly ended: Promise<unknown>;
}

/** Who keeps it, for several parts of batches at a time. */
interface Keeper {
  kept: KeptList | undefined;
  reading: ListReading | undefined;
}

/** A run counts on what it read for as long as it lasts, which is longer. */
const keptForMs = 5 * 60_000;

/**
 * The list for a part of a batch. To read all of it for every part would take longer than to pay the part: so one that was
 * read lately serves as well. What it does not have may have come since.
 */
export async function readListLately(
  service: Pick<Service, 'listExternalAccounts'>,
  { lists, worker }: { readonly lists: { lastList: ListedAccounts | undefined }; readonly worker: Keeper },
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<AccountList> {
  // Another part of a batch may be just about to have it.
  if (worker.reading) await worker.reading.ended.catch(() => undefined);
  const { kept } = worker;
  const isFresh = kept !== undefined && clock.monotonicMs() - kept.readMs <= keptForMs;
  const list = isFresh ? kept.list.hold() : await readAnew(service, worker, clock);
  lists.lastList?.letGo();
  lists.lastList = list;
  return openAccountList(list.hold(), { mayLack: true });
}

/** All of it, to be kept from now on. Whoever asked lets go of it at the end. */
export async function readAnew(
  service: Pick<Service, 'listExternalAccounts'>,
  worker: Keeper,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<ListedAccounts> {
  const readMs = clock.monotonicMs();
  const list = readListedAccounts(service);
  const reading = { ended: list };
  worker.reading = reading;
  try {
    const read = await list;
    // One that was begun later says more.
    if (worker.kept && worker.kept.readMs > readMs) return read;
    worker.kept?.list.letGo();
    worker.kept = { list: read, readMs };
    return read.hold();
  } finally {
    if (worker.reading === reading) worker.reading = undefined;
  }
}

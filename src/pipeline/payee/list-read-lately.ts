import type { Clock } from '../../clock.ts';
import type { Service } from '../../service/client.ts';
import { type AccountList, openAccountList } from './account-list.ts';
import { type ListedAccounts, readListedAccounts } from './listed-accounts.ts';

/** A list that serves for a while, whichever parts of batches its process works on. */
export interface KeptList {
  readonly list: ListedAccounts;
  readonly readMs: number;
}

/** A run counts on what it read for as long as it lasts, which is longer. */
const keptForMs = 5 * 60_000;

/**
 * The list for a part of a batch. To read all of it for every part would take longer than to pay the part: so one that was
 * read lately serves as well. What it does not have may have come since.
 */
export async function readListLately(
  service: Pick<Service, 'listExternalAccounts'>,
  worker: { lastList: ListedAccounts | undefined; kept: KeptList | undefined },
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<AccountList> {
  const { kept } = worker;
  const isFresh = kept !== undefined && clock.monotonicMs() - kept.readMs <= keptForMs;
  const list = isFresh ? kept.list : await readAnew(service, worker, clock);
  worker.lastList?.letGo();
  worker.lastList = list.hold();
  return openAccountList(list.hold(), { mayLack: true });
}

/** All of it, to be kept from now on. */
export async function readAnew(
  service: Pick<Service, 'listExternalAccounts'>,
  worker: { kept: KeptList | undefined },
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<ListedAccounts> {
  const readMs = clock.monotonicMs();
  const list = await readListedAccounts(service);
  worker.kept?.list.letGo();
  worker.kept = { list, readMs };
  return list;
}

import type { Clock } from '../../clock.ts';
import type { Service } from '../../service/client.ts';
import { type AccountList, emptyAccountList, readAccountList } from './account-list.ts';

/** A list that serves for a while, whichever parts of batches its process works on. */
export interface KeptList {
  readonly list: AccountList;
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
  worker: { lastList: AccountList | undefined; kept: KeptList | undefined },
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<AccountList> {
  const { kept } = worker;
  const isFresh = kept !== undefined && clock.monotonicMs() - kept.readMs <= keptForMs;
  const list = listOver((isFresh ? kept.list : await readAnew(service, worker, clock)).hold());
  worker.lastList?.letGo();
  worker.lastList = list.hold();
  return list;
}

/** All of it, to be kept from now on. */
export async function readAnew(
  service: Pick<Service, 'listExternalAccounts'>,
  worker: { kept: KeptList | undefined },
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<AccountList> {
  const readMs = clock.monotonicMs();
  const list = await readAccountList(service);
  worker.kept?.list.letGo();
  worker.kept = { list, readMs };
  return list;
}

/** A list of its own over one that was read lately: what is said here stays here. */
export function listOver(lately: AccountList): AccountList {
  const own = emptyAccountList();
  let holders = 1;
  return {
    ...own,
    mayLack: true,
    size: () => own.size() + lately.size(),
    byId: (id) => own.byId(id) ?? lately.byId(id),
    byKey(key) {
      const listed = own.byKey(key);
      return listed.length > 0 ? listed : lately.byKey(key);
    },
    storedNames: (number, country) => [
      ...new Set([...lately.storedNames(number, country), ...own.storedNames(number, country)]),
    ],
    hold() {
      holders += 1;
      return this;
    },
    letGo() {
      holders -= 1;
      if (holders > 0) return;
      own.letGo();
      lately.letGo();
    },
  };
}

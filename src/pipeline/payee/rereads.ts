import type { Service } from '../../service/client.ts';
import { type ListedAccounts, readListedAccounts } from './listed-accounts.ts';

export type Rereads = ReturnType<typeof createRereads>;

interface Shared {
  takers: number;
  readonly list: Promise<ListedAccounts>;
}

/**
 * The service's list once more. One that was begun before somebody asked may lack what he asks about: so he gets the next, and
 * all who ask meanwhile get the same. When a service stops answering, everybody asks at once.
 */
export function createRereads() {
  let underWay: Promise<ListedAccounts> | undefined;
  let awaited: Shared | undefined;

  function begin(...read: Parameters<typeof readListedAccounts>): Shared {
    async function readNext(): Promise<ListedAccounts> {
      try {
        // Where that one cannot be read, another would not be.
        await underWay;
      } finally {
        awaited = undefined;
      }
      const reading = readListedAccounts(...read);
      underWay = reading;
      try {
        const list = await reading;
        // The first has it as it is.
        for (let taker = 1; taker < shared.takers; taker += 1) list.hold();
        return list;
      } finally {
        underWay = undefined;
      }
    }
    const shared: Shared = { takers: 0, list: readNext() };
    return shared;
  }

  return {
    /** Whoever asked lets go of it at the end. */
    next(
      service: Pick<Service, 'listExternalAccounts'>,
      lists: { lastList: ListedAccounts | undefined },
    ): Promise<ListedAccounts> {
      awaited ??= begin(service, lists);
      awaited.takers += 1;
      return awaited.list;
    },
  };
}

import type { Payout } from '../../domain/payout/payout.ts';
import { type Reason, reason } from '../../domain/payout/reasons.ts';
import { orElse } from '../../journal/saved-account.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import type { RunContext } from '../run/run-context.ts';
import { serviceError } from '../run/service-error.ts';
import { accountAgrees, accountDifferences } from './account-agrees.ts';
import { isAccountOf } from './account-key.ts';
import { type AccountList, openAccountList } from './account-list.ts';
import { accountParts } from './account-parts.ts';
import { readAnew } from './list-read-lately.ts';
import { noListedAccounts, readListedAccounts } from './listed-accounts.ts';
import { readAccount } from './read-account.ts';

/** What a run has written of accounts, and how each payout is held against it. Whoever asked lets go of it at the end. */
export interface ReadBack {
  /** False where a payout is held for it. */
  stands(payout: Payout): boolean | Promise<boolean>;
  letGo(): void;
  /** Whether others were ready before: a correction for one row may have taken the account away from what another says. */
  readonly areOthersReady: boolean;
}

export const nothingWritten: ReadBack = {
  stands: () => true,
  letGo: () => undefined,
  areOthersReady: false,
};

/**
 * What was made or changed is read back before anything is sent to it: an answer that named another payee's account, or
 * a correction that was not carried out, would lead the money astray.
 */
export async function readBack(context: RunContext, list: AccountList): Promise<ReadBack> {
  const { journal, memory, payees, payouts } = context;
  const areOthersReady = (await payouts.count(['ready'])) > 0;
  const back = await listToReadBack(context, list);
  const read = accountReader(context, back, list);
  list.hold();

  async function hold(payout: Payout, shown: ExternalAccount | undefined, lost: Reason | undefined) {
    const account = payout.externalAccountId;
    // What another batch has taken is its to forget.
    if (!lost) await payees.forgetAccount(payout, context.batch.id);
    const held = lost ?? readBackReason(account, shown, list.contested.has(account), payout);
    await journal.move({ payout, to: 'held', changes: { hold: 'payee', ...held } });
    return false;
  }

  return {
    async stands(payout) {
      const account = payout.externalAccountId;
      const { account: written, holder } = list.aboutId(account);
      if (holder === undefined) return true;
      const shown = await read(account);
      const lost = list.lost.get(account);
      const wanted = asWritten(payout, written);
      if (lost || !shown || !accountAgrees(shown, wanted)) return hold(wanted, shown, lost);
      memory.lists.accounts?.set(account, shown);
      return true;
    },
    letGo() {
      back.letGo();
      list.letGo();
    },
    areOthersReady,
  };
}

/**
 * What a row leaves open is as the account was written: its name is asked at that operator, and money that went to another
 * would be somebody else's.
 */
function asWritten(payout: Payout, written: ExternalAccount | undefined): Payout {
  if (!written) return payout;
  const { operator, branchCode } = orElse(payout, accountParts(written));
  const saysAll = operator === payout.operator && branchCode === payout.branchCode;
  return saysAll ? payout : { ...payout, operator, branchCode };
}

/** So many accounts of a list are read in the time of one that is read alone. */
const listedInOneRead = 30;

/** All accounts once more; none where those that were written are sooner read one by one. */
async function listToReadBack(
  { service, memory, clock }: RunContext,
  list: AccountList,
): Promise<AccountList> {
  const { lists, worker } = memory;
  if (!list.mayLack) return openAccountList(await readListedAccounts(service, lists));
  if (list.size() > listedInOneRead * list.writes()) return openAccountList(noListedAccounts());
  const anew = await readAnew(service, worker, clock);
  lists.lastList?.letGo();
  lists.lastList = anew;
  return openAccountList(anew.hold());
}

/** From the list; one that it does not show yet is read alone, unless two payees were given it. */
function accountReader(context: RunContext, list: AccountList, { contested }: AccountList) {
  const underWay = new Map<string, Promise<ExternalAccount | undefined>>();
  async function readOnce(id: string): Promise<ExternalAccount | undefined> {
    const asked = underWay.get(id) ?? readAlone(context, id);
    underWay.set(id, asked);
    const read = await asked;
    if (!read) return undefined;
    // As if it had been in the list: the others of its payee find it there.
    list.set(id, read);
    underWay.delete(id);
    return read;
  }
  return (id: string): ExternalAccount | undefined | Promise<ExternalAccount | undefined> => {
    const listed = list.byId(id);
    return listed || contested.has(id) ? listed : readOnce(id);
  };
}

/** Undefined where the service says that it has no such account. */
export async function readAlone(
  { service }: Pick<RunContext, 'service'>,
  id: string,
): Promise<ExternalAccount | undefined> {
  const read = await readAccount(service, id);
  if (read.kind === 'no-answer')
    throw serviceError(read.outcome, 'An external account could not be read back');
  return read.kind === 'shown' ? read.account : undefined;
}

function readBackReason(
  account: string,
  shown: ExternalAccount | undefined,
  isContested: boolean,
  payout: Payout,
): Reason {
  if (!shown && !isContested) return reason('account-not-shown', { account });
  if (!shown || !isAccountOf(shown, payout)) return reason('account-made-for-another', { account });
  return reason('account-not-as-written', { account, differences: accountDifferences(shown, payout) });
}

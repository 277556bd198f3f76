import { accountHolder } from '../../domain/payee/account-route.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import type { Owner } from '../../journal/known-payees.ts';
import { type AccountParts, orElse, type SavedAccount } from '../../journal/saved-account.ts';
import { errorCode } from '../../service/contract/error-codes.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import type { Breaker } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { accountAgrees, agreeingAccount, operatorNamed } from './account-agrees.ts';
import { accountKey, isAccountOf, payeeAccountKey } from './account-key.ts';
import type { AccountList } from './account-list.ts';
import { accountParts, isAsTold, withParts } from './account-parts.ts';
import { accountAsMade, correctedAccount, newAccount } from './account-requests.ts';
import {
  accountRefused,
  anothers,
  changed,
  type FoundAccount,
  type Moved,
  notCorrected,
  notGranted,
  takenReason,
} from './found-account.ts';
import { payeeName } from './payee-name.ts';
import { readAccount } from './read-account.ts';

/** What an account is to be, by what its journal said and it was counted on to be. */
interface Claim {
  readonly id: string;
  readonly believed: SavedAccount | undefined;
  readonly counted: AccountParts;
  readonly wanted: AccountParts;
}

/** How often one payee is decided anew, because other runs write of it, before it is left to the next round. */
const looksAtMost = 5;

/** What stage 4 does for ONE payee: its account from the journal, else from the service's list, else made. */
export function findOrMakeAccount(context: RunContext, breaker: Breaker, list: AccountList) {
  const { payees, memory, service, batch, writes } = context;

  async function find(payout: Payout): Promise<FoundAccount> {
    // Released by a person: the account that was in doubt is not used again, a fresh one is looked for.
    if (isReleased(payout, 'payee')) await payees.forgetAccount(payout, batch.id);
    for (let look = 0; look < looksAtMost; look += 1) {
      const found = await decide(payout);
      if (found.kind !== 'moved') return found;
    }
    return { kind: 'later' };
  }

  async function decide(payout: Payout): Promise<FoundAccount | Moved> {
    const remembered = await payees.accountOf(payout);
    const account = remembered && (await presentAccount(remembered, payout));
    if (account && !isAccountOf(account, payout)) return changed(remembered.id);
    if (account) {
      memory.lists.accounts?.set(remembered.id, account);
      if (accountAgrees(account, payout)) return keep(account, payout, remembered);
    } else if (remembered) {
      await payees.forgetAccount(payout, batch.id);
    }
    const others = list
      .byKey(payeeAccountKey(payout))
      .filter(({ externalAccountId }) => externalAccountId !== remembered?.id);
    const listed = agreeingAccount(others, payout);
    if (listed) return take(listed, payout, account && remembered);
    // Our own is corrected; beside somebody else's, one of the payee's own is made.
    return account && remembered?.isMade ? correct(account, payout) : make(payout);
  }

  /**
   * As the list has it. Where that is not what the journal says, another run may have changed it since the list was read, or
   * made it: then it is read alone, or by the list where the service does not answer for one.
   */
  async function presentAccount(told: SavedAccount, payout: Payout): Promise<ExternalAccount | undefined> {
    const listed = list.byId(told.id);
    const isKnown = listed
      ? !isAccountOf(listed, payout) || isAsTold(listed, told, payout.country)
      : !list.mayLack;
    if (isKnown) return listed;
    const read = await readAccount(service, told.id);
    if (read.kind === 'shown') return read.account;
    const fresh = await memory.lists.rereads.next(service, memory.lists);
    const present = fresh.byId(told.id);
    fresh.letGo();
    return present;
  }

  /**
   * The account that was used before, as it is now. What the journal says is asked anew: another run may have told it. What
   * it said before the account was looked at is what that look can be held against.
   */
  async function keep(
    account: ExternalAccount,
    payout: Payout,
    believed: SavedAccount,
  ): Promise<FoundAccount | Moved> {
    const told = await payees.accountOf(payout);
    if (!told || isAsTold(account, told, payout.country)) return complete(account, payout);
    const id = account.externalAccountId;
    const parts = accountParts(account);
    const refused = await claim({ id, believed, counted: told, wanted: parts }, payout);
    if (refused) return refused;
    await payees.endClaim(payout, id, parts);
    return complete(account, payout);
  }

  /**
   * What the account was counted on to be, and what it would be from now on, against all that may be sent to it. Undefined
   * where nothing speaks against it.
   */
  async function claim({ id, believed, counted, wanted }: Claim, payout: Payout) {
    const { branchCode } = counted;
    const is = { operator: operatorNamed(counted.operator, payout.country), branchCode };
    const claimed = await payees.claimAccount(payout, { id, batch: batch.id, is, wanted, believed });
    return claimed.kind === 'granted' ? undefined : notGranted(claimed, id);
  }

  async function make(payout: Payout): Promise<FoundAccount | Moved> {
    if (!(await isNameAsked(payout))) return later('the names could not be asked');
    const body = newAccount(payout, context.settings.phonePlus);
    const created = await service.createExternalAccount({ body });
    if (created.kind === 'ok') return takeMade(created.value.data.id, payout);
    const isInUse = created.kind === 'refused' && created.errorCode === errorCode.accountNumberInUse;
    // It may have been made all the same, or stand there already: the list says so, and the rule of adoption decides.
    if (created.kind === 'unknown' || isInUse) {
      const believed = await payees.accountOf(payout);
      const fresh = await memory.lists.rereads.next(service, memory.lists);
      const listed = fresh.byKey(payeeAccountKey(payout));
      await list.addLater(fresh).finally(() => fresh.letGo());
      const agreeing = agreeingAccount(listed, payout);
      if (agreeing) return take(agreeing, payout, believed);
      // The number can be stored only once: the account that is there, whoever stored it, is all that can lead to the payee.
      if (isInUse && listed[0]) return correct(listed[0], payout);
    }
    return created.kind === 'refused' ? accountRefused(created) : later(created.cause);
  }

  async function takeMade(id: string, payout: Payout): Promise<FoundAccount> {
    const owner = await payees.ownerOf(id);
    // From here to where it is written in the list, nobody else may come in between.
    const { account: listed, holder } = list.aboutId(id);
    const isAnothers =
      standsForAnother(holder, owner, payout) || (listed !== undefined && !accountAgrees(listed, payout));
    if (!isAnothers) breaker.succeeded();
    if (isAnothers) {
      if (holder !== undefined) list.contested.add(id);
      return anothers(id);
    }
    const found = written(accountAsMade(id, payout), payout);
    const { operator, branchCode } = payout;
    await writes.add(async () => {
      // Another run may have taken it meanwhile. Nothing is sent before that is known.
      const saved = await payees.saveAccount(payout, { id, isMade: true, operator, branchCode });
      if (saved !== 'saved') list.lost.set(id, takenReason[saved](id));
    });
    return found;
  }

  /** Adopted only when everything that makes the payee agrees, and nobody else has it. Believed: before it was looked at. */
  async function take(
    account: ExternalAccount,
    payout: Payout,
    believed: SavedAccount | undefined,
  ): Promise<FoundAccount | Moved> {
    const id = account.externalAccountId;
    const parts = accountParts(account);
    const refused =
      (await whyNotIts(account, payout)) ??
      (await claim({ id, believed, counted: parts, wanted: parts }, payout));
    if (refused) return refused;
    memory.lists.accounts?.set(id, account);
    return complete(account, payout);
  }

  /** Its own payee may have it already: another batch that runs at the same time found it in the list first. */
  function standsForAnother(
    writtenFor: string | undefined,
    owner: Owner | undefined,
    payout: Payout,
  ): boolean {
    const holder = writtenFor ?? (owner && `${owner.route} ${owner.currency}`);
    return holder !== undefined && holder !== accountHolder(payout);
  }

  /** Asked before an account is taken or changed, whoever found it. */
  async function whyNotIts(account: ExternalAccount, payout: Payout): Promise<FoundAccount | undefined> {
    const id = account.externalAccountId;
    const owner = await payees.ownerOf(id);
    const { account: listed, holder } = list.aboutId(id);
    if (listed && accountKey(listed) !== accountKey(account))
      return { kind: 'trouble', reason: reason('account-listed-twice', { account: id }) };
    return standsForAnother(holder, owner, payout) ? anothers(id) : undefined;
  }

  /** What an account of the payee lacks is filled in: its name, and the operator or branch that the row names. */
  async function complete(account: ExternalAccount, payout: Payout): Promise<FoundAccount | Moved> {
    const { payoutMethod } = account;
    const shown = {
      operator: account.destination === 'MoMo' ? (payoutMethod?.code ?? '') : '',
      branchCode: payoutMethod?.branchCode ?? '',
    };
    const told = await payees.accountOf(payout);
    // What was told before and is not shown would not be shown for being told again.
    const isMissing = (part: 'operator' | 'branchCode') =>
      payout[part] !== '' && shown[part] === '' && told?.[part] !== payout[part];
    const isNameless = (payoutMethod?.accountName ?? '').trim() === '';
    if (isMissing('operator') || isMissing('branchCode') || isNameless) return correct(account, payout);
    return { kind: 'account', id: account.externalAccountId };
  }

  /** Brings a stored account to what the row says. It is read back before anything is sent to it. */
  async function correct(account: ExternalAccount, payout: Payout): Promise<FoundAccount | Moved> {
    const id = account.externalAccountId;
    const notIts = await whyNotIts(account, payout);
    if (notIts) return notIts;
    if (!(await isNameAsked(payout, account))) return later('the names could not be asked');
    const told = await payees.accountOf(payout);
    const shown = accountParts(account);
    const is = told?.id === id ? orElse(shown, told) : shown;
    // All of it is replaced: what was told once and is not shown must be told again.
    const body = correctedAccount(withParts(account, is), payout);
    const wanted = orElse(accountParts({ ...account, ...body }), is);
    // Before it is changed: who is about to send to it must not find it so only afterwards.
    const refused = await claim({ id, believed: told, counted: is, wanted }, payout);
    if (refused) return refused;
    const updated = await service.updateExternalAccount({ params: { externalAccountId: id }, body });
    if (updated.kind === 'refused') {
      await payees.endClaim(payout, id, is);
      return notCorrected(account, payout, updated);
    }
    if (updated.kind !== 'ok') return later(updated.cause);
    await payees.endClaim(payout, id, wanted);
    return written({ ...account, ...body }, payout);
  }

  /** What this run has written holds for all of its rounds, once it was read back. */
  function written(account: ExternalAccount, payout: Payout): FoundAccount {
    const id = account.externalAccountId;
    list.write(account, accountHolder(payout));
    if (memory.lists.accounts !== list) memory.lists.accounts?.set(id, account);
    return { kind: 'account', id };
  }

  /** Before we write: afterwards the service may only repeat what we wrote. */
  async function isNameAsked(payout: Payout, account?: ExternalAccount): Promise<boolean> {
    const operator = payout.operator || (account ? accountParts(account).operator : '');
    return (await payeeName(context, payout, operator)) !== undefined;
  }

  function later(cause: string): FoundAccount {
    breaker.troubled(cause);
    return { kind: 'later' };
  }

  return find;
}

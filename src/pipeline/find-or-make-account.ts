import { accountRoute } from '../domain/account-route.ts';
import type { Payout } from '../domain/payout.ts';
import { type Reason, reason } from '../domain/reasons.ts';
import { isReleased } from '../domain/release-marks.ts';
import type { NotOk } from '../service/call-outcome.ts';
import { errorCode } from '../service/contract/error-codes.ts';
import type { CreateExternalAccountRequest, ExternalAccount } from '../service/contract/external-accounts.ts';
import { accountKey, payeeAccountKey } from './account-key.ts';
import type { Breaker } from './breaker.ts';
import { payeeName } from './payee-name.ts';
import type { RunContext } from './run-context.ts';
import { serviceTrouble } from './service-trouble.ts';
import { storedNames } from './stored-names.ts';

export type FoundAccount =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'trouble'; readonly reason: Reason }
  /** The service gave no clear answer: the payout stays planned and the next round asks again. */
  | { readonly kind: 'later' };

/** What stage 4 does for ONE payee: its account from the journal, else from the service's list, else made. */
export async function findOrMakeAccount(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  payout: Payout,
): Promise<FoundAccount> {
  const { payees } = context;
  // Released by a person: the account that was in doubt is not used again, a fresh one is looked for.
  if (isReleased(payout, 'payee')) await payees.forgetAccount(payout);
  const remembered = payees.accountOf(payout);
  if (remembered !== undefined) {
    const account = stored.byId.get(remembered);
    if (account && isOf(account, payout)) {
      context.memory.accounts?.set(remembered, account);
      return complete(context, breaker, account, payout);
    }
    if (account) {
      return { kind: 'trouble', reason: reason('account-changed', { account: remembered }) };
    }
    await payees.forgetAccount(payout);
  }
  const listed = stored.byNumber.get(payeeAccountKey(payout));
  if (listed) return take(context, breaker, listed, payout);
  return make(context, breaker, stored, payout);
}

/** The service's list, read once a run and kept up with what the run adds. */
export interface StoredAccounts {
  readonly byId: Map<string, ExternalAccount>;
  readonly byNumber: Map<string, ExternalAccount>;
  /** Made in this stage: nothing but the answer says yet whose they are. */
  readonly made: Set<string>;
  /** Of those, what was given as the account of two payees. */
  readonly contested: Set<string>;
}

export async function readStoredAccounts(context: RunContext): Promise<StoredAccounts> {
  const listed = await context.service.listExternalAccounts();
  if (listed.kind !== 'ok') throw serviceTrouble(listed, 'The external accounts could not be read');
  const byId = new Map<string, ExternalAccount>();
  const byNumber = new Map<string, ExternalAccount>();
  for (const account of listed.value.data) {
    byId.set(account.externalAccountId, account);
    byNumber.set(accountKey(account), account);
  }
  context.memory.storedNames = storedNames(byId.values());
  return { byId, byNumber, made: new Set(), contested: new Set() };
}

async function make(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  payout: Payout,
): Promise<FoundAccount> {
  if (!(await isNameAsked(context, payout))) return withoutAnswer(breaker);
  const created = await context.service.createExternalAccount({ body: requestOf(context, payout) });
  if (created.kind === 'ok') {
    const { id } = created.value.data;
    const listed = stored.byId.get(id);
    const isAnothers = standsForAnother(context, id, payout) || (listed && !isOf(listed, payout));
    if (!isAnothers) breaker.succeeded();
    if (isAnothers || !(await context.payees.saveAccount(payout, id))) {
      if (stored.made.has(id)) stored.contested.add(id);
      return anothers(id);
    }
    stored.made.add(id);
    remember(context, stored, asStored(id, payout));
    return { kind: 'account', id };
  }
  // It may have been made all the same, or stand there already: the list says so, and the rule of adoption decides.
  if (
    created.kind === 'unknown' ||
    (created.kind === 'refused' && created.errorCode === errorCode.accountNumberInUse)
  ) {
    const fresh = await readStoredAccounts(context);
    for (const [key, account] of fresh.byNumber) stored.byNumber.set(key, account);
    for (const [key, account] of fresh.byId) stored.byId.set(key, account);
    const listed = stored.byNumber.get(payeeAccountKey(payout));
    if (listed) return take(context, breaker, listed, payout);
  }
  if (created.kind === 'refused') return accountRefused(created);
  return later(breaker, created);
}

/** Adopted only when everything that makes the payee agrees, and nobody else has it. */
async function take(
  context: RunContext,
  breaker: Breaker,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const id = account.externalAccountId;
  if (standsForAnother(context, id, payout)) return anothers(id);
  if (!isOf(account, payout)) return { kind: 'trouble', reason: reason('account-differs', { account: id }) };
  if (!(await context.payees.saveAccount(payout, id))) return anothers(id);
  context.memory.accounts?.set(id, account);
  return complete(context, breaker, account, payout);
}

/** Its own payee may have it already: another batch that runs at the same time found it in the list first. */
function standsForAnother({ payees }: RunContext, id: string, payout: Payout): boolean {
  const owner = payees.ownerOf(id);
  return owner !== undefined && (owner.route !== accountRoute(payout) || owner.currency !== payout.currency);
}

function anothers(id: string): FoundAccount {
  return { kind: 'trouble', reason: reason('account-of-another', { account: id }) };
}

function accountRefused({ errorCode: code, message }: Extract<NotOk, { kind: 'refused' }>): FoundAccount {
  const words = message ?? 'the service gave no other words';
  return { kind: 'trouble', reason: reason('account-refused', { errorCode: code, words }) };
}

/** Only a name or a missing branch code is ever updated. */
async function complete(
  context: RunContext,
  breaker: Breaker,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const id = account.externalAccountId;
  const method = account.payoutMethod;
  const missingBranch = (method?.branchCode ?? '') === '' && payout.branchCode !== '';
  const missingName = (method?.accountName ?? '').trim() === '';
  if (!missingBranch && !missingName) return { kind: 'account', id };
  if (!(await isNameAsked(context, payout))) return withoutAnswer(breaker);
  const updated = await context.service.updateExternalAccount({
    params: { externalAccountId: id },
    body: {
      country: payout.country,
      currency: payout.currency,
      destination: payout.destination,
      payoutMethod: {
        accountName: missingName ? payout.accountName : (method?.accountName ?? ''),
        accountNumber: method?.accountNumber ?? payout.number,
        code: method?.code ?? payout.bankCode,
        branchCode: missingBranch ? payout.branchCode : (method?.branchCode ?? ''),
      },
    },
  });
  if (updated.kind === 'refused') return accountRefused(updated);
  if (updated.kind !== 'ok') return later(breaker, updated);
  return { kind: 'account', id };
}

/** Before we write: afterwards the service may only repeat what we wrote. */
async function isNameAsked(context: RunContext, payout: Payout): Promise<boolean> {
  return (await payeeName(context, payout)) !== undefined;
}

function withoutAnswer(breaker: Breaker): FoundAccount {
  breaker.troubled('the names could not be asked');
  return { kind: 'later' };
}

function later(breaker: Breaker, outcome: NotOk): FoundAccount {
  breaker.troubled(outcome.cause);
  return { kind: 'later' };
}

function requestOf({ settings }: RunContext, payout: Payout): CreateExternalAccountRequest {
  const { country, currency, number, branchCode, accountName } = payout;
  const branch = branchCode === '' ? {} : { branchCode };
  if (payout.destination === 'Bank Account') {
    return {
      country,
      currency,
      type: 'bank',
      payload: {
        accountName,
        accountNumber: number,
        code: payout.bankCode,
        destination: 'Bank Account',
        ...branch,
      },
    };
  }
  const [firstName = '', ...rest] = accountName.split(' ');
  return {
    country,
    currency,
    type: 'momo',
    payload: {
      firstName,
      lastName: rest.join(' '),
      phoneNumber: settings.phonePlus ? number : number.replace(/^\+/, ''),
      destination: 'MoMo',
      ...(payout.operator === '' ? {} : { code: payout.operator }),
      ...branch,
    },
  };
}

function isOf(account: ExternalAccount, payout: Payout): boolean {
  return accountKey(account) === payeeAccountKey(payout);
}

/** What this run has seen of an account holds for all of its rounds. */
function remember({ memory }: RunContext, stored: StoredAccounts, account: ExternalAccount): void {
  stored.byId.set(account.externalAccountId, account);
  memory.accounts?.set(account.externalAccountId, account);
}

function asStored(externalAccountId: string, payout: Payout): ExternalAccount {
  const { country, currency, destination, accountName, number, bankCode } = payout;
  const payoutMethod = { accountName, accountNumber: number, code: bankCode };
  return { externalAccountId, country, currency, destination, payoutMethod };
}

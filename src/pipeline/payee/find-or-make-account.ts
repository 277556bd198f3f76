import { accountRoute } from '../../domain/payee/account-route.ts';
import type { Payout } from '../../domain/payout/payout.ts';
import { type Reason, reason } from '../../domain/payout/reasons.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import type { AccountClaim } from '../../journal/known-payees.ts';
import type { AccountParts, SavedAccount } from '../../journal/saved-account.ts';
import type { NotOk } from '../../service/call-outcome.ts';
import { errorCode } from '../../service/contract/error-codes.ts';
import type { ExternalAccount } from '../../service/contract/external-accounts.ts';
import type { Breaker } from '../run/breaker.ts';
import type { RunContext } from '../run/run-context.ts';
import { serviceTrouble } from '../run/service-error.ts';
import { accountAgrees, accountDifferences, agreeingAccount, operatorNamed } from './account-agrees.ts';
import { accountKey, accountsByKey, payeeAccountKey } from './account-key.ts';
import { accountAsMade, correctedAccount, newAccount } from './account-requests.ts';
import { accountsById, isListedOtherwise } from './accounts-by-id.ts';
import { payeeName } from './payee-name.ts';
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
  const { payees, memory } = context;
  // Released by a person: the account that was in doubt is not used again, a fresh one is looked for.
  if (isReleased(payout, 'payee')) await payees.forgetAccount(payout);
  const remembered = payees.accountOf(payout);
  const account = remembered && (await presentAccount(context, stored, remembered, payout));
  if (account && !isOf(account, payout)) return changed(remembered.id);
  if (account) {
    memory.accounts?.set(remembered.id, account);
    if (accountAgrees(account, payout)) return keep(context, breaker, stored, account, payout);
  } else if (remembered) {
    await payees.forgetAccount(payout);
  }
  const listed = agreeingAccount(
    (stored.byNumber.get(payeeAccountKey(payout)) ?? []).filter(
      ({ externalAccountId }) => externalAccountId !== remembered?.id,
    ),
    payout,
  );
  if (listed) return take(context, breaker, stored, listed, payout);
  // Our own is corrected; beside somebody else's, one of the payee's own is made.
  if (account && remembered?.isMade) return correct(context, breaker, stored, account, payout);
  return make(context, breaker, stored, payout);
}

/**
 * As the list has it. Where that is not what the journal says, another run may have changed it since the list was read:
 * then it is read alone, or by the list where the service does not answer for one.
 */
async function presentAccount(
  context: RunContext,
  { byId }: StoredAccounts,
  remembered: SavedAccount,
  payout: Payout,
): Promise<ExternalAccount | undefined> {
  const listed = byId.get(remembered.id);
  if (!listed || !isOf(listed, payout) || isAsTold(listed, remembered, payout)) return listed;
  const params = { externalAccountId: remembered.id };
  const read = await context.service.readExternalAccount({ params });
  if (read.kind === 'ok') return read.value.data;
  return (await readStoredAccounts(context)).byId.get(remembered.id);
}

/** What it does not show is no difference. */
function isAsTold(account: ExternalAccount, told: SavedAccount, { country }: Payout): boolean {
  const shown = partsOf(account);
  const known = operatorNamed(told.operator, country);
  return (
    !told.wanted &&
    (shown.operator === '' || shown.operator === known) &&
    (shown.branchCode === '' || shown.branchCode.toUpperCase() === told.branchCode.toUpperCase())
  );
}

/** The account that was used before, as it is now. */
async function keep(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const told = context.payees.accountOf(payout);
  const id = account.externalAccountId;
  if (!told || isAsTold(account, told, payout)) return complete(context, breaker, stored, account, payout);
  const claim = await claimFor(context, id, told, partsOf(account), payout);
  if (claim.kind !== 'granted') return notGranted(claim, id);
  await context.payees.endClaim(payout, id, partsOf(account));
  return complete(context, breaker, stored, account, payout);
}

/** What the account was counted on to be, and what it would be from now on, against all that may be sent to it. */
function claimFor(
  { payees, batch }: RunContext,
  id: string,
  { operator, branchCode }: AccountParts,
  wanted: AccountParts,
  payout: Payout,
): Promise<AccountClaim> {
  const is = { operator: operatorNamed(operator, payout.country), branchCode };
  return payees.claimAccount(payout, { id, batch: batch.id, is, wanted, believed: payees.accountOf(payout) });
}

function notGranted(claim: Exclude<AccountClaim, { kind: 'granted' }>, account: string): FoundAccount {
  if (claim.kind === 'of-another') return anothers(account);
  if (claim.kind === 'changed') return changed(account);
  return { kind: 'trouble', reason: reason('account-in-use', { account, batch: claim.batch }) };
}

function changed(account: string): FoundAccount {
  return { kind: 'trouble', reason: reason('account-changed', { account }) };
}

/** The service's list, read once a run and kept up with what the run adds. */
export interface StoredAccounts {
  readonly byId: Map<string, ExternalAccount>;
  /** Several where one was stored for each operator. */
  readonly byNumber: Map<string, ExternalAccount[]>;
  /** Made or changed in this stage: nothing but the answer says yet what stands there. */
  readonly written: Set<string>;
  /** Of those that were made, what was given as the account of two payees. */
  readonly contested: Set<string>;
}

export async function readStoredAccounts(context: RunContext): Promise<StoredAccounts> {
  const listed = await context.service.listExternalAccounts();
  if (listed.kind !== 'ok') throw serviceTrouble(listed, 'The external accounts could not be read');
  const byId = accountsById(listed.value.data);
  const byNumber = accountsByKey(listed.value.data);
  context.memory.storedNames = storedNames(listed.value.data);
  return { byId, byNumber, written: new Set(), contested: new Set() };
}

async function make(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  payout: Payout,
): Promise<FoundAccount> {
  if (!(await isNameAsked(context, payout))) return withoutAnswer(breaker);
  const body = newAccount(payout, context.settings.phonePlus);
  const created = await context.service.createExternalAccount({ body });
  if (created.kind === 'ok') {
    const { id } = created.value.data;
    const listed = stored.byId.get(id);
    const isAnothers = standsForAnother(context, id, payout) || (listed && !accountAgrees(listed, payout));
    if (!isAnothers) breaker.succeeded();
    if (isAnothers || !(await save(context, payout, id, true))) {
      if (stored.written.has(id)) stored.contested.add(id);
      return anothers(id);
    }
    return written(context, stored, accountAsMade(id, payout));
  }
  const isInUse = created.kind === 'refused' && created.errorCode === errorCode.accountNumberInUse;
  // It may have been made all the same, or stand there already: the list says so, and the rule of adoption decides.
  if (created.kind === 'unknown' || isInUse) {
    const fresh = await readStoredAccounts(context);
    for (const [key, accounts] of fresh.byNumber) stored.byNumber.set(key, accounts);
    for (const [key, account] of fresh.byId) stored.byId.set(key, account);
    const listed = fresh.byNumber.get(payeeAccountKey(payout)) ?? [];
    const agreeing = agreeingAccount(listed, payout);
    if (agreeing) return take(context, breaker, stored, agreeing, payout);
    // The number can be stored only once: the account that is there, whoever stored it, is all that can lead to the payee.
    if (isInUse && listed[0]) return correct(context, breaker, stored, listed[0], payout);
  }
  if (created.kind === 'refused') return accountRefused(created);
  return later(breaker, created);
}

/** Adopted only when everything that makes the payee agrees, and nobody else has it. */
async function take(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const id = account.externalAccountId;
  const notIts = whyNotIts(context, stored, account, payout);
  if (notIts) return notIts;
  const parts = partsOf(account);
  const claim = await claimFor(context, id, parts, parts, payout);
  if (claim.kind !== 'granted') return notGranted(claim, id);
  context.memory.accounts?.set(id, account);
  return complete(context, breaker, stored, account, payout);
}

/** Its own payee may have it already: another batch that runs at the same time found it in the list first. */
function standsForAnother({ payees }: RunContext, id: string, payout: Payout): boolean {
  const owner = payees.ownerOf(id);
  return owner !== undefined && (owner.route !== accountRoute(payout) || owner.currency !== payout.currency);
}

/** Asked before an account is taken or changed, whoever found it. */
function whyNotIts(
  context: RunContext,
  { byId }: StoredAccounts,
  account: ExternalAccount,
  payout: Payout,
): FoundAccount | undefined {
  const id = account.externalAccountId;
  if (isListedOtherwise(byId, account))
    return { kind: 'trouble', reason: reason('account-listed-twice', { account: id }) };
  return standsForAnother(context, id, payout) ? anothers(id) : undefined;
}

function anothers(id: string): FoundAccount {
  return { kind: 'trouble', reason: reason('account-of-another', { account: id }) };
}

function accountRefused({ errorCode: code, message }: Extract<NotOk, { kind: 'refused' }>): FoundAccount {
  const words = message ?? 'the service gave no other words';
  return { kind: 'trouble', reason: reason('account-refused', { errorCode: code, words }) };
}

/** What an account of the payee lacks is filled in: its name, and the operator or branch that the row names. */
async function complete(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const id = account.externalAccountId;
  const shown = {
    operator: account.destination === 'MoMo' ? (account.payoutMethod?.code ?? '') : '',
    branchCode: account.payoutMethod?.branchCode ?? '',
  };
  const told = context.payees.accountOf(payout);
  // What was told before and is not shown would not be shown for being told again.
  const isMissing = (part: 'operator' | 'branchCode') =>
    payout[part] !== '' && shown[part] === '' && told?.[part] !== payout[part];
  const isNameless = (account.payoutMethod?.accountName ?? '').trim() === '';
  if (!isMissing('operator') && !isMissing('branchCode') && !isNameless) return { kind: 'account', id };
  return correct(context, breaker, stored, account, payout);
}

/** Brings a stored account to what the row says. It is read back before anything is sent to it. */
async function correct(
  context: RunContext,
  breaker: Breaker,
  stored: StoredAccounts,
  account: ExternalAccount,
  payout: Payout,
): Promise<FoundAccount> {
  const { payees, service } = context;
  const id = account.externalAccountId;
  const notIts = whyNotIts(context, stored, account, payout);
  if (notIts) return notIts;
  if (!(await isNameAsked(context, payout, account))) return withoutAnswer(breaker);
  const body = correctedAccount(account, payout);
  const told = payees.accountOf(payout);
  const shown = partsOf(account);
  const is = told?.id === id ? orElse(shown, told) : shown;
  const wanted = orElse(partsOf({ ...account, ...body }), is);
  // Before it is changed: who is about to send to it must not find it so only afterwards.
  const claim = await claimFor(context, id, is, wanted, payout);
  if (claim.kind !== 'granted') return notGranted(claim, id);
  const updated = await service.updateExternalAccount({ params: { externalAccountId: id }, body });
  if (updated.kind === 'refused') {
    await payees.endClaim(payout, id, is);
    return notCorrected(account, payout, updated);
  }
  if (updated.kind !== 'ok') return later(breaker, updated);
  await payees.endClaim(payout, id, wanted);
  return written(context, stored, { ...account, ...body });
}

/** A part that is not shown is as it was told. */
function orElse(shown: AccountParts, told: AccountParts): AccountParts {
  return { operator: shown.operator || told.operator, branchCode: shown.branchCode || told.branchCode };
}

function notCorrected(
  account: ExternalAccount,
  payout: Payout,
  refusal: Extract<NotOk, { kind: 'refused' }>,
): FoundAccount {
  const differences = accountDifferences(account, payout);
  if (differences === '') return accountRefused(refusal);
  const words = refusal.message ?? 'the service gave no other words';
  const details = { account: account.externalAccountId, differences, errorCode: refusal.errorCode, words };
  return { kind: 'trouble', reason: reason('account-not-corrected', details) };
}

/** False where the account stands for another payee by now. */
function save({ payees }: RunContext, payout: Payout, id: string, isMade: boolean): Promise<boolean> {
  const { operator, branchCode } = payout;
  return payees.saveAccount(payout, { id, isMade, operator, branchCode });
}

function partsOf({ country, destination, payoutMethod }: ExternalAccount): AccountParts {
  return {
    operator: destination === 'MoMo' ? operatorNamed(payoutMethod?.code ?? '', country ?? '') : '',
    branchCode: payoutMethod?.branchCode?.trim() ?? '',
  };
}

/** What this run has written holds for all of its rounds, once it was read back. */
function written({ memory }: RunContext, stored: StoredAccounts, account: ExternalAccount): FoundAccount {
  const id = account.externalAccountId;
  stored.written.add(id);
  stored.byId.set(id, account);
  memory.accounts?.set(id, account);
  return { kind: 'account', id };
}

/** Before we write: afterwards the service may only repeat what we wrote. */
async function isNameAsked(context: RunContext, payout: Payout, account?: ExternalAccount): Promise<boolean> {
  const operator = payout.operator || (account ? partsOf(account).operator : '');
  return (await payeeName(context, payout, operator)) !== undefined;
}

function withoutAnswer(breaker: Breaker): FoundAccount {
  breaker.troubled('the names could not be asked');
  return { kind: 'later' };
}

function later(breaker: Breaker, outcome: NotOk): FoundAccount {
  breaker.troubled(outcome.cause);
  return { kind: 'later' };
}

function isOf(account: ExternalAccount, payout: Payout): boolean {
  return accountKey(account) === payeeAccountKey(payout);
}

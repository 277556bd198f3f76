import type { Payout } from '../domain/payout/payout.ts';
import { type Reason, reason } from '../domain/payout/reasons.ts';
import type { ExternalAccount } from '../service/contract/external-accounts.ts';
import { accountAgrees, accountDifferences } from './payee/account-agrees.ts';
import { isAccountOf } from './payee/account-key.ts';
import { type AccountList, openAccountList } from './payee/account-list.ts';
import { findOrMakeAccount } from './payee/find-or-make-account.ts';
import { isAccountUnchanged, isAskedElsewhere } from './payee/is-account-unchanged.ts';
import { readAnew, readListLately } from './payee/list-read-lately.ts';
import { noListedAccounts, readListedAccounts } from './payee/listed-accounts.ts';
import { oncePerPayee } from './payee/once-per-payee.ts';
import { readAccount } from './payee/read-account.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { serviceError } from './run/service-error.ts';

/**
 * Stage 4: every planned payout gets the external account of its payee: from the journal, else from the service's
 * list, else made. Once per payee, however many payouts it has.
 */
export async function upsertPayees(context: RunContext): Promise<void> {
  const { payouts, service, memory } = context;
  if ((await payouts.count(['planned', ...withAccount])) === 0) return;
  if (!memory.lists.accounts && (await readFew(context))) await compareReady(context);
  const isFirst = !memory.lists.accounts;
  if (!isFirst && (await payouts.count(['planned'])) === 0) return;
  const list =
    isFirst && context.chunks !== undefined
      ? await readListLately(service, memory, context.clock)
      : openAccountList(await readListedAccounts(service, memory.lists));
  try {
    // Once a run: what another run has made ready, or left without an answer, may have changed hands since.
    if (isFirst) {
      memory.lists.accounts = list.hold();
      if (list.mayLack) await lookForLacking(context);
      await compareReady(context);
    }
    await findAccounts(context, list);
  } finally {
    list.letGo();
  }
}

/** With an account that was found before, and perhaps sent to. */
const withAccount = ['ready', 'submitting', 'unclear'] as const;

/** So many accounts of a list are read in the time of a call, also where only ten calls a second are allowed. */
const listedInOneCall = 1_000;

/**
 * Of a large batch of which nothing but a few payouts is left, their accounts alone are read. False where the list is to be
 * read: there are more of them, or one of them is not shown by itself.
 */
async function readFew(context: RunContext): Promise<boolean> {
  const { payouts, service, memory, chunks } = context;
  if (chunks !== undefined || (await payouts.count(['planned'])) > 0) return false;
  if (!(await payouts.areMoreThan(listedInOneCall * (await payouts.count(withAccount))))) return false;
  const list = openAccountList(noListedAccounts());
  let areShown = true;
  try {
    await eachPayout(context, withAccount, async ({ externalAccountId: id }) => {
      if (id === '' || !areShown || list.byId(id)) return;
      const read = await readAccount(service, id);
      if (read.kind === 'shown') list.set(id, read.account);
      else areShown = false;
    });
    if (!areShown || context.stopping()) return false;
    memory.lists.accounts = list.hold();
    return true;
  } finally {
    list.letGo();
  }
}

async function findAccounts(context: RunContext, list: AccountList): Promise<void> {
  const { payouts, memory } = context;
  const of = await payouts.count(['planned']);
  const find = findOrMakeAccount(context, memory.breakers.payees, list);
  const accountOf = oncePerPayee(list, find);
  let done = 0;
  await eachPayout(context, ['planned'], async (payout) => {
    const found = await accountOf(payout);
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'payees', done, of });
    if (found.kind === 'later') return withoutAccount(context, payout);
    const trouble = found.kind === 'trouble' ? found.reason : ofOtherRow(context, payout, found.id);
    if (trouble) {
      await context.journal.move({ payout, to: 'held', changes: { hold: 'payee', ...trouble } });
    } else if (found.kind === 'account' && payout.externalAccountId !== found.id) {
      await context.writes.add(() => context.journal.note(payout, { externalAccountId: found.id }));
    }
  });
  if (list.writes() === 0) return;
  await compareWritten(context, list);
  // A correction for one row may have taken the account away from what another row says.
  await compareReady(context);
}

/** What an earlier run noted and nobody read back is nobody's yet: without an account, no name is checked and nothing sent. */
async function withoutAccount(context: RunContext, payout: Payout): Promise<void> {
  if (payout.externalAccountId === '' || isAccountUnchanged(context, payout)) return;
  await context.journal.note(payout, { externalAccountId: '' });
}

/** One account cannot stand for two rows that name different operators or branches: the first has it. */
function ofOtherRow(context: RunContext, payout: Payout, id: string): Reason | undefined {
  return isAccountUnchanged(context, payout, id) ? undefined : reason('account-differs', { account: id });
}

/**
 * What was made or changed is read back before anything is sent to it: an answer that named another payee's account, or
 * a correction that was not carried out, would lead the money astray.
 */
async function compareWritten(context: RunContext, list: AccountList): Promise<void> {
  const { journal, memory, payees } = context;
  const back = await listToReadBack(context, list);
  const readBack = accountReader(context, back, list);
  await eachPayout(context, ['planned'], async (payout) => {
    const account = payout.externalAccountId;
    if (list.writtenFor(account) === undefined) return;
    const shown = await readBack(account);
    const lost = list.lost.get(account);
    if (!lost && shown && accountAgrees(shown, payout)) {
      memory.lists.accounts?.set(account, shown);
      return;
    }
    // What another batch has taken is its to forget.
    if (!lost) await payees.forgetAccount(payout, context.batch.id);
    const held = lost ?? readBackReason(account, shown, list.contested.has(account), payout);
    await journal.move({ payout, to: 'held', changes: { hold: 'payee', ...held } });
  }).finally(() => back.letGo());
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
  return async (id: string): Promise<ExternalAccount | undefined> => {
    const listed = list.byId(id);
    if (listed || contested.has(id)) return listed;
    const asked = underWay.get(id) ?? readAlone(context, id);
    underWay.set(id, asked);
    const read = await asked;
    if (!read) return undefined;
    // As if it had been in the list: the others of its payee find it there.
    list.set(id, read);
    underWay.delete(id);
    return read;
  };
}

/** Undefined where the service says that it has no such account. */
async function readAlone({ service }: RunContext, id: string): Promise<ExternalAccount | undefined> {
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

/** Gone: made again. Different: held, for the money would go to somebody else. */
async function compareReady(context: RunContext): Promise<void> {
  const { journal, memory, payees } = context;
  await eachPayout(context, ['ready'], async (payout) => {
    if (await isAskedElsewhere(context, payout)) {
      const why = 'its account is at another operator than the one where its name was asked';
      await journal.move({ payout, to: 'planned', why });
      return;
    }
    if (isAccountUnchanged(context, payout)) return;
    if (memory.lists.accounts?.byId(payout.externalAccountId)) {
      const changed = reason('account-changed', { account: payout.externalAccountId });
      await journal.move({ payout, to: 'held', changes: { hold: 'payee', ...changed } });
      return;
    }
    await payees.forgetAccount(payout, context.batch.id);
    const why = `external account ${payout.externalAccountId} is not at the service any more`;
    await journal.move({ payout, to: 'planned', why, changes: { externalAccountId: '' } });
  });
}

/** Accounts that came after the list was read are not gone: whoever had this part of the batch before may have made them. */
async function lookForLacking(context: RunContext): Promise<void> {
  const { accounts } = context.memory.lists;
  await eachPayout(context, withAccount, async ({ externalAccountId: id }) => {
    if (id === '' || accounts?.byId(id)) return;
    const read = await readAlone(context, id);
    if (read) accounts?.set(id, read);
  });
}

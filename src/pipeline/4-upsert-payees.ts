import type { Payout } from '../domain/payout/payout.ts';
import { type Reason, reason } from '../domain/payout/reasons.ts';
import { type AccountList, openAccountList } from './payee/account-list.ts';
import { findOrMakeAccount } from './payee/find-or-make-account.ts';
import { isAccountUnchanged, isAskedElsewhere } from './payee/is-account-unchanged.ts';
import { readListLately } from './payee/list-read-lately.ts';
import { noListedAccounts, readListedAccounts } from './payee/listed-accounts.ts';
import { oncePerPayee } from './payee/once-per-payee.ts';
import { readAccount } from './payee/read-account.ts';
import { nothingWritten, type ReadBack, readAlone, readBack } from './payee/read-back.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';

/**
 * Stage 4: every planned payout gets the external account of its payee: from the journal, else from the service's
 * list, else made. Once per payee, however many payouts it has. What was made or changed is yet to be read back.
 */
export async function upsertPayees(context: RunContext): Promise<ReadBack> {
  const { payouts, service, memory } = context;
  if ((await payouts.count(['planned', ...withAccount])) === 0) return nothingWritten;
  if (!memory.lists.accounts && (await readFew(context))) await compareReady(context);
  const isFirst = !memory.lists.accounts;
  if (!isFirst && (await payouts.count(['planned'])) === 0) return nothingWritten;
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
    return await findAccounts(context, list);
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

async function findAccounts(context: RunContext, list: AccountList): Promise<ReadBack> {
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
  return list.writes() === 0 ? nothingWritten : readBack(context, list);
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

/** Gone: made again. Different: held, for the money would go to somebody else. */
export async function compareReady(context: RunContext): Promise<void> {
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

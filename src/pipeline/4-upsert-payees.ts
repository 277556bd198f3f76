import { accountHolder } from '../domain/payee/account-route.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { type Reason, reason } from '../domain/payout/reasons.ts';
import type { ExternalAccount } from '../service/contract/external-accounts.ts';
import { accountAgrees, accountDifferences } from './payee/account-agrees.ts';
import { accountKey, payeeAccountKey } from './payee/account-key.ts';
import { type FoundAccount, findOrMakeAccount } from './payee/find-or-make-account.ts';
import { isAccountUnchanged, isAskedElsewhere } from './payee/is-account-unchanged.ts';
import { readStoredAccounts, type StoredAccounts } from './payee/stored-accounts.ts';
import { createBreaker } from './run/breaker.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { serviceError } from './run/service-error.ts';

/**
 * Stage 4: every planned payout gets the external account of its payee: from the journal, else from the service's
 * list, else made. Once per payee, however many payouts it has.
 */
export async function upsertPayees(context: RunContext): Promise<void> {
  const { payouts } = context;
  if (payouts.count(['planned', 'ready', 'submitting', 'unclear']) === 0) return;
  const stored = await readStoredAccounts(context);
  // Once a run: what another run has made ready, or left without an answer, may have changed hands since.
  if (!context.memory.accounts) {
    context.memory.accounts = stored.byId;
    await compareReady(context);
  }
  const of = payouts.count(['planned']);
  const findAccount = findOrMakeAccount(context, createBreaker(), stored);
  const underWay = new Map<string, Promise<FoundAccount>>();
  let done = 0;
  await eachPayout(context, ['planned'], async (payout) => {
    const who = accountHolder(payout);
    const known = underWay.get(who) ?? findAccount(payout);
    underWay.set(who, known);
    const found = await known;
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'payees', done, of });
    if (found.kind === 'later') return;
    const trouble = found.kind === 'trouble' ? found.reason : ofOtherRow(context, payout, found.id);
    if (trouble) {
      await context.journal.move({ payout, to: 'held', changes: { hold: 'payee', ...trouble } });
    } else if (found.kind === 'account' && payout.externalAccountId !== found.id) {
      await context.writes.add(() => context.journal.note(payout, { externalAccountId: found.id }));
    }
  });
  if (stored.written.size === 0) return;
  await compareWritten(context, stored);
  // A correction for one row may have taken the account away from what another row says.
  await compareReady(context);
}

/** One account cannot stand for two rows that name different operators or branches: the first has it. */
function ofOtherRow(context: RunContext, payout: Payout, id: string): Reason | undefined {
  const stands = isAccountUnchanged(context, { ...payout, externalAccountId: id });
  return stands ? undefined : reason('account-differs', { account: id });
}

/**
 * What was made or changed is read back before anything is sent to it: an answer that named another payee's account, or
 * a correction that was not carried out, would lead the money astray.
 */
async function compareWritten(context: RunContext, stored: StoredAccounts): Promise<void> {
  const { journal, memory, payees } = context;
  const readBack = await accountReader(context, stored);
  await eachPayout(context, ['planned'], async (payout) => {
    const account = payout.externalAccountId;
    if (!stored.written.has(account)) return;
    const shown = await readBack(account);
    const isLost = stored.lost.has(account);
    if (!isLost && shown && accountAgrees(shown, payout)) {
      memory.accounts?.set(account, shown);
      return;
    }
    await payees.forgetAccount(payout);
    const held = isLost
      ? reason('account-of-another', { account })
      : readBackReason(account, shown, stored.contested.has(account), payout);
    await journal.move({ payout, to: 'held', changes: { hold: 'payee', ...held } });
  });
}

/** From the list; one that it does not show yet is read alone, unless two payees were given it. */
async function accountReader(context: RunContext, { contested }: StoredAccounts) {
  const { byId } = await readStoredAccounts(context);
  const underWay = new Map<string, Promise<ExternalAccount | undefined>>();
  return async (id: string): Promise<ExternalAccount | undefined> => {
    const listed = byId.get(id);
    if (listed || contested.has(id)) return listed;
    const read = underWay.get(id) ?? readAlone(context, id);
    underWay.set(id, read);
    return read;
  };
}

/** Undefined where the service says that it has no such account. */
async function readAlone({ service }: RunContext, id: string): Promise<ExternalAccount | undefined> {
  const read = await service.readExternalAccount({ params: { externalAccountId: id } });
  if (read.kind === 'ok') return read.value.data;
  if (read.kind === 'refused') return undefined;
  throw serviceError(read, 'An external account could not be read back');
}

function readBackReason(
  account: string,
  shown: ExternalAccount | undefined,
  isContested: boolean,
  payout: Payout,
): Reason {
  if (!shown && !isContested) return reason('account-not-shown', { account });
  if (!shown || accountKey(shown) !== payeeAccountKey(payout))
    return reason('account-made-for-another', { account });
  return reason('account-not-as-written', { account, differences: accountDifferences(shown, payout) });
}

/** Gone: made again. Different: held, for the money would go to somebody else. */
async function compareReady(context: RunContext): Promise<void> {
  const { journal, memory, payees } = context;
  await eachPayout(context, ['ready'], async (payout) => {
    if (isAskedElsewhere(context, payout)) {
      const why = 'its account is at another operator than the one where its name was asked';
      await journal.move({ payout, to: 'planned', why });
      return;
    }
    if (isAccountUnchanged(context, payout)) return;
    if (memory.accounts?.has(payout.externalAccountId)) {
      const changed = reason('account-changed', { account: payout.externalAccountId });
      await journal.move({ payout, to: 'held', changes: { hold: 'payee', ...changed } });
      return;
    }
    await payees.forgetAccount(payout);
    const why = `external account ${payout.externalAccountId} is not at the service any more`;
    await journal.move({ payout, to: 'planned', why, changes: { externalAccountId: '' } });
  });
}

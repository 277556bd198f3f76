import { accountRoute } from '../domain/account-route.ts';
import { reason } from '../domain/reasons.ts';
import { accountStands } from './account-stands.ts';
import { createBreaker } from './breaker.ts';
import { eachPayout } from './each-payout.ts';
import {
  type FoundAccount,
  findOrMakeAccount,
  readStoredAccounts,
  type StoredAccounts,
} from './find-or-make-account.ts';
import type { RunContext } from './run-context.ts';

/**
 * Stage 4: every planned payout gets the external account of its payee: from the journal, else from the service's
 * list, else made. Once per payee, however many payouts it has.
 */
export async function upsertPayees(context: RunContext): Promise<void> {
  const { payouts, settings } = context;
  if (payouts.count(['planned', 'ready', 'submitting', 'unclear']) === 0) return;
  const stored = await readStoredAccounts(context);
  // Once a run: what another run has made ready, or left without an answer, may have changed hands since.
  if (!context.memory.accounts) {
    context.memory.accounts = stored.byId;
    await compareReady(context);
  }
  const of = payouts.count(['planned']);
  const breaker = createBreaker();
  const underWay = new Map<string, Promise<FoundAccount>>();
  let done = 0;
  await eachPayout(payouts, ['planned'], settings.concurrency, context.stopping, async (payout) => {
    const who = `${accountRoute(payout)} ${payout.currency}`;
    const known = underWay.get(who) ?? findOrMakeAccount(context, breaker, stored, payout);
    underWay.set(who, known);
    const found = await known;
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'payees', done, of });
    if (found.kind === 'account') {
      if (payout.externalAccountId !== found.id)
        await context.journal.note(payout, { externalAccountId: found.id });
    } else if (found.kind === 'trouble') {
      await context.journal.move({ payout, to: 'held', changes: { hold: 'payee', ...found.reason } });
    }
  });
  if (stored.made.size > 0) await compareMade(context, stored);
}

/**
 * What was made is read back before anything is sent to it: an answer that named another payee's account would lead the
 * money astray. What the list does not show yet is believed, unless two payees were given it.
 */
async function compareMade(context: RunContext, { made, contested }: StoredAccounts): Promise<void> {
  const { payouts, settings, journal, memory, payees } = context;
  const { byId } = await readStoredAccounts(context);
  for (const id of made) {
    const shown = byId.get(id);
    if (shown) memory.accounts?.set(id, shown);
  }
  await eachPayout(payouts, ['planned'], settings.concurrency, context.stopping, async (payout) => {
    const id = payout.externalAccountId;
    if (!made.has(id) || (byId.has(id) ? accountStands(context, payout) : !contested.has(id))) return;
    await payees.forgetAccount(payout);
    const changes = { hold: 'payee', ...reason('account-made-for-another', { account: id }) } as const;
    await journal.move({ payout, to: 'held', changes });
  });
}

/** Gone: made again. Different: held, for the money would go to somebody else. */
async function compareReady(context: RunContext): Promise<void> {
  const { payouts, settings, journal, memory, payees } = context;
  await eachPayout(payouts, ['ready'], settings.concurrency, context.stopping, async (payout) => {
    if (accountStands(context, payout)) return;
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

import { formatMoney } from '../domain/money/format-money.ts';
import {
  type DecidingName,
  decidingName,
  isRegister,
  type NameCount,
  nameVerdict,
} from '../domain/names/name-evidence.ts';
import { accountHolder } from '../domain/payee/account-route.ts';
import { limitExceeded } from '../domain/payout/limit-exceeded.ts';
import { mayPayName } from '../domain/payout/may-pay-name.ts';
import type { Hold, Payout } from '../domain/payout/payout.ts';
import { noReason, type Reason, reason } from '../domain/payout/reasons.ts';
import type { ResolvedEntry } from '../journal/known-names.ts';
import { railOf } from './payee/cached-name.ts';
import { paidOperator } from './payee/paid-operator.ts';
import { payeeName } from './payee/payee-name.ts';
import type { ReadBack } from './payee/read-back.ts';
import { eachPayout } from './run/each-payout.ts';
import type { RunContext } from './run/run-context.ts';
import { movedEvent } from './run/run-events.ts';

/**
 * Stage 5: whose account is it? Each account is asked once and its answer kept for a while; each payout gets a
 * verdict of its own, for two payouts to one account may carry two names. What was written of accounts is held against
 * what the service shows of them on the way.
 */
export async function checkNames(context: RunContext, written: Pick<ReadBack, 'stands'>): Promise<void> {
  const { payouts } = context;
  const underWay = new Map<string, Promise<ResolvedEntry | undefined>>();
  const of = await payouts.count(['planned']);
  let done = 0;
  await eachPayout(context, ['planned'], async (payout) => {
    // Without an account the payee stage has not come to an end: it waits for the next run.
    if (payout.externalAccountId === '' || !(await written.stands(payout))) return;
    const who = accountHolder(payout);
    const asked = underWay.get(who) ?? paidName(context, payout);
    underWay.set(who, asked);
    const resolved = await asked;
    // The journal has it from now on. Only what was not answered is remembered here.
    if (resolved) underWay.delete(who);
    done += 1;
    context.onEvent({ kind: 'stage', stage: 'names', done, of });
    if (resolved) await decide(context, payout, resolved);
  });
}

async function paidName(context: RunContext, payout: Payout): Promise<ResolvedEntry | undefined> {
  return payeeName(context, payout, await paidOperator(context, payout));
}

async function decide(context: RunContext, payout: Payout, resolved: ResolvedEntry): Promise<void> {
  const { journal, onEvent, payees, writes } = context;
  const { operator } = resolved;
  const isTrusted =
    resolved.repeats !== 'nothing' && isRegister(await payees.knownBeyond(railOf({ ...payout, operator })));
  const deciding = decidingName(resolved, () => isTrusted, payout);
  const { verdict, reason: why } = verdictOf(payout, deciding);
  const seen = { verdict, resolvedName: deciding.name, resolvedMs: resolved.atMs };
  const held = await holdOf(context, payout, deciding, { verdict, why });
  if (!held) {
    const changes = { ...seen, ...noReason, hold: '' } as const;
    return writes.add(() => journal.move({ payout, to: 'ready', why: `name ${verdict}`, changes }));
  }
  await journal.move({ payout, to: 'held', changes: { ...seen, ...held } });
  onEvent(movedEvent(payout, 'held', held));
}

type Doubt = Exclude<NameCount, 'match'>;

/** What it is held for; undefined where it may be paid. */
async function holdOf(
  context: RunContext,
  payout: Payout,
  deciding: DecidingName,
  { verdict, why }: { readonly verdict: NameCount; readonly why: string },
): Promise<(Reason & { readonly hold: Hold }) | undefined> {
  const { settings, payees, payouts } = context;
  const isPairReleased =
    verdict !== 'match' && (await payees.isReleased(payout.payee, payout.foldedName, deciding.name));
  const found = { verdict, resolvedName: deciding.name };
  if (verdict !== 'match' && !mayPayName(settings.policy, payout, found, () => isPairReleased))
    return { hold: 'name', ...nameReason(deciding, verdict, why) };
  const limit = limitExceeded(settings.policy, payout, await payouts.acceptedLimit(payout.id));
  if (limit === undefined) return undefined;
  return { hold: 'limit', ...reason('above-limit', { limit: formatMoney(limit, payout.currency) }) };
}

function nameReason({ kind }: DecidingName, verdict: Doubt, why: string): Reason {
  if (kind === 'repeated') return reason('name-repeated');
  if (verdict === 'no-account') return reason('no-account');
  return reason(`name-${verdict}`, { why });
}

function verdictOf({ accountName, number }: Payout, deciding: DecidingName) {
  return nameVerdict(accountName, number, deciding);
}

import type { Payout } from '../../domain/payout/payout.ts';
import { isReleased } from '../../domain/payout/release-marks.ts';
import type { ResolvedEntry } from '../../journal/known-names.ts';
import type { RunContext } from '../run/run-context.ts';
import { cachedName } from './cached-name.ts';
import type { StoredNames } from './listed-accounts.ts';

/**
 * The name of a payout's account at an operator, as a run knows or asks it. Undefined where the service gave no answer.
 * The operator is that of the account that is paid where the row names none. Of one that a person released from its name, it is
 * asked again once a run: it may have been put right since, and then nothing was to be released.
 */
export function payeeName(
  { service, payees, clock, settings, memory, startedMonotonicMs }: RunContext,
  payout: Payout,
  operator: string,
): Promise<ResolvedEntry | undefined> {
  const kept = { book: payees, save: payees.saveName, clock, maxAgeMs: settings.namesMaxAgeMs };
  const stored: StoredNames = async (...number) => memory.lists.lastList?.storedNames(...number) ?? [];
  const asked = operator === payout.operator ? payout : { ...payout, operator };
  const isOfThisRun = ({ atMs }: ResolvedEntry) =>
    clock.nowMs() - atMs <= clock.monotonicMs() - startedMonotonicMs;
  const isEnough = (known: ResolvedEntry) => !isReleased(payout, 'name') || isOfThisRun(known);
  return cachedName(service, kept, stored, asked, isEnough);
}

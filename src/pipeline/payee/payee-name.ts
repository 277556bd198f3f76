import type { Payout } from '../../domain/payout/payout.ts';
import type { ResolvedEntry } from '../../journal/known-names.ts';
import type { RunContext } from '../run/run-context.ts';
import { cachedName } from './cached-name.ts';
import type { StoredNames } from './listed-accounts.ts';

/**
 * The name of a payout's account at an operator, as a run knows or asks it. Undefined where the service gave no answer.
 * The operator is that of the account that is paid where the row names none.
 */
export function payeeName(
  { service, payees, clock, settings, memory }: RunContext,
  payout: Payout,
  operator: string,
): Promise<ResolvedEntry | undefined> {
  const kept = { book: payees, save: payees.saveName, clock, maxAgeMs: settings.namesMaxAgeMs };
  const stored: StoredNames = async (...number) => memory.lists.lastList?.storedNames(...number) ?? [];
  const asked = operator === payout.operator ? payout : { ...payout, operator };
  return cachedName(service, kept, stored, asked);
}

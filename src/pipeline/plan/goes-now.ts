import type { Minor } from '../../domain/money/money.ts';
import { toSendNow } from './plan.ts';
import type { PlannedFile } from './planned-file.ts';

/** What goes out if a person says yes, and what of it waits for the person's decision: about a name, or an amount above a limit. */
export interface GoesNow {
  readonly currency: string;
  readonly count: number;
  readonly minor: Minor;
  readonly heldCount: number;
  readonly heldMinor: Minor;
}

export function goesNow({ plan, view }: Pick<PlannedFile, 'plan' | 'view'>): GoesNow[] {
  return [...toSendNow(plan)].map(([currency, minor]) => {
    const own = plan.totals.find((total) => total.currency === currency)?.toSendRows ?? 0;
    const besides = plan.besides.filter((total) => total.currency === currency);
    const count = besides.reduce((sum, { rows }) => sum + rows, own);
    const held = [...(view?.names?.held ?? []), ...(view?.aboveLimit ?? [])].filter(
      (sum) => sum.currency === currency,
    );
    const heldCount = held.reduce((sum, { rows }) => sum + rows, 0);
    const heldMinor = held.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    return { currency, count: count - heldCount, minor: minor - heldMinor, heldCount, heldMinor };
  });
}

/** What has to be typed: what goes out now. Where all of it is held nothing goes out, and still a batch begins. */
export function amountsToType(planned: Pick<PlannedFile, 'plan' | 'view'>): ReadonlyMap<string, Minor> {
  return new Map(
    goesNow(planned).map(({ currency, minor, heldMinor }) => [currency, minor > 0n ? minor : heldMinor]),
  );
}

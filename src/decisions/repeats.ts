import { formatMoney, maskNumber } from '../domain/money/format-money.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { dayText } from '../domain/text/day-text.ts';
import { PayrunError } from '../errors.ts';
import type { DecisionQueries } from '../journal/payouts/decision-queries.ts';
import type { RepeatedPayout } from '../journal/repeat-queries.ts';

export interface RepeatRule {
  readonly sinceMs: number;
  /** So many may pass. */
  readonly allowed: number;
  /** Of the dates that people read. */
  readonly timeZone: string;
}

const shown = 10;

/** While a payout waited for a person, another batch may have paid the same. So it is asked again, every time. */
export function watchRepeats(questions: DecisionQueries, { sinceMs, allowed, timeZone }: RepeatRule) {
  const first: string[] = [];
  let count = 0;
  return {
    ask(payout: Payout): void {
      const repeat = questions.repeatOf(payout, sinceMs);
      if (!repeat) return;
      count += 1;
      if (first.length < shown) first.push(`  ${showRepeat(payout, repeat, timeZone)}`);
    },
    refuseTooMany(of: number): void {
      if (count <= allowed) return;
      throw new PayrunError(
        'repeats',
        [
          `${count} of ${of} payouts repeat one that was planned or sent a short while ago:`,
          ...first,
          ...(count > first.length ? [`  and ${count - first.length} more`] : []),
          `Nothing was changed. If they are meant, let them through with --allow-repeats ${count}.`,
        ].join('\n'),
      );
    },
  };
}

function showRepeat(
  { key, accountName, number, amountMinor, currency }: Payout,
  repeat: RepeatedPayout,
  timeZone: string,
): string {
  return `payment ${key}: ${accountName} ${maskNumber(number)} ${formatMoney(amountMinor, currency)}, in batch ${repeat.batch} on ${dayText(repeat.atMs, timeZone)}`;
}

import type { CarriedOut } from '../decisions/carry-out.ts';
import { decimalOf, formatMoney } from '../domain/money/format-money.ts';
import type { Minor } from '../domain/money/money.ts';
import { counted } from '../domain/text/counted.ts';
import { grouped } from '../domain/text/grouped.ts';

/** What a decision came to, and what it means for the next resume. */
export interface DecisionOutcome extends CarriedOut {
  readonly batch: string;
  /** `LIVE` and what else tells the environment. */
  readonly place: string;
  /** `released`, `cancelled` … */
  readonly done: string;
  /** What the next resume may send; undefined where the decision lets nothing be sent. */
  readonly toSend: ToSend | undefined;
  /** The command to go on with. */
  readonly next: string | undefined;
}

export interface ToSend {
  readonly payouts: number;
  readonly amounts: ReadonlyMap<string, Minor>;
}

export function decisionReport(outcome: DecisionOutcome): string {
  const { batch, place, done, moved, first, movedMinor, left, next } = outcome;
  const more = moved - first.length;
  const what = moved === 0 ? `no payout ${done}` : `${counted(moved, 'payout')} ${done}, ${sums(movedMinor)}`;
  return [
    place,
    `Batch ${batch}: ${what}. ${sendsNothing(outcome)}`,
    ...first.map(
      ({ key, accountName, currency, amountMinor }) =>
        `  ${key}: ${accountName}, ${formatMoney(amountMinor, currency)}`,
    ),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...left.map(({ payout, why }) => `  left as it is: payment ${payout.key}: ${why}`),
    ...(next === undefined ? [] : [`Next: ${next}`]),
  ].join('\n');
}

/** Of this command, not of the batch: its payouts may well have been sent before. */
function sendsNothing({ moved, toSend }: DecisionOutcome): string {
  if (moved === 0) return 'Nothing was changed.';
  if (toSend === undefined) return 'This command sends nothing; what was sent before stays as it is.';
  return `This command sends nothing; the next resume will send up to ${sums(toSend.amounts)} in ${counted(toSend.payouts, 'payout')}.`;
}

function sums(amounts: ReadonlyMap<string, Minor>): string {
  return [...amounts].map(([currency, minor]) => formatMoney(minor, currency)).join(' and ');
}

export function decisionDocument(outcome: DecisionOutcome): Record<string, unknown> {
  const { batch, moved, first, left, toSend, next } = outcome;
  const amounts =
    toSend && [...toSend.amounts].map(([currency, minor]) => [currency, decimalOf(minor, currency)]);
  return {
    kind: 'decision',
    batch,
    moved,
    first: first.map(({ key }) => key),
    left: left.map(({ payout, why }) => ({ payment: payout.key, state: payout.state, why })),
    ...(toSend && amounts
      ? { toSend: { payouts: toSend.payouts, amounts: Object.fromEntries(amounts) } }
      : {}),
    next: next ?? null,
  };
}

import { decimalOf } from '../domain/money/format-money.ts';
import { maskDifferingNumbers } from '../domain/payee/mask-differing-numbers.ts';
import type {
  DiffAccount,
  DiffAmount,
  DiffGroup,
  PreviousRunDiff,
} from '../journal/draft/previous-run-diff.ts';

/** How a file differs from the previous batch of the same people. */
export function diffDocument(diff: PreviousRunDiff) {
  return {
    previousBatch: diff.previousBatch,
    notice: diff.noticePercent,
    joined: groupDocument(diff.joined, amountDocument),
    left: groupDocument(diff.left, amountDocument),
    accountChanged: groupDocument(diff.accountChanged, showAccount),
    amountChanged: groupDocument(diff.amountChanged, amountDocument),
    oneAccount: groupDocument(diff.oneAccount, (name) => name),
  };
}

function groupDocument<Value, Shown>(
  group: DiffGroup<Value>,
  show: (value: Value, other: Value | undefined) => Shown,
) {
  const side = (value: Value | undefined, other: Value | undefined) =>
    value === undefined ? null : show(value, other);
  return {
    count: group.count,
    first: group.first.map(({ line, name, before, after }) => ({
      line: line ?? null,
      name,
      before: side(before, after),
      after: side(after, before),
    })),
  };
}

function amountDocument({ currency, amountMinor }: DiffAmount) {
  return { currency, amount: decimalOf(amountMinor, currency) };
}

/** `68 …9012`, or `…5678` for mobile money. Where the last digits agree, it is still seen to be another account. */
function showAccount({ bankCode, number }: DiffAccount, other: DiffAccount | undefined): string {
  const [shown] = maskDifferingNumbers(number, other?.number ?? number);
  return `${bankCode === '' ? '' : `${bankCode} `}${shown}`;
}

import { formatMoney } from '../domain/money/format-money.ts';
import { maskDifferingNumbers } from '../domain/payee/mask-differing-numbers.ts';
import { counted } from '../domain/text/counted.ts';
import { dayText } from '../domain/text/day-text.ts';
import { grouped } from '../domain/text/grouped.ts';
import { exitCode } from '../errors.ts';
import type { DiffAccount, DiffGroup, PreviousRunDiff } from '../journal/draft/previous-run-diff.ts';
import { type Plan, toSendNow } from '../pipeline/plan/plan.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import { planTotals } from './plan-totals.ts';
import { problemReport } from './problem-report.ts';
import { readingReport } from './reading-report.ts';
import { serviceReport } from './service-report.ts';

/** The plan as a person judges it: what is wrong, what is paid, how it differs from last time, what the service says. */
export function planSummary(planned: PlannedFile): string {
  const { plan, drafted, view } = planned;
  const parts = [
    readingReport(drafted.reading),
    problemReport(drafted.questions, planned.policy.skipInvalid && planned.exit !== exitCode.fileInvalid),
    rowsPart(planned),
    planTotals(planned),
    besidesPart(plan),
    plan.diff ? diffPart(plan.diff, drafted.batch.timeZone ?? 'UTC') : '',
    gonePart(plan),
    view ? serviceReport(view) : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function rowsPart({ plan, drafted }: PlannedFile): string {
  const { batch, rows, valid, fates, knownBatch } = plan;
  const words: [rowCount: number, one: string, many?: string][] = [
    [fates.new, 'new'],
    [fates['carries-on'] + fates.renamed, 'known and unchanged'],
    [fates['brought-back'], 'back in the file'],
    [fates.replaced, 'changed and not paid before'],
    [fates['new-attempt'], 'corrected after it failed', 'corrected after they failed'],
    [fates['stays-cancelled'], 'cancelled earlier'],
    [rows - valid, 'that cannot be paid'],
  ];
  const shown = words
    .filter(([rowCount]) => rowCount > 0)
    .map(([rowCount, one, many = one]) => `${grouped(rowCount)} ${rowCount === 1 ? one : many}`);
  const { pattern, carriedOn, timeZone } = drafted.batch;
  const filled =
    pattern === batch
      ? ''
      : `, ${pattern} ${carriedOn ? 'begun earlier and not finished' : `by the date in ${timeZone}`}`;
  const known = knownBatch ? '' : ' (new)';
  return `Batch ${batch}${known}${filled}: ${counted(rows, 'row')}${shown.length > 0 ? `: ${shown.join(', ')}` : ''}.`;
}

/** What goes out with the file though its rows are not in it: whoever confirms the file must have seen it. */
export function besidesPart({ besides }: Pick<Plan, 'besides'>): string {
  if (besides.length === 0) return '';
  const payouts = besides.reduce((sum, { rows }) => sum + rows, 0);
  const sums = toSendNow({ totals: [], besides });
  const money = [...sums].map(([currency, minor]) => formatMoney(minor, currency)).join(', ');
  return `Besides this file, ${counted(payouts, 'payout')} of the batch ${payouts === 1 ? 'waits' : 'wait'} to be sent and will be: ${money}.`;
}

function diffPart(diff: PreviousRunDiff, timeZone: string): string {
  const day = dayText(diff.previousMs, timeZone);
  const money = ({ currency, amountMinor }: { currency: string; amountMinor: bigint }) =>
    formatMoney(amountMinor, currency);
  const lines = [
    ...diffLines('joined', diff.joined, money),
    ...diffLines('left', diff.left, money),
    ...diffLines('with another account', diff.accountChanged, showAccountApart),
    ...diffLines(`whose amount changed by more than ${diff.noticePercent}%`, diff.amountChanged, money),
    ...diffLines('paid to an account that was under another name', diff.oneAccount, (name) => name),
  ];
  const head = `Compared with batch ${diff.previousBatch} of ${day}:`;
  if (lines.length > 0) return [head, ...lines].join('\n');
  return `${head} the same people and accounts; no amount changed by more than ${diff.noticePercent}%.`;
}

/** Where the last digits agree, a person must still see that it is another account. */
function showAccountApart({ bankCode, number }: DiffAccount, other: DiffAccount | undefined): string {
  const [shown] = maskDifferingNumbers(number, other?.number ?? number);
  return `${bankCode === '' ? '' : `${bankCode} `}${shown}`;
}

function diffLines<Value>(
  title: string,
  group: DiffGroup<Value>,
  show: (value: Value, other: Value | undefined) => string,
): string[] {
  if (group.count === 0) return [];
  const lines = group.first.map(({ line, name, before, after }) => {
    const change = [
      ...(before === undefined ? [] : [show(before, after)]),
      ...(after === undefined ? [] : [show(after, before)]),
    ];
    return `    ${line === undefined ? '' : `line ${line}: `}${name}, ${change.join(' → ')}`;
  });
  const more = group.count - group.first.length;
  return [
    `  ${grouped(group.count)} ${title}:`,
    ...lines,
    ...(more > 0 ? [`    and ${grouped(more)} more`] : []),
  ];
}

function gonePart({ gone, batch }: Plan): string {
  if (gone.unsent + gone.sent === 0) return '';
  const lines = [
    ...(gone.unsent > 0
      ? [`  ${counted(gone.unsent, 'payout')} not sent yet would be held until the row is back`]
      : []),
    ...(gone.sent > 0
      ? [
          `  ${counted(gone.sent, 'payout')} that went out or came to an end ${gone.sent === 1 ? 'stays as it is' : 'stay as they are'}`,
        ]
      : []),
    ...gone.first.map(({ key, accountName, state }) => `    ${key}: ${accountName}, ${state}`),
  ];
  return [`In batch ${batch}, and not among the rows of this file that can be paid:`, ...lines].join('\n');
}

import { loosenings, nameOfKey, policyInForce } from '../domain/approval/approval-policy.ts';
import { usualRepeatWindowMs } from '../domain/duration.ts';
import { formatMoney } from '../domain/money/format-money.ts';
import { minorFromDecimal } from '../domain/money/money.ts';
import { findCurrency } from '../domain/reference-data/countries.ts';
import { ageText } from '../domain/text/age-text.ts';
import { counted } from '../domain/text/counted.ts';
import { grouped } from '../domain/text/grouped.ts';
import { oneLine } from '../domain/text/one-line.ts';
import { readableText } from '../domain/text/readable-text.ts';
import type { PlanDocument } from './plan-document.ts';
import type { PlanFile } from './plan-file.ts';
import { plannedSums } from './planned-sums.ts';

/** A written plan as whoever approves it is shown it: from the file alone, with nobody asked. */
export function planFileReport({ document }: Pick<PlanFile, 'document'>): string {
  const { planner, environment, batch, rows, valid } = document;
  const parts = [
    `${document.mode ?? 'NO SERVICE'}  ${readableText(environment ?? '')}`,
    [
      `Plan ${document.digest.slice(0, 16)} of ${readableText(document.file)}`,
      `  planned by   ${planner ? `${plannerName(document)} on ${planner.at.slice(0, 16).replace('T', ' ')} UTC` : 'nobody who signed it'}`,
      `  batch        ${readableText(batch)}${document.drafts > 0 ? ', which has taken in a file before' : ''}`,
      `  rows         ${grouped(rows)}${rows === valid ? '' : `, of which ${grouped(rows - valid)} cannot be paid`}`,
    ].join('\n'),
    totalsPart(document),
    problemsPart(document),
    diffPart(document),
    gonePart(document),
    namesPart(document),
    settingsPart(document),
    approvalsPart(document),
    ...document.guards.map(({ code, message }) => `REFUSED (${readableText(code)}): ${oneLine(message)}`),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** By the list: what a plan calls its planner is what somebody wrote into it. */
function plannerName({ planner, approvals, approvalsBefore }: PlanDocument): string {
  const policy = policyInForce({ now: approvals ?? undefined, before: approvalsBefore ?? undefined });
  if (!policy) return readableText(planner?.name ?? '');
  return readableText(nameOfKey(policy, planner?.key ?? '') ?? 'somebody who is not in the list');
}

function money(decimal: string, currency: string): string {
  return formatMoney(minorFromDecimal(decimal, findCurrency(currency)?.decimals ?? 0) ?? 0n, currency);
}

function totalsPart(document: PlanDocument): string {
  const lines = Object.entries(document.totals).map(([currency, { rows, file, paidBefore, toSend }]) => {
    const rest = file === toSend ? '' : `, paid before ${money(paidBefore, currency)}`;
    return `  ${money(file, currency)} in ${counted(rows, 'payment')} of the file${rest}`;
  });
  const besides = document.besides.map(
    ({ currency, rows, amount }) =>
      `  ${money(amount, currency)} in ${counted(rows, 'payout')} of the batch besides the file`,
  );
  const now = [...plannedSums(document)].map(
    ([currency, minor]) => `  ${formatMoney(minor, currency)} would be sent now`,
  );
  return ['Totals:', ...lines, ...besides, ...(now.length > 0 ? now : ['  nothing would be sent now'])].join(
    '\n',
  );
}

function problemsPart({ problems }: PlanDocument): string {
  if (problems.first.length === 0) return '';
  const lines = problems.first
    .slice(0, shownOfEach)
    .map(({ line, message }) => `  line ${line}: ${oneLine(message)}`);
  return ['Findings in the file:', ...lines, ...more(problems.blocking + problems.warnings, lines)].join(
    '\n',
  );
}

function diffPart({ diff }: PlanDocument): string {
  if (!diff) return 'There is no earlier batch of these people to compare with.';
  const amount = (side: { currency: string; amount: string }) => money(side.amount, side.currency);
  const lines = [
    ...group('joined', diff.joined, amount),
    ...group('left', diff.left, amount),
    ...group('with another account', diff.accountChanged, readableText),
    ...group(`whose amount changed by more than ${diff.notice}%`, diff.amountChanged, amount),
    ...group('paid to an account that was under another name', diff.oneAccount, readableText),
  ];
  const head = `Compared with batch ${readableText(diff.previousBatch)}:`;
  const same = diff.amountChanged.count === 0 ? `no amount changed by more than ${diff.notice}%` : '';
  if (lines.length === 0) return `${head} the same people and accounts; ${same}.`;
  return [head, ...lines, ...(same === '' ? [] : [`  ${same}`])].join('\n');
}

function gonePart({ gone }: PlanDocument): string {
  if (gone.unsent === 0) return '';
  return `${counted(gone.unsent, 'payout')} of the batch would be held: not in the file any more.`;
}

function group<Side>(
  title: string,
  { count, first }: { count: number; first: readonly Changed<Side>[] },
  show: (side: Side) => string,
): string[] {
  if (count === 0) return [];
  const lines = first.slice(0, shownOfEach).map(({ line, name, before, after }) => {
    const sides = [before, after].flatMap((side) => (side === null ? [] : [show(side)]));
    return `    ${line === null ? '' : `line ${line}: `}${readableText(name)}, ${sides.join(' → ')}`;
  });
  return [`  ${count} ${title}:`, ...lines, ...more(count, lines).map((text) => `  ${text}`)];
}

interface Changed<Side> {
  readonly line: number | null;
  readonly name: string;
  readonly before: Side | null;
  readonly after: Side | null;
}

function namesPart({ names }: PlanDocument): string {
  if (!names) return 'Names: nobody asked the service whose accounts these are.';
  const { match, close, mismatch, unchecked, noAccount, unanswered, first, held } = names;
  const counts: [count: number, one: string, many: string][] = [
    [match, 'matches', 'match'],
    [close, 'is close', 'are close'],
    [mismatch, 'does not match', 'do not match'],
    [unchecked, 'could not be checked', 'could not be checked'],
    [noAccount, 'has no account', 'have no account'],
    [unanswered, 'got no answer', 'got no answer'],
  ];
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${grouped(count)} ${count === 1 ? one : many}`);
  const lines = first.slice(0, shownOfEach).map(({ line, name, resolved, verdict, reason }) => {
    const told = resolved === '' ? '' : `, the service says ${readableText(resolved)}`;
    return `  line ${line}: ${readableText(name)}${told}: ${readableText(verdict)}, ${oneLine(reason)}`;
  });
  return [
    `Names: ${said.length > 0 ? said.join(', ') : 'none are asked about'}.`,
    ...lines,
    ...more(close + mismatch + unchecked + noAccount, lines),
    ...held.map(
      ({ currency, rows, amount }) =>
        `  ${money(amount, currency)} in ${counted(rows, 'payment')} would be held for their names, and not sent`,
    ),
  ].join('\n');
}

/** What is paid though somebody could wish it held. */
function settingsPart({ policy, repeats, options }: PlanDocument): string {
  const lines = [
    ...(policy.skipInvalid ? ['  rows that cannot be paid are left out'] : []),
    ...(policy.onClose === 'pay' ? ['  PAID although the name is only close to the account’s'] : []),
    ...(policy.onMismatch === 'pay' ? ['  PAID although the name is NOT the account’s'] : []),
    ...(policy.onUnchecked === 'pay' ? ['  PAID although the name could not be checked'] : []),
    ...Object.entries(policy.limitPayout).map(
      ([currency, limit]) => `  payouts above ${money(limit, currency)} are held`,
    ),
    ...(repeats.sameBatch ? ['  an old batch of this name is continued'] : []),
    ...(repeats.windowMs < usualRepeatWindowMs
      ? [`  a payment is called repeated for ${ageText(repeats.windowMs)} only`]
      : []),
    ...((options['allow-shared'] ?? 0) > 0
      ? [`  one number may stand under ${options['allow-shared']} names`]
      : []),
    ...(repeats.allowed > 0 ? [`  up to ${repeats.allowed} repeated payments are let through`] : []),
  ];
  return lines.length === 0 ? '' : ['Settings:', ...lines].join('\n');
}

function approvalsPart({ approvals, approvalsBefore }: PlanDocument): string {
  const looser = loosenings({ now: approvals ?? undefined, before: approvalsBefore ?? undefined });
  if (looser.length === 0) return '';
  return [
    'WHO MAY APPROVE IS LOOSENED with this plan. To approve it is to agree to that as well, for all later payments:',
    ...looser.map((way) => `  ${oneLine(way)}`),
  ].join('\n');
}

const shownOfEach = 20;

function more(count: number, lines: readonly string[]): string[] {
  return count > lines.length ? [`  and ${grouped(count - lines.length)} more`] : [];
}

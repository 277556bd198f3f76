import { maskNumber, showMoney } from '../domain/show-money.ts';
import type { DiffGroup, PayRunDiff } from '../journal/pay-run-diff.ts';
import type { Plan } from '../pipeline/3-plan-batch.ts';

/** The plan as a person judges it: what is paid, to whom it differs from last time, and what stands in the way. */
export function planReport(plan: Plan): string {
  return [
    rowsPart(plan),
    totalsPart(plan),
    plan.diff ? diffPart(plan.diff) : '',
    gonePart(plan),
    ...plan.guards.map((guard) => `REFUSED (${guard.code}): ${guard.message}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function rowsPart({ batch, rows, valid, fates, knownBatch }: Plan): string {
  const words: [number, string][] = [
    [fates.new, 'new'],
    [fates['carries-on'] + fates.renamed, 'known and unchanged'],
    [fates.replaced, 'changed before they were sent'],
    [fates['new-attempt'], 'corrected after they failed'],
    [fates['stays-cancelled'], 'cancelled earlier'],
    [rows - valid, 'that cannot be paid'],
  ];
  const shown = words.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `Batch ${batch}${knownBatch ? '' : ' (new)'}: ${rows} rows${shown.length > 0 ? `: ${shown.join(', ')}` : ''}.`;
}

function totalsPart({ totals, byDestination, byWallet }: Plan): string {
  const lines = totals.map(({ currency, rows, fileMinor, paidBeforeMinor, toSendMinor }) => {
    const before = paidBeforeMinor > 0n ? `, paid before ${showMoney(paidBeforeMinor, currency)}` : '';
    return `  ${showMoney(fileMinor, currency)} in ${rows} payments${before}, to send now ${showMoney(toSendMinor, currency)}`;
  });
  const split = byDestination.map(
    ({ name, currency, rows, amountMinor }) =>
      `    ${name}: ${rows} payments, ${showMoney(amountMinor, currency)}`,
  );
  const wallets = byWallet
    .filter(({ name, currency }) => name !== currency)
    .map(
      ({ name, currency, amountMinor }) => `    from the ${name} wallet: ${showMoney(amountMinor, currency)}`,
    );
  return ['Totals:', ...lines, ...split, ...wallets].join('\n');
}

function diffPart(diff: PayRunDiff): string {
  const day = new Date(diff.previousMs).toISOString().slice(0, 10);
  const money = (text: string) => {
    const [currency = '', minor = ''] = text.split(' ');
    return minor === '' ? '' : showMoney(BigInt(minor), currency);
  };
  const group = (title: string, { count, first }: DiffGroup, show: (text: string) => string): string[] => {
    if (count === 0) return [];
    const lines = first.map(({ line, name, before, after }) => {
      const change = [before, after]
        .filter((text) => text !== '')
        .map(show)
        .join(' → ');
      return `    ${line === null ? '' : `line ${line}: `}${name}${change === '' ? '' : `, ${change}`}`;
    });
    return [
      `  ${count} ${title}`,
      ...lines,
      ...(count > first.length ? [`    and ${count - first.length} more`] : []),
    ];
  };
  const lines = [
    ...group('joined', diff.joined, money),
    ...group('left', diff.left, money),
    ...group('with another account', diff.accountChanged, maskNumber),
    ...group('whose amount changed', diff.amountChanged, money),
    ...group('paid to an account that stood under another name', diff.oneAccount, (text) => text),
  ];
  const head = `Compared with batch ${diff.previousBatch} of ${day}:`;
  return lines.length === 0 ? `${head} the same people, accounts and amounts.` : [head, ...lines].join('\n');
}

function gonePart({ gone, batch }: Plan): string {
  const lines: string[] = [];
  if (gone.unsent > 0)
    lines.push(`${gone.unsent} payouts of ${batch} are not in this file any more and would be held.`);
  if (gone.sent > 0)
    lines.push(`${gone.sent} payouts of ${batch} were sent and are not in this file any more.`);
  return lines.join('\n');
}

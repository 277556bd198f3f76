import { formatMoney } from '../domain/money/format-money.ts';
import { counted } from '../domain/text/counted.ts';
import { grouped } from '../domain/text/grouped.ts';
import type { WalletFunds } from '../pipeline/guards/funds.ts';
import type { ServiceView } from '../pipeline/plan/inspect-service.ts';
import type { NameView } from '../pipeline/plan/name-verdicts.ts';

/** Silence would be taken for good news. */
const namesNotAsked = '  names: not asked now (--check-names asks); a run asks before anything is sent';

/** What the service said about a plan. */
export function serviceReport({ funds, payees, names }: ServiceView): string {
  // Where nothing is left to send nobody is asked about.
  const people =
    payees.known + payees.new === 0
      ? []
      : [`  ${counted(payees.known, 'payee')} stored there, ${grouped(payees.new)} would be added`];
  const named = names ? nameLines(names) : people.map(() => namesNotAsked);
  const lines = [...funds.map(walletLine), ...people, ...named];
  return lines.length === 0 ? '' : ['At the service:', ...lines].join('\n');
}

function walletLine(funds: WalletFunds): string {
  const { wallet, currency, balanceMinor, neededMinor, elsewhereMinor, estimated } = funds;
  const holds = balanceMinor === undefined ? 'is not there' : `holds ${formatMoney(balanceMinor, currency)}`;
  const needed =
    neededMinor === undefined
      ? 'the service publishes no exchange rate, so payrun cannot say how much is needed'
      : `needed ${estimated ? 'about ' : ''}${formatMoney(neededMinor, currency)}`;
  const others =
    elsewhereMinor > 0n ? `, of it ${formatMoney(elsewhereMinor, currency)} by other batches that wait` : '';
  return `  the ${wallet} wallet ${holds}, ${needed}${others}`;
}

/** What is said of names where nobody is shown the plan; nothing where all are as they should be. */
export function namesPart({ names }: ServiceView): string {
  if (!names || (names.first.length === 0 && names.unanswered === 0)) return '';
  return ['At the service:', ...nameLines(names)].join('\n');
}

function nameLines({ counts, first, held: heldSums, unanswered }: NameView): string[] {
  const { match, close, mismatch, unchecked, 'no-account': noAccount } = counts;
  const odd = close + mismatch + unchecked + noAccount;
  if (match + odd + unanswered === 0) return [];
  const lines = first.map(({ line, accountName, resolvedName, verdict, reason }) => {
    const said = resolvedName === '' ? '' : `, the service says ${resolvedName}`;
    return `    line ${line}: ${accountName}${said}: ${verdict}, ${reason}`;
  });
  const more = odd > first.length ? [`    and ${odd - first.length} more`] : [];
  return [
    `  names: ${match} ${match === 1 ? 'matches' : 'match'}, ${close} close, ${mismatch} ${mismatch === 1 ? 'does' : 'do'} not match, ${unchecked} could not be checked, ${noAccount} without an account`,
    ...lines,
    ...more,
    ...(unanswered > 0
      ? [`  ${counted(unanswered, 'name')} got no answer now and will be asked again before anything is sent`]
      : []),
    ...heldSums.map(
      ({ currency, rows, amountMinor }) =>
        `  of this ${formatMoney(amountMinor, currency)} in ${counted(rows, 'payment')} will be held: names`,
    ),
  ];
}

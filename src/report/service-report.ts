import { showMoney } from '../domain/show-money.ts';
import type { WalletFunds } from '../pipeline/funds.ts';
import type { NameView, ServiceView } from '../pipeline/inspect-service.ts';
import { counted } from './counted.ts';

/** What the service said about a plan. */
export function serviceReport({ funds, payees, names }: ServiceView): string {
  const people = `  ${counted(payees.known, 'payee')} stored there, ${payees.new} would be added`;
  return ['At the service:', ...funds.map(walletLine), people, ...(names ? nameLines(names) : [])].join('\n');
}

function walletLine({ wallet, currency, balanceMinor, neededMinor, estimated }: WalletFunds): string {
  const holds = balanceMinor === undefined ? 'is not there' : `holds ${showMoney(balanceMinor, currency)}`;
  const needed =
    neededMinor === undefined
      ? 'how much is needed is not known, for the service publishes no rate'
      : `needed ${estimated ? 'about ' : ''}${showMoney(neededMinor, currency)}`;
  return `  the ${wallet} wallet ${holds}, ${needed}`;
}

function nameLines({ counts, first }: NameView): string[] {
  const { match, close, mismatch, unchecked, 'no-account': noAccount } = counts;
  const held = close + mismatch + unchecked + noAccount;
  const lines = first.map(({ line, accountName, resolvedName, verdict, reason }) => {
    const said = resolvedName === '' ? '' : `, the service says ${resolvedName}`;
    return `    line ${line}: ${accountName}${said}: ${verdict}, ${reason}`;
  });
  const more = held > first.length ? [`    and ${held - first.length} more`] : [];
  return [
    `  names: ${match} match, ${close} close, ${mismatch} do not match, ${unchecked} could not be checked, ${noAccount} without an account`,
    ...lines,
    ...more,
  ];
}

import { type Country, type Currency, currencies, findCountry } from '../reference-data/countries.ts';
import type { Row } from '../row.ts';
import { readableText } from '../text/readable-text.ts';
import { countryFrom, unknownCountryMessage } from './parse-country.ts';
import { currenciesFrom, unknownCurrencyMessage } from './parse-currency.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/** Undefined stands for what the service does by itself, so that one wallet is written in one way only. */
export type Debit = Pick<Row, 'debitCurrency' | 'debitCountry'>;

export function parseDebit(
  currencyCell: Cell,
  countryCell: Cell,
  paidIn: Country | undefined,
  paid: Currency | undefined,
  findings: RowFindings,
): Debit | undefined {
  if (currencyCell.text === '' && countryCell.text === '') return byItself;
  const country = countryFrom(countryCell.text);
  if (countryCell.text !== '' && !country) {
    findings.problem('debit-country-unknown', countryCell, unknownCountryMessage(countryCell.text));
  }
  const wallet = currencyCell.text === '' ? paid : parseDebitCurrency(currencyCell, country, findings);
  if (!wallet || !paid || !paidIn) return undefined;
  const { walletCountries } = wallet;
  if (country && !walletCountries.includes(country.iso2)) {
    return findings.problem(
      'debit-country-wrong',
      countryCell,
      `There is no ${wallet.code} wallet in ${country.name}. Use ${walletNames(wallet)}${walletCountries.length > 1 ? '' : ', or leave debitCountry empty'}.`,
    );
  }
  const differs = wallet.code !== paid.code;
  const several = walletCountries.length > 1;
  if (differs && several && countryCell.text === '' && !countryCell.spoilt) {
    return findings.problem(
      'debit-country-missing',
      countryCell,
      `${wallet.code} wallets exist in several countries. Fill in debitCountry with ${walletNames(wallet)} to say which one pays.`,
    );
  }
  const isChoice = several && (differs || country?.iso2 !== paidIn.iso2);
  return {
    debitCurrency: differs ? wallet.code : undefined,
    debitCountry: isChoice ? country?.iso2 : undefined,
  };
}

const byItself: Debit = { debitCurrency: undefined, debitCountry: undefined };

function parseDebitCurrency(
  cell: Cell,
  country: Country | undefined,
  findings: RowFindings,
): Currency | undefined {
  const meant = currenciesFrom(cell.text);
  const fitting =
    meant.length > 1 && country ? meant.filter((each) => each.walletCountries.includes(country.iso2)) : meant;
  const [only] = fitting;
  if (only && fitting.length === 1) return only;
  return findings.problem(
    'debit-currency-unknown',
    cell,
    meant.length > 1 ? unknownCurrencyMessage(cell.text, meant, undefined) : unknownWalletMessage(cell.text),
  );
}

function unknownWalletMessage(text: string): string {
  const codes = currencies.map(({ code }) => code).join(', ');
  const shared = currencies.filter(({ walletCountries }) => walletCountries.length > 1);
  return `The debitCurrency ${readableText(text)} is not one that payrun knows. It names the wallet that the payment is taken from. Leave it empty to take it from the wallet of the row's own currency, or write one of ${codes}; ${shared.map(({ code }) => code).join(' and ')} also need debitCountry.`;
}

function walletNames(wallet: Currency): string {
  return wallet.walletCountries.map((iso2) => `${iso2} (${findCountry(iso2)?.name ?? iso2})`).join(' or ');
}

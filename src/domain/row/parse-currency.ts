import {
  type Country,
  type Currency,
  currencies,
  findCurrency,
  isPayable,
} from '../reference-data/countries.ts';
import { readableText } from '../text/readable-text.ts';
import { currenciesOfMark } from './currency-marks.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

export function parseCurrency(
  cell: Cell,
  country: Country | undefined,
  findings: RowFindings,
): Currency | undefined {
  if (cell.spoilt) return undefined;
  if (cell.text === '') {
    return findings.problem(
      'currency-missing',
      cell,
      cell.absent
        ? 'There is no currency column. Add one, or say --default currency=KES if all rows are of one currency.'
        : `This row has no currency. Fill in ${country ? payableIn(country) : 'a three-letter code such as KES'}.`,
    );
  }
  const meant = currenciesFrom(cell.text);
  const [only] =
    meant.length > 1 && country ? meant.filter((each) => isPayable(each.code, country.iso2)) : meant;
  if (!only || (meant.length > 1 && !country)) {
    return findings.problem('currency-unknown', cell, unknownCurrencyMessage(cell.text, meant, country));
  }
  if (country && !isPayable(only.code, country.iso2)) {
    return findings.problem(
      'currency-not-payable',
      cell,
      `The currency ${only.code} cannot be paid in ${country.name}: use ${payableIn(country)}, or correct the country.`,
    );
  }
  return only;
}

/** All currencies that a cell may stand for: one for a code, perhaps several for a sign. */
export function currenciesFrom(text: string): readonly Currency[] {
  const exact = findCurrency(text.toUpperCase());
  if (exact) return [exact];
  return currenciesOfMark(text).flatMap((code) => findCurrency(code) ?? []);
}

export function unknownCurrencyMessage(
  text: string,
  meant: readonly Currency[],
  country: Country | undefined,
): string {
  const shown = readableText(text);
  if (meant.length > 1) {
    return `The currency ${shown} could be ${meant.map((each) => each.code).join(' or ')}. Write the three-letter code.`;
  }
  const wanted = country ? `${country.name} is paid in ${payableIn(country)}` : `It knows ${allCodes}`;
  return `The currency ${shown} is not one that payrun knows. ${wanted}.`;
}

const allCodes = currencies.map((currency) => currency.code).join(', ');

function payableIn(country: Country): string {
  return currencies
    .filter((currency) => isPayable(currency.code, country.iso2))
    .map((currency) => currency.code)
    .join(' or ');
}

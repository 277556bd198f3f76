import { canonicalBankCode, codeByNumber } from '../payee/canonical-bank-code.ts';
import { banksIn, findBank } from '../reference-data/banks.ts';
import type { Country } from '../reference-data/countries.ts';
import { foldText } from '../text/fold-text.ts';
import { readableText } from '../text/readable-text.ts';
import { bankByName, containedBank, nearestBank } from './bank-names.ts';
import { routingNumberFits } from './check-digits.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

/** Bank names of the user's own, and their codes: config `banks`. */
export type ConfiguredBanks = Readonly<Record<string, string>>;

/** The bank's code: a code, or a name that the configuration or our table leads to one. */
export function parseBankCode(
  cell: Cell,
  country: Country,
  configured: ConfiguredBanks,
  findings: RowFindings,
): string | undefined {
  if (cell.spoilt) return undefined;
  if (cell.text === '') {
    return findings.problem(
      'bank-code-missing',
      cell,
      `A payment to a bank account needs the bank. Fill in bankCode with the bank's code or name${examplesIn(country)}.`,
    );
  }
  const ofUser = configuredCode(cell.text, configured);
  if (ofUser !== undefined) return ofUser;
  const code = cell.text.toUpperCase().replace(/[ -]/g, '');
  const bank = findBank(country.iso2, code) ?? bankByName(country.iso2, cell.text);
  if (bank) return bank.code;
  const padded = withLostZeros(code, country);
  if (padded !== undefined) {
    const message = `Bank code ${code} has lost its leading zeros: read as ${padded}.`;
    findings.repair('bank-code-leading-zero', cell, cell.text, padded, message);
    return padded;
  }
  if (codeShape.test(code) || isSwiftOf(country, code)) return unlistedCode(cell, code, country, findings);
  return unknownName(cell, country, findings);
}

/** Folding the configuration for every row would cost more than reading the row. */
const foldedConfigurations = new WeakMap<ConfiguredBanks, ReadonlyMap<string, string>>();

function configuredCode(text: string, configured: ConfiguredBanks): string | undefined {
  let folded = foldedConfigurations.get(configured);
  if (!folded) {
    folded = new Map(Object.entries(configured).map(([name, code]) => [foldText(name), code]));
    foldedConfigurations.set(configured, folded);
  }
  return folded.size === 0 ? undefined : folded.get(foldText(text));
}

/** A code that one bank has once its leading zeros are back; of US banks, many and unlisted, the check digit tells. */
function withLostZeros(code: string, country: Country): string | undefined {
  if (!/^[1-9]\d*$/.test(code)) return undefined;
  const meant = codeByNumber(country.iso2, code);
  if (meant !== undefined) return meant;
  return country.iso2 === 'US' && code.length === 8 && routingNumberFits(`0${code}`) ? `0${code}` : undefined;
}

const codeShape = /^[A-Z]{0,5}\d[A-Z0-9]{0,14}$/;

/** The fifth and sixth letter name the country: that keeps Barclays from passing for a code. */
function isSwiftOf(country: Country, code: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(code) && code.slice(4, 6) === country.iso2;
}

function unlistedCode(cell: Cell, code: string, country: Country, findings: RowFindings): string {
  const meant = findBank(country.iso2, canonicalBankCode(country.iso2, code));
  if (meant) {
    findings.problem(
      'bank-code-unknown',
      cell,
      `Bank code ${code} is another way to write ${meant.code}, ${meant.name}: both are one payee. The service is given ${code}; write ${meant.code} if that is what it takes.`,
    );
  } else if (country.iso2 !== 'US') {
    findings.problem(
      'bank-code-unknown',
      cell,
      `Bank code ${code} is not among the banks of ${country.name} that payrun knows. The list is not complete: check the code${examplesIn(country)}.`,
    );
  } else if (!routingNumberFits(code)) {
    findings.problem(
      'routing-number-check-digit',
      cell,
      `Bank code ${code} is not a valid US routing number: it must have 9 digits, and its check digit must fit. Check it.`,
    );
  }
  return code;
}

function unknownName(cell: Cell, country: Country, findings: RowFindings): undefined {
  const shown = readableText(cell.text);
  if (!/\p{L}/u.test(cell.text)) {
    return findings.problem(
      'bank-code-unreadable',
      cell,
      `The bank ${shown} is neither a code nor a name. Fill in the bank's code${examplesIn(country)}.`,
    );
  }
  const nearest = containedBank(country.iso2, cell.text) ?? nearestBank(country.iso2, cell.text);
  const question = nearest ? ` Did you mean ${nearest.name} (${nearest.code})?` : '';
  return findings.problem(
    'bank-name-unknown',
    cell,
    `The bank ${shown} is not one that payrun knows in ${country.name}.${question} Write the bank's name or code as here: ${listOf(country)}. For another bank write its code; ask the bank for it. For a name that comes back every month, give it a code under "banks" in payrun.config.json.`,
  );
}

function examplesIn(country: Country): string {
  const some = banksIn(country.iso2).slice(0, 3);
  return some.length === 0
    ? ''
    : ` (such as ${some.map((bank) => `${bank.code} for ${bank.name}`).join(', ')})`;
}

/** As many as a message can carry. */
function listOf(country: Country): string {
  const all = banksIn(country.iso2).map(({ code, name }) => `${code} ${name}`);
  return all.length > banksListed ? `${all.slice(0, banksListed).join(', ')} …` : all.join(', ');
}

const banksListed = 9;

import type { Country } from '../reference-data/countries.ts';
import { operatorFrom } from '../reference-data/operator-words.ts';
import type { Payee, RawRow } from '../row.ts';
import { parseAccountNumber } from './parse-account-number.ts';
import { type ConfiguredBanks, parseBankCode } from './parse-bank-code.ts';
import { parseBranchCode } from './parse-branch-code.ts';
import { noMobileMoney, parseDestination } from './parse-destination.ts';
import { parseOperator } from './parse-operator.ts';
import { parsePhone } from './parse-phone.ts';
import { type Cell, readCell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';
import { mendCell } from './spreadsheet-damage.ts';

/** Where the money goes. Only the cells of the kind that is paid are judged: a contact number may be anything. */
export function parsePayee(
  raw: RawRow,
  country: Country | undefined,
  configured: ConfiguredBanks,
  findings: RowFindings,
): Payee | undefined {
  const destinationCell = mendCell(readCell(raw, 'destination'), findings);
  const phoneNumber = readCell(raw, 'phoneNumber');
  const accountNumber = readCell(raw, 'accountNumber');
  const destination = parseDestination(destinationCell, phoneNumber, accountNumber, country, findings);
  if (!country) return undefined;
  if (destination === 'MoMo') return parseMobilePayee(raw, destinationCell, phoneNumber, country, findings);
  if (destination === 'Bank Account')
    return parseBankPayee(raw, accountNumber, country, configured, findings);
  return undefined;
}

function parseMobilePayee(
  raw: RawRow,
  destinationCell: Cell,
  numberCell: Cell,
  country: Country,
  findings: RowFindings,
): Payee | undefined {
  if (country.operators.length === 0) {
    return findings.problem('momo-not-available', numberCell, noMobileMoney(country, destinationCell));
  }
  const cell = mendCell(numberCell, findings);
  const phoneNumber = parsePhone(cell, country, findings);
  // Not mended: an operator never keeps a row from being paid, so damage to it must not either.
  const operatorCell = readCell(raw, 'operator');
  const operator =
    operatorCell.text === ''
      ? operatorFrom(destinationCell.text, country)
      : parseOperator(operatorCell, country, findings);
  const branchCode = parseBranchCode(mendCell(readCell(raw, 'branchCode'), findings), country, findings);
  if (phoneNumber === undefined) return undefined;
  return { destination: 'MoMo', country: country.iso2, phoneNumber, operator, branchCode };
}

function parseBankPayee(
  raw: RawRow,
  numberCell: Cell,
  country: Country,
  configured: ConfiguredBanks,
  findings: RowFindings,
): Payee | undefined {
  const bankCode = parseBankCode(
    mendCell(readCell(raw, 'bankCode'), findings),
    country,
    configured,
    findings,
  );
  const accountNumber = parseAccountNumber(mendCell(numberCell, findings), country, bankCode, findings);
  const branchCode = parseBranchCode(mendCell(readCell(raw, 'branchCode'), findings), country, findings);
  if (bankCode === undefined || accountNumber === undefined) return undefined;
  return { destination: 'Bank Account', country: country.iso2, bankCode, accountNumber, branchCode };
}

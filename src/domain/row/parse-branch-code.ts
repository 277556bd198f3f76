import type { Country } from '../reference-data/countries.ts';
import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

export function parseBranchCode(cell: Cell, country: Country, findings: RowFindings): string | undefined {
  if (cell.spoilt) return undefined;
  const { text } = cell;
  if (text === '') {
    if (!country.branchCodeNeeded) return undefined;
    return findings.problem(
      'branch-code-missing',
      cell,
      `In ${country.name} every payment needs a branch code, to mobile money too. Fill in branchCode, such as 0001: ask the payee's bank for it, or, for mobile money, your payment service.`,
    );
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9 /-]{0,19}$/.test(text)) {
    return findings.problem(
      'branch-code-unreadable',
      cell,
      `The branch code ${readableText(text)} cannot be one. Write its letters and digits, at most 20.`,
    );
  }
  if (country.iso2 === 'ZA' && !/^\d{6}$/.test(text)) {
    findings.problem(
      'branch-code-odd-length',
      cell,
      `Branch codes in South Africa have 6 digits; ${text} has not. Check it: perhaps a leading zero is missing.`,
    );
  }
  return text;
}

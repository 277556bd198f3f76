import { type Bank, banks, banksIn } from '../reference-data/banks.ts';

/**
 * The code by which a bank is known, whichever way it is written: with zeros lost or added in front, or with a branch
 * behind it (68, 068 and 68000 are Equity Bank in Kenya). Only where our list says that it is one bank: all other codes
 * stand for themselves. For identity alone; what goes to the service is the code that the row gives.
 */
export function canonicalBankCode(country: string, code: string): string {
  const listed = banksIn(country);
  if (!digits.test(code) || listed.some((bank) => bank.code === code)) return code;
  const number = withoutZeros(code);
  return codeByNumber(country, number) ?? only(listed.filter((bank) => isWithBranch(bank, number))) ?? code;
}

/** The code of the one bank that has this number, with any zeros in front of it. */
export function codeByNumber(country: string, number: string): string | undefined {
  return only(
    banksIn(country).filter((bank) => digits.test(bank.code) && withoutZeros(bank.code) === number),
  );
}

/** Another list may make other payees of the same codes: a journal that was written under another is brought up to date. */
export const bankListText: string = JSON.stringify(
  banks.map(({ country, code, branches }) => [country, code, ...branches.map((branch) => branch.code)]),
);

const digits = /^\d{1,20}$/;

export function withoutZeros(code: string): string {
  return code.replace(/^0+(?=\d)/, '');
}

/** What could be two banks is neither. */
function only(found: readonly Bank[]): string | undefined {
  return found.length === 1 ? found[0]?.code : undefined;
}

/** Not every branch is listed, but how long their codes are: whatever has that length behind the bank's code is one. */
function isWithBranch({ code, branches }: Bank, number: string): boolean {
  return branches.some((branch) => {
    const hasBank = branch.code.startsWith(code);
    const width = hasBank ? branch.code.length : code.length + branch.code.length;
    return width > code.length && number.length <= width && number.padStart(width, '0').startsWith(code);
  });
}

import { type Bank, banks } from './reference-data/banks.ts';

/**
 * The code by which a bank is known, whichever way it is written: with zeros lost or added in front, or with one of its
 * branches behind it (68, 068 and 68000 are Equity Bank in Kenya). Only where our list says that it is one bank: all
 * other codes stand for themselves. For identity alone; what goes to the service is the code that the row gives.
 */
export function canonicalBankCode(country: string, code: string): string {
  const listed = spellings.get(country);
  return listed?.get(code) ?? listed?.get(withoutZeros(code)) ?? code;
}

/** Another list may make other payees of the same codes: a journal that was written under another is brought up to date. */
export const bankListText: string = JSON.stringify(
  banks.map(({ country, code, branches }) => [country, code, ...branches.map((branch) => branch.code)]),
);

/** What digits mean once leading zeros do not count; other text only as it stands. */
function withoutZeros(code: string): string {
  return digits.test(code) ? `number ${code.replace(/^0+/, '')}` : code;
}

const digits = /^\d{1,20}$/;
const spellings = new Map<string, ReadonlyMap<string, string>>();
for (const country of new Set(banks.map((bank) => bank.country))) {
  spellings.set(country, spellingsOf(banks.filter((bank) => bank.country === country)));
}

/** A whole code goes before one with a branch behind it; what could be two banks is neither. */
function spellingsOf(listed: readonly Bank[]): ReadonlyMap<string, string> {
  const exact = new Map(listed.map(({ code }) => [code, code]));
  const whole = unambiguous(listed.map(({ code }) => [withoutZeros(code), code]));
  const withBranch = unambiguous(listed.flatMap(withBranches));
  return new Map([...withBranch, ...whole, ...exact]);
}

/** Some lists write a branch with its bank's code in front, some without. */
function withBranches({ code, branches }: Bank): (readonly [string, string])[] {
  return branches
    .map((branch) => (branch.code.startsWith(code) ? branch.code : code + branch.code))
    .map((spelt) => [withoutZeros(spelt), code]);
}

function unambiguous(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  const found = new Map<string, string>();
  const shared = new Set<string>();
  for (const [spelt, code] of pairs) {
    if ((found.get(spelt) ?? code) !== code) shared.add(spelt);
    found.set(spelt, code);
  }
  for (const spelt of shared) found.delete(spelt);
  return found;
}

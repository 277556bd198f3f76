import { fixMojibake } from '../text/fix-mojibake.ts';
import { readableText } from '../text/readable-text.ts';
import type { Cell } from './read-cell.ts';
import type { RowFindings } from './row-findings.ts';

const longestName = 200;

type NameField = 'accountName' | 'firstName' | 'lastName';

/** The whole name where the row has one, else first and last name joined. Cells that do not count are not read. */
export function parseName(read: (field: NameField) => Cell, findings: RowFindings): string | undefined {
  const accountName = read('accountName');
  if (accountName.text !== '') return judged(accountName, [], findings);
  const firstName = read('firstName');
  const lastName = read('lastName');
  if (accountName.spoilt || firstName.spoilt || lastName.spoilt) return undefined;
  if (firstName.text !== '' && lastName.text !== '') return judged(firstName, [lastName], findings);
  const [only, empty] = firstName.text === '' ? [lastName, firstName] : [firstName, lastName];
  if (only.text === '') return sayMissing(accountName, firstName, lastName, findings);
  findings.problem(
    'name-incomplete',
    empty,
    `Only ${readableText(only.text)} is given as the name. It is compared with the name on the account: fill in both first and last name.`,
  );
  return judged(only, [], findings);
}

function judged(cell: Cell, others: readonly Cell[], findings: RowFindings): string | undefined {
  for (const each of [cell, ...others]) warnOfLooks(each, findings);
  const name = [cell, ...others].map((each) => each.text).join(' ');
  if (!plainLetter.test(name) && !letter.test(name)) {
    return findings.problem(
      'name-without-letters',
      cell,
      `The name ${readableText(name)} has no letters. Put the account holder's name there; perhaps two columns are mixed up.`,
    );
  }
  if (name.length > longestName) {
    return findings.problem(
      'name-too-long',
      cell,
      `The name has ${name.length} characters; at most ${longestName} are allowed. Shorten it.`,
    );
  }
  if (idLike.test(name)) {
    findings.problem(
      'name-looks-like-id',
      cell,
      `The name ${readableText(name)} looks like an id and not like a name. The name is compared with the one on the account: put the account holder's name there.`,
    );
  }
  return name;
}

/** A name that does not hold what it shows may be meant to pass for another: a person should look. */
function warnOfLooks(cell: Cell, findings: RowFindings): void {
  if (!cell.hidden && plain.test(cell.text)) return;
  const name = readableText(cell.text);
  if (cell.hidden) {
    findings.problem(
      'name-hidden-characters',
      cell,
      `The name held invisible characters and is read as ${name}. Check that this is the right person.`,
    );
  }
  if (garbled.test(cell.text)) {
    findings.problem('name-garbled', cell, garbledMessage(name, fixMojibake(cell.text)));
  }
  if (latin.test(cell.text) && lookalike.test(cell.text)) {
    findings.problem(
      'name-mixed-scripts',
      cell,
      `The name ${name} mixes Latin letters with Greek or Cyrillic ones that look alike. Type the name again.`,
    );
  }
}

function garbledMessage(shown: string, meant: string | undefined): string {
  const guess = meant === undefined ? 'letters are lost' : `probably ${readableText(meant)}`;
  return `The name ${shown} is garbled (${guess}). Type the name again, as it stands on the account.`;
}

/** Nearly every name has one, and needs no table of the letters of all the world. */
const plainLetter = /[A-Za-z]/;
const letter = /\p{L}/u;
/** One word with digits in it. */
const idLike = /^(?=\D*\d)\S*$/;
const plain = /^[\x20-\x7e]*$/;
/** The replacement character, and what UTF-8 read as Windows-1252 looks like: Ã© for é, â€™ for ’. */
const garbled = /\ufffd|[ÃÂ][\u0080-\u00bf\u0152-\u017e\u2013-\u2122]|â€/u;
const latin = /\p{Script=Latin}/u;
const lookalike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

function sayMissing(accountName: Cell, firstName: Cell, lastName: Cell, findings: RowFindings): undefined {
  if (accountName.absent && firstName.absent && lastName.absent) {
    return findings.problem(
      'name-missing',
      accountName,
      'There is no column with names. Add accountName with the name of the account holder, or firstName and lastName.',
    );
  }
  return findings.problem(
    'name-missing',
    accountName.absent ? firstName : accountName,
    'This row has no name. Fill in the name of the account holder as the bank or operator knows it.',
  );
}

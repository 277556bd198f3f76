import type { PaymentKey } from '../../domain/reference.ts';
import type { JournalDatabase } from '../journal-database.ts';

/** The headers of the file for the fields that problems between rows speak of. */
export interface ColumnNames {
  readonly paymentId: string;
  readonly accountName: string;
  readonly amount: string;
  readonly phoneNumber: string;
  readonly accountNumber: string;
}

/** What is to be said of a group of rows; `others` names the lines of some of the other rows. */
interface Finding {
  readonly code: string;
  /** In SQL, as all that follows: the header, the rows meant, the text and the value. */
  readonly column: string;
  readonly rows: string;
  readonly message: string;
  readonly value: string;
  /** What the rows of a group have in common. */
  readonly shared: string;
}

const linesNamed = 5;
const numberColumn = `CASE destination WHEN 'MoMo' THEN @phoneNumber ELSE @accountNumber END`;
const kindOfNumber = `CASE destination WHEN 'MoMo' THEN 'phone number' ELSE 'account number' END`;

/**
 * Judges the rows of a draft beside each other. All in SQL, and every look for other lines stops after a few: a file
 * of nothing but one number must not take for ever.
 */
export function addCrossRowProblems(
  db: JournalDatabase,
  keyKind: PaymentKey['kind'],
  allowShared: number,
  columns: ColumnNames,
): void {
  const say = ({ code, column, rows, message, value, shared }: Finding, blocking: boolean) =>
    db
      .prepare(
        `INSERT INTO draft.problems (line, column_name, code, message, value, blocking, shared)
         SELECT line, ${column}, @code, ${message}, ${value}, ${blocking ? 1 : 0}, ${shared} FROM draft.rows AS rows
         WHERE ${rows} ORDER BY position`,
      )
      .run({ ...columns, code });
  const invalid: string[] = [];
  /** All rows of such a group are invalid, never all but one: which one is right is not ours to say. */
  const refuse = (finding: Finding) => {
    say(finding, true);
    invalid.push(finding.rows);
  };

  db.exec(crowds);
  refuse(keyKind === 'paymentId' ? duplicateIds : duplicatePayees);
  refuse(sharedNumbers(allowShared));
  refuse(placeholders(allowShared));
  // Only now: each of the three is to name all of its rows, those of the others among them.
  for (const rows of invalid) {
    db.prepare(`UPDATE draft.rows SET valid = 0, to_send = 0 WHERE ${rows}`).run();
  }
  if (keyKind === 'paymentId') {
    db.exec(repeatedPayees);
    say(sameAmounts, false);
    db.exec('DROP TABLE draft.repeated');
  }
  say(twoNames, false);
  say(twoAccounts, false);
  db.exec('DROP TABLE draft.crowds');
}

/** The payees that stand on more than one row: few in most files, so that all that follows has little to look through. */
const crowds = `
  CREATE TABLE draft.crowds (payee TEXT PRIMARY KEY, names INTEGER NOT NULL, times INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO draft.crowds SELECT payee, count(DISTINCT folded_name), count(*) FROM draft.rows
    WHERE payee IS NOT NULL GROUP BY payee HAVING count(*) > 1;
`;
const crowdOf = (what: 'names' | 'times') =>
  `(SELECT ${what} FROM draft.crowds WHERE crowds.payee = rows.payee)`;

/** A line that is invalid for another reason counts too: mended later, it would be the second payment of that id. */
const duplicateIds: Finding = {
  code: 'duplicate-payment-id',
  column: '@paymentId',
  rows: 'key IN (SELECT key FROM draft.rows WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1)',
  message: `'The id ' || key || ' is also on ' || ${linesOf('other.key = rows.key')} || '. Each payment needs an id of its own: correct the id, or delete the line that is there twice.'`,
  value: 'key',
  shared: 'key',
};

const duplicatePayees: Finding = {
  code: 'duplicate-payee',
  column: numberColumn,
  rows: 'key IN (SELECT key FROM draft.rows WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1)',
  message: `'The same ' || ${kindOfNumber} || ' is also on ' || ${linesOf('other.key = rows.key')} || '. If they are two payments, add a paymentId column with an id of its own for each; if it is one, delete one of the lines.'`,
  // A line that cannot be paid may have a key and no number: our own files name the payment beside it.
  value: 'coalesce(number, key)',
  shared: 'key',
};

function sharedNumbers(allowShared: number): Finding {
  const names = crowdOf('names');
  return {
    code: 'shared-account',
    column: numberColumn,
    rows: `payee IN (SELECT payee FROM draft.crowds WHERE names > ${Math.max(2, allowShared)})`,
    message: `'The same ' || ${kindOfNumber} || ' stands under ' || ${names} || ' names (see also ' || ${linesOfOther('payee', 'folded_name')} || '). One number for several people is usually a copying mistake: correct it. If it is meant, run again with --allow-shared ' || ${names} || '; that goes for every number in the file.'`,
    value: 'number',
    shared: 'payee',
  };
}

function placeholders(allowShared: number): Finding {
  const times = crowdOf('times');
  return {
    code: 'placeholder-number',
    column: numberColumn,
    rows: `payee IN (SELECT payee FROM draft.crowds WHERE times > ${Math.max(1, allowShared)}) AND number LIKE '%00000'`,
    message: `'This ' || ${kindOfNumber} || ' ends in five zeros and stands on ' || ${times} || ' lines (also on ' || ${linesOf('other.payee = rows.payee')} || '), as a placeholder does, or a number that a spreadsheet rounded. Put in the real number. If it is real, run again with --allow-shared ' || ${times} || '; that goes for every number in the file.'`,
    value: 'number',
    shared: 'payee',
  };
}

const repeatedPayees = `
  CREATE TABLE draft.repeated AS SELECT position, line, payee, currency, amount, account_name, folded_name FROM draft.rows
    WHERE valid = 1 AND payee IN (SELECT payee FROM draft.crowds);
  CREATE INDEX draft.repeated_by_amount ON repeated (payee, currency, amount, folded_name);
`;

const sameAmount =
  'other.payee = rows.payee AND other.currency = rows.currency AND other.amount = rows.amount';

/** Two people with one account and one amount are another matter than a payment listed twice. */
function sameAmountOtherName(column: string, limit: number): string {
  const side = (sign: string) =>
    `SELECT * FROM (SELECT ${column} FROM draft.repeated AS other WHERE ${sameAmount}
       AND other.folded_name ${sign} rows.folded_name LIMIT ${limit})`;
  return `${side('<')} UNION ALL ${side('>')}`;
}

const sameAmounts: Finding = {
  code: 'same-payee-amount',
  column: '@amount',
  rows: `position IN (SELECT position FROM draft.repeated WHERE (payee, currency, amount) IN (
    SELECT payee, currency, amount FROM draft.repeated GROUP BY 1, 2, 3 HAVING count(*) > 1))`,
  message: `coalesce('The same account gets the same amount on ' || ${showLines(sameAmountOtherName('line', linesNamed + 1))}
    || ', under another name (' || (${sameAmountOtherName('account_name', 1)} LIMIT 1) || '). Check whose account it is.',
    'The same payee gets the same amount on ' || ${linesOf(sameAmount, 'draft.repeated')}
    || ' under another paymentId. If it is one payment, delete one of the lines.')`,
  value: 'key',
  shared: 'payee',
};

const twoNames: Finding = {
  code: 'account-two-names',
  column: '@accountName',
  rows: 'valid = 1 AND payee IN (SELECT payee FROM draft.crowds WHERE names > 1)',
  message: `'The same number stands under another name on ' || ${linesOfOther('payee', 'folded_name')} || '. Check whose it is.'`,
  value: 'account_name',
  shared: 'payee',
};

const twoAccounts: Finding = {
  code: 'name-two-accounts',
  column: '@accountName',
  rows: `valid = 1 AND folded_name IN (SELECT folded_name FROM draft.rows WHERE folded_name IS NOT NULL
    GROUP BY folded_name HAVING min(payee) <> max(payee))`,
  message: `'The same name stands with another number on ' || ${linesOfOther('folded_name', 'payee')} || '. If it is one person, check which number is right.'`,
  value: 'account_name',
  shared: 'folded_name',
};

/** The lines of a few other rows of the same group, as `line 4` or `lines 4, 9 …`. */
function linesOf(same: string, table = 'draft.rows'): string {
  return showLines(
    `SELECT line FROM ${table} AS other WHERE ${same} AND other.position <> rows.position LIMIT ${linesNamed + 1}`,
  );
}

/** The lines of rows that are the same in one column and differ in the other: two ranges of the index on both. */
function linesOfOther(same: string, differs: string): string {
  const side = (sign: string) =>
    `SELECT * FROM (SELECT line FROM draft.rows AS other WHERE other.${same} = rows.${same}
       AND other.${differs} ${sign} rows.${differs} LIMIT ${linesNamed + 1})`;
  return showLines(`${side('<')} UNION ALL ${side('>')}`);
}

/** Materialised, or the limit would move to the end and all rows of a large group be sorted for each of them. */
function showLines(lines: string): string {
  return `(WITH few AS MATERIALIZED (${lines})
    SELECT iif(count(*) = 1, 'line ', 'lines ') || group_concat(line, ', ') FILTER (WHERE place <= ${linesNamed})
      || iif(count(*) > ${linesNamed}, ' …', '')
    FROM (SELECT line, row_number() OVER (ORDER BY line) AS place FROM few))`;
}

import { type ProblemKind, rowProblem, warning } from './problem-kind.ts';

/** What can be wrong with one row. The codes are stable: scripts search for them, and the docs list this table. */
export const rowProblems = {
  'cell-too-long': rowProblem('The cell holds more text than any value of its kind can have.'),
  'control-characters': rowProblem('The cell holds control characters that no spreadsheet shows.'),
  'spreadsheet-error': rowProblem('The cell holds an error of the spreadsheet instead of a value.'),
  formula: rowProblem('The cell holds a formula instead of its result.'),
  'scientific-notation': rowProblem('The spreadsheet shortened a long number, so that digits are lost.'),

  'payment-id-missing': rowProblem('The file has a paymentId column and this row has none.'),
  'payment-id-too-long': rowProblem('The paymentId has more than 200 characters.'),
  'payment-id-date': warning('The paymentId looks like a date that a spreadsheet made of it.'),

  'name-missing': rowProblem('The row has no name.'),
  'name-without-letters': rowProblem('The name has no letters.'),
  'name-too-long': rowProblem('The name has more than 200 characters.'),
  'name-incomplete': warning('Of first and last name only one is filled.'),
  'name-hidden-characters': warning('The name held invisible characters; it is used without them.'),
  'name-looks-like-id': warning('The name is one word with digits in it, as an id is.'),
  'name-garbled': warning('The name shows signs of a wrong text encoding.'),
  'name-mixed-scripts': warning('The name mixes letters of two alphabets that look alike.'),

  'country-missing': rowProblem('The row has no country.'),
  'country-unknown': rowProblem('The country is not one that payrun can pay to.'),

  'currency-missing': rowProblem('The row has no currency.'),
  'currency-unknown': rowProblem(
    'The currency is not one that payrun can pay, or the sign could mean several.',
  ),
  'currency-not-payable': rowProblem('The currency cannot be paid in that country.'),

  'amount-missing': rowProblem('The row has no amount.'),
  'amount-unreadable': rowProblem('The amount is not a number.'),
  'amount-grouping': rowProblem('The separators of the amount do not stand before groups of three digits.'),
  'amount-ambiguous': rowProblem('The amount could mean two numbers until --decimal says which.'),
  'amount-decimal-conflict': rowProblem('The amount contradicts --decimal.'),
  'amount-currency-conflict': rowProblem(
    'The amount, or the name of its column, carries the sign of another currency.',
  ),
  'amount-exponent': rowProblem('The amount is written with an exponent.'),
  'amount-negative': rowProblem('The amount is negative.'),
  'amount-zero': rowProblem('The amount is zero.'),
  'amount-decimals': rowProblem(
    'The amount has more decimals than its currency, or than the service takes of it.',
  ),
  'amount-too-large': rowProblem('The amount has more than 15 digits.'),

  'destination-missing': rowProblem('The row has neither a phone number nor an account number.'),
  'destination-unknown': rowProblem('The destination is neither mobile money nor a bank account.'),
  'destination-unclear': rowProblem('Both numbers are filled and no destination says which one to pay.'),
  'destination-conflict': rowProblem(
    'The destination says one kind and only the other kind of number is filled.',
  ),

  'momo-not-available': rowProblem('The country has no mobile money for payouts.'),
  'phone-missing': rowProblem('A mobile money row has no phone number.'),
  'phone-unreadable': rowProblem(
    'The phone number holds something else than digits and their usual separators.',
  ),
  'phone-several': rowProblem('The cell holds more than one phone number.'),
  'phone-too-short': rowProblem('The phone number has too few digits.'),
  'phone-too-long': rowProblem('The phone number has too many digits.'),
  'phone-not-mobile': rowProblem('The phone number is not a mobile number of the country.'),
  'phone-other-country': rowProblem('The phone number belongs to another country than the row.'),
  'operator-unknown': warning('The operator is not known in the country; the number alone decides.'),

  'account-number-missing': rowProblem('A bank row has no account number.'),
  'account-number-unreadable': rowProblem('The account number holds something else than letters and digits.'),
  'account-number-length': rowProblem('The account number has fewer than 4 or more than 34 characters.'),
  'account-number-date': rowProblem('The account number looks like a date that a spreadsheet made of it.'),
  'account-number-odd-length': warning('The account number has an unusual length for the country.'),
  'account-number-rounded': warning(
    'All digits after the fifteenth are zeros, as after rounding by a spreadsheet.',
  ),
  'nuban-length': rowProblem('A Nigerian account number must have exactly 10 digits.'),
  'nuban-check-digit': warning('The check digit of the Nigerian account number does not fit the bank.'),

  'bank-code-missing': rowProblem('A bank row has no bank.'),
  'bank-code-unreadable': rowProblem('The bank code is neither a code nor a name.'),
  'bank-name-unknown': rowProblem('The bank is given by a name that is not known in the country.'),
  'bank-code-unknown': warning('The bank code is not in the table of payrun, which is not complete.'),
  'routing-number-check-digit': warning('The check digit of the US routing number is wrong.'),

  'branch-code-missing': rowProblem('The country needs a branch code, for mobile money too.'),
  'branch-code-unreadable': rowProblem('The branch code holds something else than letters and digits.'),
  'branch-code-odd-length': warning('The branch code has an unusual length for the country.'),

  'debit-currency-unknown': rowProblem('The debit currency is not known, or the sign could mean several.'),
  'debit-country-missing': rowProblem('The debited wallet exists in several countries and none is named.'),
  'debit-country-unknown': rowProblem('The debit country is not known.'),
  'debit-country-wrong': rowProblem('There is no wallet of that currency in the debit country.'),

  'narration-too-long': warning(
    'The narration has more than 140 characters; a change behind them is not noticed.',
  ),
  'narration-unreadable': warning('The narration cannot be read.'),
} as const satisfies Record<string, ProblemKind>;

export type RowProblemCode = keyof typeof rowProblems;

/** Damage with a single possible answer, mended and said. */
export const rowRepairs = {
  'hidden-characters': 'Invisible characters were taken out.',
  'text-mark':
    'A formula, apostrophe or quotation marks that only mark text (="0712…", \'0712…, "0712…") were taken off.',
  'trailing-zero': 'A trailing .0 that a spreadsheet adds to numbers was cut.',
  'digit-grouping': 'Thousands separators were taken out of a number that is not an amount.',
  'phone-leading-zero': 'The leading zero that a spreadsheet drops was put back.',
  'phone-extra-zero': 'A leading zero that numbers of the country do not have was taken off.',
  'account-leading-zero': 'The leading zero of a Nigerian account number was put back: its check digit fits.',
  'bank-code-leading-zero': 'The leading zeros of a bank code were put back: one bank has that code.',
} as const satisfies Record<string, string>;

export type RowRepairCode = keyof typeof rowRepairs;

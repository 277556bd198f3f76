import { formatMoney } from '../../domain/money/format-money.ts';
import { maskDifferingNumbers } from '../../domain/payee/mask-differing-numbers.ts';
import type { Problem } from '../../domain/problems/problem.ts';
import { batchProblem } from '../../domain/problems/problem-kinds.ts';
import { shellWord } from '../../domain/text/shell-word.ts';
import type { SettledRow } from '../../journal/draft/plan-queries.ts';

/** How a cancelled payment is brought back, with the flags that this command was given. */
export type RetryCommand = (batch: string, key: string) => string;

const plainRetry: RetryCommand = (batch, key) =>
  `payrun retry ${shellWord(batch)} --payment ${shellWord(key)}`;

/** What is said of a row whose payout is no longer free to change. */
export function lockedRowProblem(
  row: SettledRow,
  batch: string,
  retryCommand: RetryCommand = plainRetry,
): Problem {
  switch (row.fate) {
    case 'conflict':
      return conflictProblem(row);
    case 'renamed':
      return batchProblem('row-renamed', {
        line: row.line,
        column: 'accountName',
        message: `Payment ${row.key} was already sent, to ${row.sentName}. Its name, narration, operator, branch or way of writing the bank is another in the file now, which changes nothing: the money went to the same account.`,
        value: row.fileName,
      });
    case 'stays-cancelled':
      return batchProblem('row-cancelled', {
        line: row.line,
        column: 'paymentId',
        message: `Payment ${row.key} (${row.sentName}) was cancelled earlier and stays cancelled. To pay it after all: ${retryCommand(batch, row.key)}`,
        value: row.key,
      });
  }
}

function conflictProblem(row: SettledRow): Problem {
  const certain = row.state === 'paid' || row.state === 'submitted';
  const said = `Payment ${row.key} ${certain ? 'was already sent' : 'may already have been sent'}`;
  const [sentPayee, filePayee] = showPayees(row.sentPayee, row.filePayee);
  const differsInWallet = row.sentWallet !== row.fileWallet;
  const sameMoney =
    row.sentMinor === row.fileMinor && row.sentCurrency === row.fileCurrency && !differsInWallet;
  const problem = { line: row.line, column: columnOf(row), value: row.key };
  // Nothing was left unpaid, so nobody must be told to pay a difference: that would be a second salary.
  if (sameMoney) {
    return batchProblem('row-conflict', {
      ...problem,
      message: `${said} to ${sentPayee}; the file now says ${filePayee}. What was sent cannot be changed. If the account was corrected in another file, such as the retry file, copy it from there; or leave the row out with --skip-invalid.`,
    });
  }
  const show = (currency: string, minor: bigint, payee: string, wallet: string) =>
    `${formatMoney(minor, currency)} to ${payee}${differsInWallet ? ` from the ${wallet} wallet` : ''}`;
  const sent = show(row.sentCurrency, row.sentMinor, sentPayee, row.sentWallet);
  const now = show(row.fileCurrency, row.fileMinor, filePayee, row.fileWallet);
  return batchProblem('row-conflict', {
    ...problem,
    message: `${said} as ${sent}; the file now says ${now}. What was sent cannot be changed: put the row back as it was, or pay the difference as a new payment with an id of its own.`,
  });
}

/** The first cell that a person would have to look at. */
function columnOf({ sentPayee, filePayee }: SettledRow): string {
  if (sentPayee === filePayee) return 'amount';
  const [sent, file] = [partsOf(sentPayee), partsOf(filePayee)];
  if (file.bank === '') return 'phoneNumber';
  return sent.number === file.number ? 'bankCode' : 'accountNumber';
}

/** `KE …5678`, or with its bank `KE 68 …9012`: enough to see what changed. */
function showPayees(one: string, other: string): [string, string] {
  const [oneParts, otherParts] = [partsOf(one), partsOf(other)];
  const [oneNumber, otherNumber] = maskDifferingNumbers(oneParts.number, otherParts.number);
  const show = ({ country, bank }: PayeeParts, number: string) =>
    [country, bank, number].filter((part) => part !== '').join(' ');
  return [show(oneParts, oneNumber), show(otherParts, otherNumber)];
}

type PayeeParts = Readonly<Record<'country' | 'bank' | 'number', string>>;

function partsOf(payee: string): PayeeParts {
  const [country = '', ...rest] = payee.split(':');
  return { country, bank: rest.slice(1, -1).join(':'), number: rest.at(-1) ?? '' };
}

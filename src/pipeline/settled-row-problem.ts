import type { Problem } from '../domain/problems/problem.ts';
import { batchProblem } from '../domain/problems/problem-kinds.ts';
import { maskNumber, showMoney } from '../domain/show-money.ts';
import { shellWord } from '../domain/text/shell-word.ts';
import type { SettledRow } from '../journal/plan-questions.ts';

/** What is said of a row whose payout is no longer free to change. */
export function settledRowProblem(row: SettledRow, batch: string): Problem {
  switch (row.fate) {
    case 'conflict':
      return conflictProblem(row);
    case 'renamed':
      return batchProblem('row-renamed', {
        line: row.line,
        column: 'accountName',
        message: `Payment ${row.key} was already sent, to ${row.sentName}. Its name, narration, operator or branch is another in the file now, which changes nothing: the money went to the same account.`,
        value: row.fileName,
      });
    case 'stays-cancelled':
      return batchProblem('row-cancelled', {
        line: row.line,
        column: 'paymentId',
        message: `Payment ${row.key} (${row.sentName}) was cancelled earlier and stays cancelled. To pay it after all: payrun retry ${shellWord(batch)} --payment ${shellWord(row.key)}`,
        value: row.key,
      });
  }
}

function conflictProblem(row: SettledRow): Problem {
  const certain = row.state === 'paid' || row.state === 'submitted';
  const differsInWallet = row.sentWallet !== row.fileWallet;
  const show = (currency: string, minor: bigint, payee: string, wallet: string) =>
    `${showMoney(minor, currency)} to ${showPayee(payee)}${differsInWallet ? ` from the ${wallet} wallet` : ''}`;
  const sent = show(row.sentCurrency, row.sentMinor, row.sentPayee, row.sentWallet);
  const now = show(row.fileCurrency, row.fileMinor, row.filePayee, row.fileWallet);
  return batchProblem('row-conflict', {
    line: row.line,
    column: row.sentPayee === row.filePayee ? 'amount' : 'accountNumber',
    message: `Payment ${row.key} ${certain ? 'was already sent' : 'may already have been sent'} as ${sent}; the file now says ${now}. What was sent cannot be changed: put the row back as it was, or pay the difference as a new payment with an id of its own.`,
    value: row.key,
  });
}

/** `KE …5678`, or with its bank `KE 68 …9012`: enough to see what changed. */
function showPayee(payee: string): string {
  const [country = '', ...rest] = payee.split(':');
  const number = rest.at(-1) ?? '';
  const bank = rest.length > 2 ? `${rest.slice(1, -1).join(':')} ` : '';
  return `${country} ${bank}${maskNumber(number)}`;
}

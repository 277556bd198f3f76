import { formatMoney, maskNumber } from '../../domain/money/format-money.ts';
import { ageText } from '../../domain/text/age-text.ts';
import type { PendingQuestion } from '../../index.ts';
import { terminalText } from '../../report/terminal-text.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
import { watchInterrupts } from './interrupts.ts';

/**
 * Shows what the service shows of a pending payout, always and first; then has it typed that it was not paid. Who has read
 * it before says --yes; where nobody can answer, nothing is decided.
 */
export async function confirmNotPaid(question: PendingQuestion, isSure: boolean): Promise<boolean> {
  process.stderr.write(terminalText(`${shownLines(question).join('\n')}\n`));
  if (isSure) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    process.stderr.write('Nobody is at a terminal to confirm it. Having read this, add --yes.\n');
    return false;
  }
  const interrupts = watchInterrupts(undefined);
  try {
    const terminal = { input: process.stdin, output: process.stderr, interrupts };
    const typed = await askAtTerminal('If it was not paid, type: not paid\n> ', terminal);
    return typed?.trim().toLowerCase() === 'not paid';
  } finally {
    interrupts.close();
  }
}

function shownLines({ payout, pendingMs, shown }: PendingQuestion): string[] {
  const { key, accountName, number, amountMinor, currency, reference } = payout;
  return [
    `Payment ${key}: ${accountName} ${maskNumber(number)}, ${formatMoney(amountMinor, currency)}, pending for ${ageText(pendingMs)}.`,
    `The service, asked just now, shows ${shown} (reference ${reference}).`,
    'payrun cannot take it back there: the service may still pay it. If it does, payrun says so loudly.',
    'payrun reads it once a day, and sends it again only after its transaction has failed.',
  ];
}

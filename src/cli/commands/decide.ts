import type { InferredOptionTypes } from 'yargs';
import type { PendingQuestion } from '../../index.ts';
import {
  type DecisionFlags,
  decisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
} from '../flags/decision-flags.ts';
import { pendingForFlag } from '../flags/duration-flag.ts';
import { batchName, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { commandToRebind, nextBatchCommand } from '../flags/next-batch-command.ts';
import { usageError } from '../flags/usage-error.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { confirmNotPaid } from '../terminal/confirm-not-paid.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

const options = {
  ...decisionFlags,
  paid: textFlag('It was paid by this transaction; payrun reads it at the service'),
  'not-paid': switchFlag('It was not paid and may be retried'),
  'still-paid': switchFlag('It is paid, though the service has said something else of it since'),
  'pending-for': textFlag(
    'With --not-paid: take a payout that has been pending for this long (7d, at least 24h)',
  ),
  yes: switchFlag('With --not-paid: do not ask about a pending payout'),
};

export const decideCommand: Command<DecisionFlags & InferredOptionTypes<typeof options>> = {
  builder: (yargs) => yargs.positional('batch', batchName).options(options),
  handler: async (flags) => {
    const reason = reasonFlag(flags);
    const [payment, ...others] = namedPayments(flags) ?? [];
    if (payment === undefined || others.length > 0) {
      throw usageError('Name one payout with --payment.');
    }
    oneOf(
      {
        '--paid TRANSACTION': (flags.paid ?? '').trim() !== '',
        '--not-paid': flags['not-paid'],
        '--still-paid': flags['still-paid'],
      },
      'what became of the payout',
    );
    const paid = flags.paid?.trim();
    const pendingForMs = pendingForFlag(flags['pending-for']);
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      if (paid !== undefined) requireService(opened);
      const claim = flags['still-paid'] ? 'still-paid' : paid === undefined ? 'not-paid' : { paid };
      let isPending = false;
      const given = {
        reason,
        onEvent: sayNotices,
        rebindCommand: commandToRebind(flags),
        pendingForMs,
        confirm: (question: PendingQuestion) => {
          isPending = true;
          return confirmNotPaid(question, flags.yes);
        },
        ...resultsCommand(flags),
      };
      const decided = await payrun.decide(flags.batch, payment, claim, given);
      const retry = nextBatchCommand('retry', flags.batch, flags, '--payment', payment);
      // A retry of one that the service may still pay would only wait for it again.
      const next = claim === 'not-paid' && !isPending ? retry : undefined;
      await sayDecided(decided, 'decided', opened.word, flags, next);
    });
  },
};

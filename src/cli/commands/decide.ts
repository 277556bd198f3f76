import { commandToRebind } from '../flags/command-to-rebind.ts';
import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { switchFlag } from '../flags/flag-kinds.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { usageError } from '../flags/usage-error.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

interface Flags extends DecisionFlags {
  paid: string | undefined;
  'not-paid': boolean;
}

export const decideCommand: Command<Flags> = {
  builder: (yargs) =>
    withDecisionFlags(yargs)
      .option('paid', {
        type: 'string',
        describe: 'It was paid by this transaction; payrun reads it at the service',
      })
      .option('not-paid', switchFlag('It was not paid and may be retried')),
  handler: (flags) => {
    const reason = reasonFlag(flags);
    const [payment, ...others] = namedPayments(flags) ?? [];
    if (payment === undefined || others.length > 0) {
      throw usageError('Name one payout with --payment.');
    }
    oneOf(
      { '--paid TRANSACTION': (flags.paid ?? '').trim() !== '', '--not-paid': flags['not-paid'] },
      'what became of the payout',
    );
    const paid = flags.paid?.trim();
    const opened = payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      if (paid !== undefined) requireService(opened);
      const claim = paid === undefined ? 'not-paid' : { paid };
      const options = {
        reason,
        onEvent: sayNotices,
        rebindCommand: commandToRebind(flags),
        ...resultsCommand(flags),
      };
      const decided = await payrun.decide(flags.batch, payment, claim, options);
      const again = nextBatchCommand('retry', flags.batch, flags, '--payment', payment);
      await sayDecided(decided, 'decided', opened.word, flags, paid === undefined ? again : undefined);
    });
  },
};

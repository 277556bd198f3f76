import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { switchFlag } from '../flags/flag-kinds.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

interface Flags extends DecisionFlags {
  unsent: boolean;
}

export const cancelCommand: Command<Flags> = {
  builder: (yargs) =>
    withDecisionFlags(yargs).option('unsent', switchFlag('All payouts that were not sent, also held ones')),
  handler: (flags) => {
    const reason = reasonFlag(flags);
    const payments = namedPayments(flags);
    oneOf({ '--payment': payments !== undefined, '--unsent': flags.unsent });
    const opened = payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const options = { payments, reason, onEvent: sayNotices, ...resultsCommand(flags) };
      await sayDecided(await payrun.cancel(flags.batch, options), 'cancelled', opened.word, flags);
    });
  },
};

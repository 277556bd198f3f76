import {
  type DecisionFlags,
  decisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
} from '../flags/decision-flags.ts';
import { batchName, switchFlag } from '../flags/flag-kinds.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

export const cancelCommand: Command<DecisionFlags & { unsent: boolean }> = {
  builder: (yargs) =>
    yargs
      .positional('batch', batchName)
      .options({ ...decisionFlags, unsent: switchFlag('All payouts that were not sent, also held ones') }),
  handler: async (flags) => {
    const reason = reasonFlag(flags);
    const payments = namedPayments(flags);
    oneOf({ '--payment': payments !== undefined, '--unsent': flags.unsent });
    const opened = await payrunOf(flags);
    return withPayrun(opened, async (payrun) => {
      const options = { payments, reason, onEvent: sayNotices, ...resultsCommand(flags) };
      await sayDecided(await payrun.cancel(flags.batch, options), 'cancelled', opened.word, flags);
    });
  },
};

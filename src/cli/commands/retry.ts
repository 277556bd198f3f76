import {
  type DecisionFlags,
  decisionFlags,
  namedPayments,
  reasonFlag,
  resultsCommand,
} from '../flags/decision-flags.ts';
import { batchName } from '../flags/flag-kinds.ts';
import { type RepeatFlags, repeatFlags, repeatOptions, repeatSettings } from '../flags/repeat-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

export const retryCommand: Command<DecisionFlags & RepeatFlags> = {
  builder: (yargs) => yargs.positional('batch', batchName).options({ ...decisionFlags, ...repeatFlags }),
  handler: async (flags) => {
    const reason = flags.reason === undefined ? '' : reasonFlag(flags);
    const payments = namedPayments(flags);
    const repeats = repeatOptions(flags);
    const opened = await payrunOf(flags, repeatSettings(flags));
    return withPayrun(opened, async (payrun) => {
      const options = { payments, reason, onEvent: sayNotices, ...resultsCommand(flags), ...repeats };
      await sayDecided(await payrun.retry(flags.batch, options), 'brought back', opened.word, flags);
    });
  },
};

import {
  type DecisionFlags,
  namedPayments,
  reasonFlag,
  resultsCommand,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { type RepeatFlags, repeatOptions, repeatSettings, withRepeatFlags } from '../flags/repeat-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

export const retryCommand: Command<DecisionFlags & RepeatFlags> = {
  builder: (yargs) => withRepeatFlags(withDecisionFlags(yargs)),
  handler: (flags) => {
    const reason = flags.reason === undefined ? '' : reasonFlag(flags);
    const payments = namedPayments(flags);
    const repeats = repeatOptions(flags);
    const opened = payrunOf(flags, repeatSettings(flags));
    return withPayrun(opened, async (payrun) => {
      const options = { payments, reason, onEvent: sayNotices, ...resultsCommand(flags), ...repeats };
      await sayDecided(await payrun.retry(flags.batch, options), 'brought back', opened.word, flags);
    });
  },
};

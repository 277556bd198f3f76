import type { InferredOptionTypes } from 'yargs';
import {
  type DecisionFlags,
  decisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
} from '../flags/decision-flags.ts';
import { batchName, switchFlag } from '../flags/flag-kinds.ts';
import { repeatFlags, repeatOptions, repeatSettings } from '../flags/repeat-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

const options = {
  ...decisionFlags,
  ...repeatFlags,
  verdict: {
    choices: ['close', 'mismatch', 'unchecked'],
    describe: 'All payouts that are held with this verdict on the name',
  },
  all: switchFlag('All payouts that are held for their name'),
} as const;

export const releaseCommand: Command<DecisionFlags & InferredOptionTypes<typeof options>> = {
  builder: (yargs) => yargs.positional('batch', batchName).options(options),
  handler: async (flags) => {
    const reason = reasonFlag(flags);
    const payments = namedPayments(flags);
    const { verdict, all } = flags;
    oneOf({ '--payment': payments !== undefined, '--verdict': verdict !== undefined, '--all': all });
    const repeats = repeatOptions(flags);
    const opened = await payrunOf(flags, repeatSettings(flags));
    return withPayrun(opened, async (payrun) => {
      const given = { payments, scope: verdict, reason, onEvent: sayNotices, ...resultsCommand(flags) };
      const decided = await payrun.release(flags.batch, { ...given, ...repeats });
      await sayDecided(decided, 'released', opened.word, flags);
    });
  },
};

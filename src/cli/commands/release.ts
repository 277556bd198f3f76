import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  resultsCommand,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { switchFlag } from '../flags/flag-kinds.ts';
import { type RepeatFlags, repeatOptions, repeatSettings, withRepeatFlags } from '../flags/repeat-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { sayDecided, sayNotices } from '../terminal/say-decided.ts';
import type { Command } from './command.ts';

interface Flags extends DecisionFlags, RepeatFlags {
  verdict: 'close' | 'mismatch' | 'unchecked' | undefined;
  all: boolean;
}

export const releaseCommand: Command<Flags> = {
  builder: (yargs) =>
    withRepeatFlags(withDecisionFlags(yargs))
      .option('verdict', {
        choices: ['close', 'mismatch', 'unchecked'] as const,
        describe: 'All payouts that are held with this verdict on the name',
      })
      .option('all', switchFlag('All payouts that are held for their name')),
  handler: (flags) => {
    const reason = reasonFlag(flags);
    const payments = namedPayments(flags);
    const { verdict, all } = flags;
    oneOf({ '--payment': payments !== undefined, '--verdict': verdict !== undefined, '--all': all });
    const repeats = repeatOptions(flags);
    const opened = payrunOf(flags, repeatSettings(flags));
    return withPayrun(opened, async (payrun) => {
      const options = { payments, scope: verdict, reason, onEvent: sayNotices, ...resultsCommand(flags) };
      const decided = await payrun.release(flags.batch, { ...options, ...repeats });
      await sayDecided(decided, 'released', opened.word, flags);
    });
  },
};

import type { CommandModule } from 'yargs';
import { type ReleaseScope, release } from '../../decisions/release.ts';
import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  type RepeatFlags,
  reasonFlag,
  repeatRule,
  withDecisionFlags,
  withRepeatFlags,
} from '../flags/decision-flags.ts';
import { runDecision } from './run-decision.ts';

interface Flags extends DecisionFlags, RepeatFlags {
  verdict: 'close' | 'mismatch' | 'unchecked' | undefined;
  all: boolean;
}

export const releaseCommand: CommandModule<object, Flags> = {
  command: 'release <batch>',
  describe: 'Let held payouts pass the check that holds them',
  builder: (yargs) =>
    withRepeatFlags(withDecisionFlags(yargs))
      .option('verdict', {
        choices: ['close', 'mismatch', 'unchecked'] as const,
        describe: 'All that are held for a name of this verdict',
      })
      .option('all', { type: 'boolean', default: false, describe: 'All that are held for their name' }),
  handler: (flags) => {
    const reason = reasonFlag(flags);
    const named = namedPayments(flags);
    oneOf({
      '--payment': named !== undefined,
      '--verdict': flags.verdict !== undefined,
      '--all': flags.all,
    });
    const scope: ReleaseScope = named ? 'named' : (flags.verdict ?? 'all');
    return runDecision(flags, {
      done: 'released',
      decide: ({ config, run }) => ({
        choice: named ?? { kind: 'states', states: ['held'] },
        rule: (payout) => release(payout, scope, run, reason),
        repeats: repeatRule(flags, config),
      }),
    });
  },
};

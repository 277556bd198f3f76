import type { CommandModule } from 'yargs';
import { retry } from '../../decisions/retry.ts';
import {
  type DecisionFlags,
  namedPayments,
  type RepeatFlags,
  reasonFlag,
  repeatRule,
  withDecisionFlags,
  withRepeatFlags,
} from '../flags/decision-flags.ts';
import { runDecision } from './run-decision.ts';

export const retryCommand: CommandModule<object, DecisionFlags & RepeatFlags> = {
  command: 'retry <batch>',
  describe: 'Bring failed and refused payouts back; returned and cancelled ones where --payment names them',
  builder: (yargs) => withRepeatFlags(withDecisionFlags(yargs)),
  handler: (flags) => {
    const reason = flags.reason === undefined ? '' : reasonFlag(flags);
    const named = namedPayments(flags);
    return runDecision(flags, {
      done: 'brought back',
      decide: ({ batch, config, run }) => ({
        choice: named ?? { kind: 'states', states: ['failed', 'refused'] },
        rule: (payout) => retry(payout, batch, run, reason),
        repeats: repeatRule(flags, config),
      }),
    });
  },
};

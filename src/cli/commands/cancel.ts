import type { CommandModule } from 'yargs';
import { cancel } from '../../decisions/cancel.ts';
import {
  type DecisionFlags,
  namedPayments,
  oneOf,
  reasonFlag,
  withDecisionFlags,
} from '../flags/decision-flags.ts';
import { runDecision } from './run-decision.ts';

interface Flags extends DecisionFlags {
  unsent: boolean;
}

export const cancelCommand: CommandModule<object, Flags> = {
  command: 'cancel <batch>',
  describe: 'Drop payouts that were not sent',
  builder: (yargs) =>
    withDecisionFlags(yargs).option('unsent', {
      type: 'boolean',
      default: false,
      describe: 'All that were not sent, held ones too',
    }),
  handler: (flags) => {
    const reason = reasonFlag(flags);
    const named = namedPayments(flags);
    oneOf({ '--payment': named !== undefined, '--unsent': flags.unsent });
    return runDecision(flags, {
      done: 'cancelled',
      decide: () => ({
        choice: named ?? { kind: 'states', states: ['planned', 'ready', 'held'] },
        rule: (payout) => cancel(payout, reason),
        repeats: undefined,
      }),
    });
  },
};

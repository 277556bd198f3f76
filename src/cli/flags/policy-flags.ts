import type { Argv } from 'yargs';
import type { Config } from '../../config.ts';
import type { NamePolicy, Policy, Tightening } from '../../domain/policy.ts';
import { amountFlags } from './amount-flags.ts';
import { refuseRepeated } from './refuse-repeated-flags.ts';

/** What decides which rows are paid: the same flags for plan and run, so that both mean the same digest. */
export interface PolicyFlags {
  'skip-invalid': boolean;
  'on-close': NamePolicy | undefined;
  'on-mismatch': NamePolicy | undefined;
  'on-unchecked': NamePolicy | undefined;
  'limit-payout': string[];
}

export function withPolicyFlags<Flags>(yargs: Argv<Flags>) {
  const choices = ['hold', 'pay'] as const;
  return yargs
    .option('skip-invalid', {
      type: 'boolean',
      default: false,
      describe: 'Pay the sound rows and leave the others',
    })
    .option('on-close', { choices, describe: 'A name that is nearly the account’s (hold)' })
    .option('on-mismatch', { choices, describe: 'A name that is not the account’s (hold)' })
    .option('on-unchecked', { choices, describe: 'A name that the service cannot check (hold)' })
    .option('limit-payout', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Hold payouts above this: KES=100000',
    });
}

export function policyOf(flags: PolicyFlags, config: Config): Policy {
  const {
    onClose = 'hold',
    onMismatch = 'hold',
    onUnchecked = 'hold',
    limitPayout,
  } = statedPolicy(flags, config);
  return { skipInvalid: flags['skip-invalid'], onClose, onMismatch, onUnchecked, limitPayout };
}

/** What the person said, by flag or in the configuration; undefined where the default stands for it. */
export function statedPolicy(flags: PolicyFlags, config: Config): Tightening & Pick<Policy, 'limitPayout'> {
  refuseRepeated(flags, 'on-close', 'on-mismatch', 'on-unchecked');
  return {
    onClose: flags['on-close'] ?? config.onClose,
    onMismatch: flags['on-mismatch'] ?? config.onMismatch,
    onUnchecked: flags['on-unchecked'] ?? config.onUnchecked,
    limitPayout: amountFlags('--limit-payout', flags['limit-payout']),
  };
}

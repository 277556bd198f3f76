import type { Argv } from 'yargs';
import { listFlag, switchFlag } from './flag-kinds.ts';

type NamePolicy = 'hold' | 'pay';

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
    .option('skip-invalid', switchFlag('Pay the valid rows and leave the others out'))
    .option('on-close', { choices, describe: 'If the name is nearly the account’s name (hold)' })
    .option('on-mismatch', { choices, describe: 'If the name is not the account’s name (hold)' })
    .option('on-unchecked', { choices, describe: 'If the service cannot check the name (hold)' })
    .option('limit-payout', listFlag('Hold payouts above this: KES=100000'));
}

import type { InferredOptionTypes } from 'yargs';
import type { GivenSettings, PlanOptions } from '../../index.ts';
import { amountFlags } from './amount-flags.ts';
import { type FileFlags, fileFlags, fileOptions } from './file-flags.ts';
import { listFlag, switchFlag, textFlag } from './flag-kinds.ts';
import { inGroup } from './in-group.ts';
import { commandToRebind, nextBatchCommand } from './next-batch-command.ts';
import { repeatFlags, repeatOptions, repeatSettings } from './repeat-flags.ts';
import { usageError } from './usage-error.ts';
import { workspaceFlags } from './workspace-flags.ts';

const choices = ['hold', 'pay'] as const;

/** What shapes a plan: the same flags for plan and run, so that both mean the same digest. */
export const planFlags = {
  ...fileFlags,
  ...inGroup('What is paid', {
    'skip-invalid': switchFlag('Pay the valid rows and leave the others out'),
    'on-close': { choices, describe: 'If the name is nearly the account’s name (hold)' },
    'on-mismatch': { choices, describe: 'If the name is not the account’s name (hold)' },
    'on-unchecked': { choices, describe: 'If the service cannot check the name (hold)' },
    'limit-payout': listFlag('Hold payouts above this: KES=100000'),
    ...repeatFlags,
    notice: textFlag('Report amounts that changed by more than this (25%)'),
    'same-batch': switchFlag('Continue the old batch of this name'),
    reserve: listFlag('Keep this much in the wallet: KES=500.00'),
  }),
  ...workspaceFlags,
};

export type PlanFlags = FileFlags & InferredOptionTypes<typeof planFlags>;

export function planOptions(flags: PlanFlags): PlanOptions {
  return {
    ...fileOptions(flags),
    ...repeatOptions(flags),
    sameBatch: flags['same-batch'],
    skipInvalid: flags['skip-invalid'],
    onClose: flags['on-close'],
    onMismatch: flags['on-mismatch'],
    onUnchecked: flags['on-unchecked'],
    limitPayout: amountFlags('--limit-payout', flags['limit-payout']),
    reserves: amountFlags('--reserve', flags.reserve),
    retryCommand: (batch, key) => nextBatchCommand('retry', batch, flags, '--payment', key),
    rebindCommand: commandToRebind(flags),
  };
}

export function planSettings(flags: PlanFlags): GivenSettings {
  return {
    noticePercent: noticePercent(flags.notice),
    ...repeatSettings(flags),
  };
}

function noticePercent(flag: string | undefined): number | undefined {
  if (flag === undefined) return undefined;
  const value = /^(\d{1,4}(?:\.\d+)?)%?$/.exec(flag.trim());
  if (value) return Number(value[1]);
  throw usageError(`--notice takes a percentage such as 25%, not "${flag}".`);
}

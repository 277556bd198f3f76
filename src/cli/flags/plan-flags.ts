import type { Argv } from 'yargs';
import type { GivenSettings, PlanOptions } from '../../index.ts';
import { amountFlags } from './amount-flags.ts';
import { commandToRebind } from './command-to-rebind.ts';
import { type FileFlags, fileOptions } from './file-flags.ts';
import { listFlag, switchFlag } from './flag-kinds.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import type { PolicyFlags } from './policy-flags.ts';
import { type RepeatFlags, repeatOptions, repeatSettings, withRepeatFlags } from './repeat-flags.ts';
import { usageError } from './usage-error.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** What shapes a plan besides the file: the same flags for plan and run. */
export interface PlanFlags extends FileFlags, PolicyFlags, WorkspaceFlags, RepeatFlags {
  notice: string | undefined;
  'same-batch': boolean;
  reserve: string[];
}

export function withPlanFlags<Flags>(yargs: Argv<Flags>) {
  return withRepeatFlags(yargs)
    .option('notice', { type: 'string', describe: 'Report amounts that changed by more than this (25%)' })
    .option('same-batch', switchFlag('Continue the old batch of this name'))
    .option('reserve', listFlag('Keep this much in the wallet: KES=500.00'));
}

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

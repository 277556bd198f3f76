import type { Argv } from 'yargs';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import type { PlanFileOptions } from '../../pipeline/plan-file.ts';
import { amountFlags } from './amount-flags.ts';
import { commandToRebind } from './command-to-rebind.ts';
import { durationFlag } from './duration-flag.ts';
import { draftOptions, type FileFlags } from './file-flags.ts';
import { nextBatchCommand } from './next-batch-command.ts';
import { type PolicyFlags, policyOf, statedPolicy } from './policy-flags.ts';
import { countFlag, refuseRepeated } from './refuse-repeated-flags.ts';
import type { WorkspaceFlags } from './workspace-flags.ts';

/** What shapes a plan besides the file: the same flags for plan and run. */
export interface PlanFlags extends FileFlags, PolicyFlags, WorkspaceFlags {
  notice: string | undefined;
  'same-batch': boolean;
  'allow-repeats': number;
  'repeat-window': string | undefined;
  reserve: string[];
}

export function withPlanFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('notice', { type: 'string', describe: 'Change of an amount worth a word (25%)' })
    .option('same-batch', {
      type: 'boolean',
      default: false,
      describe: 'An old batch is meant, not a new period',
    })
    .option('allow-repeats', {
      type: 'number',
      default: 0,
      describe: 'Let this many repeated payments through',
    })
    .option('repeat-window', { type: 'string', describe: 'How long ago counts as again (5d)' })
    .option('reserve', {
      type: 'string',
      array: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Leave this in a wallet: KES=500.00',
    });
}

export function planOptions(flags: PlanFlags, config: Config): PlanFileOptions {
  refuseRepeated(flags, 'notice', 'allow-repeats', 'repeat-window');
  return {
    ...draftOptions(flags, config, systemClock.nowMs(), flags['repeat-window']),
    allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']),
    sameBatch: flags['same-batch'],
    noticePercent: noticePercent(flags.notice, config),
    policy: policyOf(flags, config),
    stated: statedPolicy(flags, config),
    retryCommand: (batch, key) => nextBatchCommand('retry', batch, flags, '--payment', key),
    rebindCommand: commandToRebind(flags),
    reserves: amountFlags('--reserve', flags.reserve),
    checkNames: false,
    namesMaxAgeMs:
      config.namesMaxAge === undefined ? undefined : durationFlag('namesMaxAge', config.namesMaxAge),
    concurrency: config.concurrency ?? 8,
  };
}

function noticePercent(flag: string | undefined, config: Config): number {
  if (flag === undefined) return config.notice ?? 25;
  const value = /^(\d{1,4}(?:\.\d+)?)%?$/.exec(flag.trim());
  if (value) return Number(value[1]);
  throw new PayrunError('usage', exitCode.usage, `--notice takes a percentage such as 25%, not "${flag}".`);
}

import type { Argv } from 'yargs';
import type { GivenSettings, RepeatOptions } from '../../index.ts';
import { repeatWindowFlag } from './duration-flag.ts';
import { countFlag } from './number-flags.ts';

/** What lets repeated payments through: the same flags for plan and run, and for decisions after which payouts are sent again. */
export interface RepeatFlags {
  'allow-repeats': number;
  'repeat-window': string | undefined;
}

export function withRepeatFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('allow-repeats', {
      type: 'number',
      default: 0,
      describe: 'Allow this many repeated payments',
    })
    .option('repeat-window', {
      type: 'string',
      describe: 'Treat the same payment within this time as a repeat (5d)',
    });
}

export function repeatOptions(flags: RepeatFlags): RepeatOptions {
  return { allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']) };
}

export function repeatSettings(flags: RepeatFlags): GivenSettings {
  return { repeatWindowMs: repeatWindowFlag(flags['repeat-window']) };
}

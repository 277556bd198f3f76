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
      describe: 'Let this many repeated payments through',
    })
    .option('repeat-window', { type: 'string', describe: 'How long ago counts as again (5d)' });
}

export function repeatOptions(flags: RepeatFlags): RepeatOptions {
  return { allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']) };
}

export function repeatSettings(flags: RepeatFlags): GivenSettings {
  return { repeatWindowMs: repeatWindowFlag(flags['repeat-window']) };
}

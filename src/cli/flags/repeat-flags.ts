import type { InferredOptionTypes } from 'yargs';
import type { GivenSettings, RepeatOptions } from '../../index.ts';
import { repeatWindowFlag } from './duration-flag.ts';
import { textFlag } from './flag-kinds.ts';
import { countFlag } from './number-flags.ts';

/** What lets repeated payments through: the same flags for plan and run, and for decisions after which payouts are sent again. */
export const repeatFlags = {
  'allow-repeats': { type: 'number', default: 0, describe: 'Allow this many repeated payments' },
  'repeat-window': textFlag('Treat the same payment within this time as a repeat (5d)'),
} as const;

export type RepeatFlags = InferredOptionTypes<typeof repeatFlags>;

export function repeatOptions(flags: RepeatFlags): RepeatOptions {
  return { allowRepeats: countFlag('--allow-repeats', flags['allow-repeats']) };
}

export function repeatSettings(flags: RepeatFlags): GivenSettings {
  return { repeatWindowMs: repeatWindowFlag(flags['repeat-window']) };
}

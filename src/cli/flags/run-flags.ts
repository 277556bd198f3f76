import type { InferredOptionTypes } from 'yargs';
import { type DurationBounds, durationBounds } from '../../domain/duration.ts';
import { PayrunError } from '../../errors.ts';
import type { GivenSettings } from '../../index.ts';
import { durationFlag } from './duration-flag.ts';
import { jsonFlag, switchFlag, textFlag } from './flag-kinds.ts';
import { inGroup } from './in-group.ts';
import { wholeNumberFlag } from './number-flags.ts';

/** How payouts are sent and settled: the same flags for run and resume. */
export const runFlags = {
  ...inGroup('How it is sent', {
    concurrency: { type: 'number', describe: 'Calls at the same time (8)' },
    rate: { type: 'number', describe: 'Most calls per second' },
    timeout: textFlag('Time limit of one call (30s)'),
    'quiet-period': textFlag('Wait this long before an unanswered payout is sent again (120s)'),
    resends: { type: 'number', describe: 'Times an unanswered payout may be sent again (1)' },
    'settle-for': textFlag('Wait this long for sent payouts to end (10m)'),
    deadline: textFlag('Start no new payouts after this time'),
    lookup: {
      choices: ['auto', 'always'],
      default: 'auto',
      describe: 'Look payouts up before their first send',
    },
  } as const),
  ...inGroup('What is shown', {
    json: jsonFlag,
    'json-lines': switchFlag('Write every event to stderr, as a line of JSON'),
    quiet: { alias: 'q', ...switchFlag('Print nothing if all went well') },
    verbose: { alias: 'v', type: 'count', describe: 'Print more on stderr; -vv: every move of a payout' },
  } as const),
} as const;

type RunFlags = InferredOptionTypes<typeof runFlags>;

type SettingFlags = Pick<
  RunFlags,
  'concurrency' | 'rate' | 'timeout' | 'quiet-period' | 'resends' | 'lookup'
> & { readonly 'settle-for'?: string | undefined };

export function runSettings(flags: SettingFlags): GivenSettings {
  const duration = (flag: string, given: string | undefined, bounds?: DurationBounds) =>
    given === undefined ? undefined : durationFlag(flag, given, bounds);
  return {
    concurrency: wholeNumberFlag('--concurrency', flags.concurrency, 1, 256),
    ratePerSecond: rateFlag(flags),
    timeoutMs: duration('--timeout', flags.timeout, durationBounds.timeout),
    quietPeriodMs: duration('--quiet-period', flags['quiet-period']),
    resends: wholeNumberFlag('--resends', flags.resends, 0, 10),
    settleForMs: duration('--settle-for', flags['settle-for']),
    lookup: flags.lookup,
  };
}

function rateFlag({ rate }: SettingFlags): number | undefined {
  if (rate === undefined || rate > 0) return rate;
  throw new PayrunError('bad-rate', '--rate takes a number of calls a second above 0.');
}

export function deadlineFlag({ deadline }: RunFlags): number | undefined {
  return deadline === undefined ? undefined : durationFlag('--deadline', deadline, durationBounds.deadline);
}

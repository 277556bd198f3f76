import type { Argv } from 'yargs';
import { type DurationBounds, durationBounds } from '../../domain/duration.ts';
import { PayrunError } from '../../errors.ts';
import type { GivenSettings } from '../../index.ts';
import { durationFlag } from './duration-flag.ts';
import { jsonFlag, switchFlag } from './flag-kinds.ts';
import { wholeNumberFlag } from './number-flags.ts';

/** How payouts are sent and settled: the same flags for run and resume. */
export interface RunFlags {
  concurrency: number | undefined;
  rate: number | undefined;
  timeout: string | undefined;
  'quiet-period': string | undefined;
  resends: number | undefined;
  'settle-for': string | undefined;
  deadline: string | undefined;
  lookup: 'auto' | 'always';
  json: boolean;
  'json-lines': boolean;
  quiet: boolean;
  verbose: boolean;
}

export function withRunFlags<Flags>(yargs: Argv<Flags>) {
  return yargs
    .option('concurrency', { type: 'number', describe: 'Calls at the same time (8)' })
    .option('rate', { type: 'number', describe: 'Most calls per second' })
    .option('timeout', { type: 'string', describe: 'Time limit of one call (30s)' })
    .option('quiet-period', {
      type: 'string',
      describe: 'Wait this long before an unanswered payout is sent again (120s)',
    })
    .option('resends', { type: 'number', describe: 'Times an unanswered payout may be sent again (1)' })
    .option('settle-for', { type: 'string', describe: 'Wait this long for sent payouts to end (10m)' })
    .option('deadline', { type: 'string', describe: 'Start no new payouts after this time' })
    .option('lookup', {
      choices: ['auto', 'always'] as const,
      default: 'auto' as const,
      describe: 'Look payouts up before their first send',
    })
    .option('json', jsonFlag)
    .option('json-lines', switchFlag('Write every event to stderr, as a line of JSON'))
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'Print nothing if all went well',
    })
    .option('verbose', { alias: 'v', type: 'boolean', default: false, describe: 'Print more on stderr' });
}

export function runSettings(flags: RunFlags): GivenSettings {
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

function rateFlag({ rate }: RunFlags): number | undefined {
  if (rate === undefined || rate > 0) return rate;
  throw new PayrunError('bad-rate', '--rate takes a number of calls a second above 0.');
}

export function deadlineFlag({ deadline }: RunFlags): number | undefined {
  return deadline === undefined ? undefined : durationFlag('--deadline', deadline, durationBounds.deadline);
}

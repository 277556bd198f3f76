import type { Argv } from 'yargs';
import type { Config } from '../../config.ts';
import { durationBounds } from '../../domain/duration.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import type { RunSettings } from '../../pipeline/run/run-context.ts';
import { durationFlag } from './duration-flag.ts';
import { refuseRepeated } from './refuse-repeated-flags.ts';

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
    .option('concurrency', { type: 'number', describe: 'Calls at once (8)' })
    .option('rate', { type: 'number', describe: 'Calls a second at most' })
    .option('timeout', { type: 'string', describe: 'Of one call (30s)' })
    .option('quiet-period', {
      type: 'string',
      describe: 'Before an unanswered payout may be sent again (120s)',
    })
    .option('resends', { type: 'number', describe: 'How often it may be (1)' })
    .option('settle-for', { type: 'string', describe: 'How long to wait for payouts to end (10m)' })
    .option('deadline', { type: 'string', describe: 'Take no new payouts after this long' })
    .option('lookup', {
      choices: ['auto', 'always'] as const,
      default: 'auto' as const,
      describe: 'Look up before first sends',
    })
    .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
    .option('json-lines', {
      type: 'boolean',
      default: false,
      describe: 'Every event as a line of JSON on stderr',
    })
    .option('quiet', {
      alias: 'q',
      type: 'boolean',
      default: false,
      describe: 'Say nothing when all went well',
    })
    .option('verbose', { alias: 'v', type: 'boolean', default: false, describe: 'Say more on stderr' });
}

export function runSettings(flags: RunFlags, config: Config): Omit<RunSettings, 'policy'> {
  refuseRepeated(flags, 'concurrency', 'rate', 'timeout', 'quiet-period', 'resends', 'settle-for');
  refuseRepeated(flags, 'deadline', 'lookup');
  const duration = (flag: string, given: string | undefined, configured: string | undefined, usual: string) =>
    durationFlag(flag, given ?? configured ?? usual);
  return {
    concurrency: wholeNumber('--concurrency', flags.concurrency ?? config.concurrency ?? 8, 1, 256),
    timeoutMs: durationFlag('--timeout', flags.timeout ?? config.timeout ?? '30s', durationBounds.timeout),
    quietPeriodMs: duration('--quiet-period', flags['quiet-period'], config.quietPeriod, '120s'),
    resends: wholeNumber('--resends', flags.resends ?? config.resends ?? 1, 0, 10),
    settleForMs: duration('--settle-for', flags['settle-for'], config.settleFor, '10m'),
    lookup: flags.lookup,
    phonePlus: config.phonePlus ?? true,
    namesMaxAgeMs: durationFlag('namesMaxAge', config.namesMaxAge ?? '24h'),
  };
}

export function rateFlag(flags: RunFlags, config: Config): number | undefined {
  const rate = flags.rate ?? config.rate;
  if (rate === undefined || rate > 0) return rate;
  throw new PayrunError('bad-rate', exitCode.usage, '--rate takes a number of calls a second above 0.');
}

function wholeNumber(flag: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new PayrunError(
    'bad-number',
    exitCode.usage,
    `${flag} takes a whole number from ${least} to ${most}.`,
  );
}

export function deadlineFlag({ deadline }: RunFlags): number | undefined {
  return deadline === undefined ? undefined : durationFlag('--deadline', deadline, durationBounds.deadline);
}

import type { Minor } from '../domain/money/money.ts';
import type { Policy, Tightening } from '../domain/policy.ts';
import type { DraftOptions, ReadRowsOptions } from '../pipeline/draft/draft-options.ts';
import type { PlanFileOptions } from '../pipeline/plan/plan-options.ts';
import type { Settings } from './settings.ts';

/** An amount for each currency, in minor units. */
export type Amounts = ReadonlyMap<string, Minor>;

/** How one file is read. */
export interface FileOptions extends Omit<ReadRowsOptions, 'config'> {
  /** Name of the batch, `{yyyy}` `{MM}` `{dd}` unfilled; undefined: the file's own name. */
  readonly batch?: string | undefined;
  /** One number may stand under this many names. */
  readonly allowShared?: number | undefined;
}

/** What shapes a plan besides the file. */
export interface PlanOptions
  extends FileOptions,
    Tightening,
    Pick<PlanFileOptions, 'retryCommand' | 'rebindCommand'> {
  /** So many repeated payments may pass. */
  readonly allowRepeats?: number | undefined;
  /** An old batch of this name is meant, not a new period. */
  readonly sameBatch?: boolean | undefined;
  /** Pay the sound rows of a file that has others. */
  readonly skipInvalid?: boolean | undefined;
  /** To be left in the wallets. */
  readonly reserves?: Amounts | undefined;
  /** Ask the service for the name of every account; a run always does. */
  readonly checkNames?: boolean | undefined;
}

export function draftOptionsOf(options: FileOptions, settings: Settings, nowMs: number): DraftOptions {
  const { columns, defaults, banks, repeatWindowMs } = settings;
  return {
    ...options,
    batch: options.batch,
    allowShared: options.allowShared ?? 0,
    config: { columns, defaults },
    banks,
    timeZone: () => settings.timeZone,
    nowMs,
    repeatWindowMs,
  };
}

export function planOptionsOf(options: PlanOptions, settings: Settings, nowMs: number): PlanFileOptions {
  const { concurrency, namesMaxAgeMs, noticePercent } = settings;
  const stated = {
    onClose: options.onClose ?? settings.onClose,
    onMismatch: options.onMismatch ?? settings.onMismatch,
    onUnchecked: options.onUnchecked ?? settings.onUnchecked,
    limitPayout: options.limitPayout ?? new Map(),
  };
  const policy: Policy = {
    skipInvalid: options.skipInvalid ?? false,
    onClose: stated.onClose ?? 'hold',
    onMismatch: stated.onMismatch ?? 'hold',
    onUnchecked: stated.onUnchecked ?? 'hold',
    limitPayout: stated.limitPayout,
  };
  return {
    ...draftOptionsOf(options, settings, nowMs),
    allowRepeats: options.allowRepeats ?? 0,
    sameBatch: options.sameBatch ?? false,
    noticePercent,
    policy,
    stated,
    retryCommand: options.retryCommand,
    rebindCommand: options.rebindCommand,
    reserves: options.reserves ?? new Map(),
    checkNames: options.checkNames ?? false,
    namesMaxAgeMs,
    concurrency,
  };
}

import type { Config } from '../config.ts';
import { parseDuration, usualRepeatWindowMs } from '../domain/duration.ts';
import type { NamePolicy, Policy } from '../domain/policy.ts';
import type { RunSettings } from '../pipeline/run/run-context.ts';

/** How payrun works, whatever file it pays. Times are milliseconds. */
export interface Settings extends Omit<RunSettings, 'policy'> {
  readonly ratePerSecond: number | undefined;
  /** How long ago the same payment counts as a repeat. */
  readonly repeatWindowMs: number;
  /** How long a payout must have been pending before a person may call it unpaid. */
  readonly pendingForMs: number;
  /** By how many per cent an amount changes before the plan says so. */
  readonly noticePercent: number;
  /** Of dates in batch names and results. */
  readonly timeZone: string;
  /** Headers to fields. */
  readonly columns: Readonly<Record<string, string>>;
  /** For absent columns. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Bank names to codes. */
  readonly banks: Readonly<Record<string, string>>;
  /** Undefined where nobody has said it: then it is hold. */
  readonly onClose: NamePolicy | undefined;
  readonly onMismatch: NamePolicy | undefined;
  readonly onUnchecked: NamePolicy | undefined;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The one place where defaults stand. */
const defaultSettings: Omit<Settings, 'timeZone'> = {
  concurrency: 8,
  ratePerSecond: undefined,
  timeoutMs: 30 * second,
  quietPeriodMs: 2 * minute,
  resends: 1,
  settleForMs: 10 * minute,
  lookup: 'auto',
  phonePlus: true,
  namesMaxAgeMs: 24 * hour,
  repeatWindowMs: usualRepeatWindowMs,
  pendingForMs: 7 * 24 * hour,
  noticePercent: 25,
  columns: {},
  defaults: {},
  banks: {},
  onClose: undefined,
  onMismatch: undefined,
  onUnchecked: undefined,
};

/** What somebody has said; the rest is as usual. */
export type GivenSettings = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** What was given over what is usual, the later over the earlier. */
export function settingsFrom(...given: readonly GivenSettings[]): Settings {
  const said = given.flatMap((each) => Object.entries(each)).filter(([, value]) => value !== undefined);
  let zone: string | undefined;
  return {
    ...defaultSettings,
    // To ask the machine takes half as long as to start Node: only who needs a date asks, and once.
    get timeZone() {
      zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
      return zone;
    },
    ...Object.fromEntries(said),
  };
}

/** Those that the stages of a run keep to. */
export function runSettingsOf(settings: Settings, policy: Policy): RunSettings {
  const { concurrency, timeoutMs, quietPeriodMs, resends, settleForMs, lookup, phonePlus } = settings;
  const { namesMaxAgeMs } = settings;
  const terms = { concurrency, timeoutMs, quietPeriodMs, resends, settleForMs, lookup, phonePlus };
  return { ...terms, namesMaxAgeMs, policy };
}

/** The settings that a configuration file holds. */
export function settingsOfConfig(config: Config): GivenSettings {
  return {
    concurrency: config.concurrency,
    ratePerSecond: config.rate,
    timeoutMs: parseDuration(config.timeout ?? ''),
    quietPeriodMs: parseDuration(config.quietPeriod ?? ''),
    resends: config.resends,
    settleForMs: parseDuration(config.settleFor ?? ''),
    phonePlus: config.phonePlus,
    namesMaxAgeMs: parseDuration(config.namesMaxAge ?? ''),
    repeatWindowMs: parseDuration(config.repeatWindow ?? ''),
    pendingForMs: parseDuration(config.pendingFor ?? ''),
    noticePercent: config.notice,
    timeZone: config.timezone,
    columns: config.columns,
    defaults: config.defaults,
    banks: config.banks,
    onClose: config.onClose,
    onMismatch: config.onMismatch,
    onUnchecked: config.onUnchecked,
  };
}

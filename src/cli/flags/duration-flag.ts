import { type DurationBounds, durationBounds, isWithin, parseDuration } from '../../domain/duration.ts';
import { PayrunError } from '../../errors.ts';

export function durationFlag(flag: string, text: string, bounds?: DurationBounds, advice = ''): number {
  const value = parseDuration(text);
  if (value !== undefined && (!bounds || isWithin(value, bounds))) return value;
  const what = bounds ? `from ${bounds.least} to ${bounds.most}` : 'such as 500ms, 30s or 10m';
  throw new PayrunError('bad-duration', `${flag} takes a duration ${what}, not "${text}".${advice}`);
}

/** How long ago the same payment counts as a repeat. It cannot be so short that nothing is one. */
export function repeatWindowFlag(given: string | undefined): number | undefined {
  const advice = ' To let repeated payments through, say how many: --allow-repeats N.';
  return given === undefined
    ? undefined
    : durationFlag('--repeat-window', given, durationBounds.repeatWindow, advice);
}

/** How long a payout must have been pending before a person may call it unpaid; undefined: as configured. */
export function pendingForFlag(given: string | undefined): number | undefined {
  return given === undefined ? undefined : durationFlag('--pending-for', given, durationBounds.pendingFor);
}

import { counted } from './counted.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long something has lasted, as people say it: `40 seconds`, `12 minutes`, `5 hours`, `3 days`. */
export function ageText(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < 2 * minute) return counted(Math.floor(ms / 1000), 'second');
  if (ms < 2 * hour) return counted(Math.floor(ms / minute), 'minute');
  if (ms < 2 * day) return counted(Math.floor(ms / hour), 'hour');
  return counted(Math.floor(ms / day), 'day');
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `30s`, `10m`, `24h`, `5d`; a bare number is refused, for its unit would be a guess. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!parts) return undefined;
  return Math.round(Number(parts[1]) * unitMs[parts[2] as keyof typeof unitMs]);
}

/** So long a second payment of the same counts as a repeat, unless somebody sets it otherwise. */
export const usualRepeatWindowMs = 5 * unitMs.d;

/** What a duration may be where not every one makes sense, as people write it. */
export interface DurationBounds {
  readonly least: string;
  readonly most: string;
}

export const durationBounds = {
  /** Below an hour the guard against repeats would guard nothing, and nobody would have said how many may pass. */
  repeatWindow: { least: '1h', most: '3650d' },
  /** A reply takes some time, and no timer runs for longer than 24 days. */
  timeout: { least: '100ms', most: '1h' },
  /** Within a day a payout may simply be late. */
  pendingFor: { least: '24h', most: '3650d' },
  /** Less than the default must be said by the person who decides, each time. */
  pendingForInConfig: { least: '7d', most: '3650d' },
  deadline: { least: '0s', most: '20d' },
} as const satisfies Record<string, DurationBounds>;

export function isWithin(durationMs: number, { least, most }: DurationBounds): boolean {
  return durationMs >= (parseDuration(least) ?? 0) && durationMs <= (parseDuration(most) ?? 0);
}

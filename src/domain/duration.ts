const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `30s`, `10m`, `24h`, `5d`; a bare number is refused, for its unit would be a guess. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!parts) return undefined;
  return Math.round(Number(parts[1]) * unitMs[parts[2] as keyof typeof unitMs]);
}

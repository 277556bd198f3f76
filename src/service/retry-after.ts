/** Whatever a service asks for, an hour is the longest that is believed. */
const longestMs = 60 * 60 * 1000;

/** A Retry-After header, in seconds or as an HTTP date, as a pause; undefined where it is neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, longestMs);
  // Date.parse takes almost anything, and reads a date without a zone as local time.
  if (!/^[A-Za-z]{3,9},? .* GMT$/.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(atMs - nowMs, 0), longestMs);
}

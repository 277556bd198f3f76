/** A moment as people read it, `16 Nov 2026, 11:31`. Made once for many: making it takes longest. */
export function timeIn(timeZone: string, withSeconds = false): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
  });
  return (atMs) => format.format(atMs);
}

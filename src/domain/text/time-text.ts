/** A moment as people read it beside others: `2026-11-15 14:03:22`. Made once for many: making it takes longest. */
export function timeTextIn(timeZone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const part = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const day = `${part.get('year')}-${part.get('month')}-${part.get('day')}`;
    return `${day} ${part.get('hour')}:${part.get('minute')}:${part.get('second')}`;
  };
}

/** A moment for machines, to the millisecond, in UTC. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

import { readableText } from '../domain/text/readable-text.ts';
import type { OnEvent, RunEvent } from '../pipeline/run-events.ts';

const everyMs = 2_000;

/** Tells on stderr how a run goes: a line now and then, alarms at once, everything as JSON lines when asked. */
export function progressListener(flags: {
  quiet: boolean;
  verbose: boolean;
  'json-lines': boolean;
}): OnEvent {
  const counts = new Map<string, number>();
  let lastMs = 0;
  return (event) => {
    if (flags['json-lines']) process.stderr.write(`${JSON.stringify(event)}\n`);
    else if (event.kind === 'alarm') process.stderr.write(`ALARM  ${event.message}\n`);
    else if (!flags.quiet) tell(event);
  };

  function tell(event: RunEvent): void {
    if (event.kind === 'moved') counts.set(event.to, (counts.get(event.to) ?? 0) + 1);
    const line =
      event.kind === 'notice' && flags.verbose
        ? readableText(event.message)
        : event.kind === 'waiting'
          ? `${event.why} (${Math.ceil(event.forMs / 1000)} s)`
          : undefined;
    const nowMs = Date.now();
    if (nowMs - lastMs < everyMs && event.kind !== 'notice') return;
    lastMs = nowMs;
    const moved = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
    if (line !== undefined || moved !== '')
      process.stderr.write(`${[moved, line].filter(Boolean).join('; ')}\n`);
  }
}

export function toAll(...listeners: readonly OnEvent[]): OnEvent {
  return (event) => {
    for (const listener of listeners) listener(event);
  };
}

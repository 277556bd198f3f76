import { systemClock } from '../../clock.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { OnEvent, RunEvent } from '../../index.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';

const everyMs = 2_000;

const stageWords = { names: 'checking names', payees: 'registering payees', submit: 'sending' } as const;

/** Tells on stderr how a run goes: a line now and then, alarms at once, everything as JSON lines when asked. */
export function progressListener(
  flags: { quiet: boolean; verbose: boolean; 'json-lines': boolean },
  write: (text: string) => void = (text) => void process.stderr.write(text),
  nowMs: () => number = systemClock.monotonicMs,
): OnEvent {
  const line = progressLine();
  let lastMs = nowMs();
  let last = '';
  return (event) => {
    if (flags['json-lines']) write(`${jsonText(event)}\n`);
    else if (event.kind === 'alarm') write(terminalText(`ALARM  ${event.message}\n`));
    else if (!flags.quiet) tell(event);
  };

  function tell(event: Exclude<RunEvent, { kind: 'alarm' }>): void {
    if (event.kind === 'notice') {
      if (event.answers) write(terminalText(`${event.message}\n`));
      else if (flags.verbose) write(terminalText(`${readableText(event.message)}\n`));
      return;
    }
    const text = line(event);
    // A long wait is said when it begins: until its end nothing else will be.
    const atOnce = event.kind === 'waiting' && event.forMs >= everyMs;
    if (text === last || (!atOnce && nowMs() - lastMs < everyMs)) return;
    lastMs = nowMs();
    last = text;
    write(terminalText(`${text}\n`));
  }
}

/** `sending 40 of 300, 3 held`; then `120 paid, 2 failed; 178 payouts are on their way (5 s)`. */
function progressLine(): (event: Exclude<RunEvent, { kind: 'alarm' | 'notice' }>) => string {
  const counts = new Map<string, number>();
  let stage = '';
  return (event) => {
    if (event.kind === 'stage') stage = `${stageWords[event.stage]} ${event.done} of ${event.of}`;
    // What was sent is counted by its stage.
    else if (event.kind === 'moved' && event.to !== 'submitted')
      counts.set(event.to, (counts.get(event.to) ?? 0) + 1);
    // All is sent by then.
    if (event.kind === 'moved' && event.from === 'submitted') stage = '';
    const moved = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
    if (event.kind !== 'waiting') return [stage, moved].filter(Boolean).join(', ');
    return [moved, `${event.why} (${Math.ceil(event.forMs / 1000)} s)`].filter(Boolean).join('; ');
  };
}

/** Where a stage stands is for whoever watches: a log would hold little else. */
export function withoutStages(listener: OnEvent): OnEvent {
  return (event) => {
    if (event.kind !== 'stage') listener(event);
  };
}

export function toAll(...listeners: readonly OnEvent[]): OnEvent {
  return (event) => {
    for (const listener of listeners) listener(event);
  };
}

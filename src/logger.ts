import { pino } from 'pino';
import type { OnEvent, RunEvent } from './pipeline/run-events.ts';

/**
 * The log of a workspace: one line of JSON for each event of a run, for whoever looks into a run that nobody watched.
 * Events carry payment ids, states and reasons; never a key, a token or an account number.
 */
export function openLog(path: string, about: Readonly<Record<string, string>>): RunLog {
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600, append: true });
  const log = pino({ base: about, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    onEvent: (event) => log[levelOf(event)](event),
    end: (fields) => log.info({ kind: 'end', ...fields }),
    close: () => destination.end(),
  };
}

export interface RunLog {
  readonly onEvent: OnEvent;
  end(fields: Readonly<Record<string, unknown>>): void;
  close(): void;
}

function levelOf(event: RunEvent): 'error' | 'warn' | 'info' {
  if (event.kind === 'alarm') return 'error';
  return event.kind === 'notice' ? 'warn' : 'info';
}

import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { escapeControlCharacters } from './domain/text/escape-control-characters.ts';
import { maskNumbers } from './domain/text/mask-numbers.ts';
import { exitCode, PayrunError } from './errors.ts';
import type { RunEvent } from './pipeline/run/run-events.ts';
import { claimPrivateFile } from './storage/private-file.ts';
import { rotateFile } from './storage/rotate-file.ts';

/**
 * The log of a workspace: one line of JSON for each event of a run, for whoever looks into a run that nobody watched.
 * Events carry payment ids, states and reasons; never a key, a token or an account number.
 */
export function openLog(path: string, about: Readonly<Record<string, string>>) {
  ifPossible(() => rotateFile(path, rotation, Date.now()));
  claimLog(path);
  const destination = pino.destination({ dest: path, sync: true, mode: 0o600, append: true });
  // What is logged in one turn is written at once: a line a write would take longer than to make the line.
  let lines = '';
  const flush = () => {
    const written = lines;
    lines = '';
    if (written !== '') ifPossible(() => destination.write(written));
  };
  // JSON escapes the old control characters only; what is read with `tail` must not act on the terminal either.
  const harmless = {
    write(line: string): void {
      if (lines === '') setImmediate(flush);
      lines += escapeControlCharacters(line);
    },
  };
  process.on('exit', flush);
  // Several runs write at once: by this a line tells whose it is.
  const run = randomUUID().slice(0, 8);
  const log = pino({ base: { run, ...about }, timestamp: isoTimes() }, harmless);
  // One that is killed before it has done anything has begun all the same: it is the one without an end.
  ifPossible(() => log.info({ kind: 'begin' }));
  return {
    onEvent: (event: RunEvent) => ifPossible(() => log[levelOf(event)](withMaskedNumbers(event))),
    end: (fields: Readonly<Record<string, unknown>>) =>
      ifPossible(() => log.info(withMaskedNumbers({ kind: 'end', ...fields }))),
    /** What ended it, where it came to no end of its own. */
    failed: (error: unknown, about: Readonly<Record<string, unknown>> = {}) =>
      ifPossible(() => log.error(withMaskedNumbers({ kind: 'end', ...about, ...sayable(error) }))),
    close(): void {
      flush();
      process.off('exit', flush);
      ifPossible(() => destination.end());
    },
  };
}

/** Many lines are of the same millisecond, and to write its time takes as long as half of the line. */
function isoTimes(): () => string {
  let lastMs = 0;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== lastMs) text = `,"time":"${new Date(nowMs).toISOString()}"`;
    lastMs = nowMs;
    return text;
  };
}

/** Of an error of ours only: what another says may hold anything. */
function sayable(error: unknown): object {
  if (!(error instanceof PayrunError)) return { exit: exitCode.unexpected, code: 'unexpected' };
  const { exit, code, message } = error;
  return { exit, code, message };
}

export type Log = ReturnType<typeof openLog>;

const rotation = { mostBytes: 10 * 1024 * 1024, mostAgeMs: 30 * 24 * 3_600_000, kept: 12 };

/**
 * A line that cannot be written is dropped. Whether the disk lets a run go on is for the journal to say: the log must
 * neither stop a payout half-way nor hide, at the end, what stopped the run.
 */
function ifPossible(write: () => void): void {
  try {
    write();
  } catch {
    return;
  }
}

/** Somebody may have numbered the payments by their accounts. */
function withMaskedNumbers(fields: object): object {
  let masked = fields;
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (typeof value !== 'string') continue;
    const shown = maskNumbers(value);
    if (shown !== value) masked = { ...masked, [name]: shown };
  }
  return masked;
}

function claimLog(path: string): void {
  try {
    claimPrivateFile(path);
  } catch (error) {
    throw new PayrunError(
      'log-not-writable',
      `The log ${path} cannot be used: ${(error as Error).message}. Nothing was sent.`,
      { cause: error },
    );
  }
}

function levelOf(event: RunEvent): 'error' | 'warn' | 'info' {
  if (event.kind === 'alarm') return 'error';
  return event.kind === 'notice' ? 'warn' : 'info';
}

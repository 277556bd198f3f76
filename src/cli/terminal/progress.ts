import { systemClock } from '../../clock.ts';
import { readableText } from '../../domain/text/readable-text.ts';
import type { OnEvent, Pulse, RunEvent } from '../../index.ts';
import { progressBlock, progressLine } from '../../report/progress-lines.ts';
import { jsonText, terminalText } from '../../report/terminal-text.ts';
import { createRunView } from './run-view.ts';
import { createScreenBlock, type Screen } from './screen-block.ts';
import { styledText } from './styled-text.ts';

export interface ProgressFlags {
  readonly quiet: boolean;
  /** How much more is said than usual: 1 for notices, 2 for every move. */
  readonly verbose: number;
  readonly 'json-lines': boolean;
}

export interface ProgressPlace {
  readonly stream: Screen & { readonly isTTY?: boolean | undefined };
  readonly pulse: Pulse;
  /** Called before anything is said that stays: what stands first is said first. */
  readonly before?: (() => void) | undefined;
  readonly nowMs?: (() => number) | undefined;
  /** Words of the environment: TERM, LANG. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** How a run goes, for whoever watches it. */
export interface Progress {
  readonly onEvent: OnEvent;
  /** What is said besides, above a block that is being drawn; by a quiet run nothing. */
  readonly tell: (text: string) => void;
  /** The same, though the run be quiet. */
  readonly say: (text: string) => void;
  /** Somebody is asked: nothing is drawn until the run goes on. */
  readonly pause: () => void;
  /** Nobody is asked any more, and nothing has been heard yet. */
  readonly goOn: () => void;
  /** What a timer does; a test calls it itself. */
  readonly tick: () => void;
  readonly close: () => void;
}

const lineEveryMs = 2_000;
/** Of the time that a run has taken so far: whoever reads a log of the night wants no line for every two seconds of it. */
const lineEveryPart = 0.2;
const lineAtLeastEveryMs = 60_000;
const sameLineEveryMs = 10_000;
const lookEveryMs = 500;
const drawEveryMs = 200;

/**
 * A block on a terminal that is drawn again and again, a line now and then elsewhere, everything as JSON lines when
 * asked; alarms at once. A timer keeps it true while nothing happens: silence is when people wonder.
 */
export function openProgress(flags: ProgressFlags, place: ProgressPlace): Progress {
  const { stream, pulse, before, nowMs = systemClock.monotonicMs, env = process.env } = place;
  const view = createRunView(nowMs, pulse.read);
  const isLive = stream.isTTY === true && env['TERM'] !== 'dumb' && !flags['json-lines'] && !flags.quiet;
  const block = createScreenBlock(stream);
  const isUnicode = /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'utf-8');
  // From the beginning: a service may be silent before anything is heard of the run.
  let isRunning = true;
  const begunMs = nowMs();
  let lastMs = begunMs;
  let last = '';

  const styled = (text: string) => styledText(text, stream, env);
  const write = (text: string) => {
    before?.();
    if (isLive) block.say(text);
    else stream.write(text);
  };
  const say = (text: string) =>
    write(flags['json-lines'] ? `${jsonText({ kind: 'notice', message: text })}\n` : styled(`${text}\n`));

  function onEvent(event: RunEvent): void {
    view.take(event);
    if (flags['json-lines']) write(`${jsonText(event)}\n`);
    else if (event.kind === 'alarm') say(`ALARM  ${event.message}`);
    else if (!flags.quiet) hear(event);
  }

  function hear(event: Exclude<RunEvent, { kind: 'alarm' }>): void {
    if (event.kind === 'notice') {
      if (event.answers) say(event.message);
      else if (flags.verbose > 0) say(readableText(event.message));
      return;
    }
    if (event.kind === 'moved' && flags.verbose > 1) say(movedLine(event));
    goOn();
    // A long wait is said when it begins: until its end nothing else will be.
    if (!isLive && event.kind === 'waiting' && event.forMs >= lineEveryMs) sayLine();
  }

  function tick(): void {
    if (!isRunning || flags.quiet || flags['json-lines']) return;
    if (isLive) {
      block.draw(progressBlock(view.read(), block.columns(), isUnicode));
      return;
    }
    const isSame = progressLine(view.read()) === last;
    const rarely = Math.min(lineAtLeastEveryMs, (lastMs - begunMs) * lineEveryPart);
    if (nowMs() - lastMs >= Math.max(isSame ? sameLineEveryMs : lineEveryMs, rarely)) sayLine();
  }

  function sayLine(): void {
    const line = progressLine(view.read());
    if (line === '') return;
    lastMs = nowMs();
    last = line;
    write(terminalText(`${line}\n`));
  }

  function goOn(): void {
    isRunning = true;
  }

  function pause(): void {
    isRunning = false;
    if (isLive) block.end();
  }

  const timer = setInterval(tick, isLive ? drawEveryMs : lookEveryMs);
  timer.unref();
  return {
    onEvent,
    tell: (text) => {
      if (!flags.quiet) say(text);
    },
    say,
    pause,
    goOn,
    tick,
    close() {
      clearInterval(timer);
      pause();
    },
  };
}

function movedLine({ key, from, to, reason }: Extract<RunEvent, { kind: 'moved' }>): string {
  return `payment ${readableText(key)}: ${from} to ${to}${reason === '' ? '' : `: ${readableText(reason)}`}`;
}

/** Where a stage stands is for whoever watches: a log would hold little else. */
export function withoutStages(listener: OnEvent): OnEvent {
  return (event) => {
    if (event.kind !== 'stage' && event.kind !== 'by-workers') listener(event);
  };
}

export function toAll(...listeners: readonly OnEvent[]): OnEvent {
  return (event) => {
    for (const listener of listeners) listener(event);
  };
}

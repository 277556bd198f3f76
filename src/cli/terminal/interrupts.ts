import { type ExitCode, exitCode, PayrunError } from '../../errors.ts';

export interface Interrupts {
  /** Aborted by the first, or when the time is over: no payout is begun any more. */
  readonly signal: AbortSignal;
  /** Aborted by the first. */
  readonly stop: AbortSignal;
  /** 130 or 143 once one arrived. */
  exit(): ExitCode | undefined;
  close(): void;
}

/**
 * The first Ctrl-C takes no new payouts, lets those under way end and has the results written. The second leaves at
 * once: that is as safe as kill -9, which is always safe.
 */
export function watchInterrupts(
  deadlineMs: number | undefined,
  say: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
  mayAnythingBeSent: () => boolean = () => true,
): Interrupts {
  const controller = new AbortController();
  const stopping = new AbortController();
  let exit: ExitCode | undefined;
  const nowOn = () =>
    mayAnythingBeSent() ? ': payrun starts no new payouts and finishes those under way' : '';
  const stop = (code: ExitCode) => () => {
    if (exit !== undefined) {
      say('Stopped at once. Run the same command again: it continues.');
      process.exit(code);
    }
    exit = code;
    const again = code === exitCode.interrupted ? 'Press again to stop' : 'Another signal stops it';
    say(`Stopping${nowOn()}. ${again} at once.`);
    stopping.abort();
    controller.abort();
  };
  const onInterrupt = stop(exitCode.interrupted);
  const onTerminate = stop(exitCode.terminated);
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  const overdue = () => {
    if (exit === undefined) say(`The time of --deadline is over${nowOn()}.`);
    controller.abort();
  };
  const timer = deadlineMs === undefined ? undefined : setTimeout(overdue, deadlineMs);
  timer?.unref();
  return {
    signal: controller.signal,
    stop: stopping.signal,
    exit: () => exit,
    close() {
      clearTimeout(timer);
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
    },
  };
}

/** What a signal has stopped before anything was sent ends with the exit code of that signal. */
export function asInterrupted(error: unknown, { exit }: Pick<Interrupts, 'exit'>): unknown {
  const code = exit();
  if (code === undefined || !(error instanceof PayrunError) || error.code !== 'stopped-first') return error;
  return new PayrunError(error.code, error.message, { exit: code, cause: error });
}

/** For what only listens: it has nothing to finish. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ExitCode } from './exit-codes.ts';

export { type ExitCode, exitCode, worstExit } from './exit-codes.ts';

interface PayrunErrorOptions extends ErrorOptions {
  readonly messageAfterSends?: string;
  /** Where it is not the one of the code. */
  readonly exit?: ExitCode;
}

/**
 * What stops a whole command, said to a person without a stack. A row's trouble is a value, never this;
 * a bug is an assertion, shown with its stack.
 */
export class PayrunError extends Error {
  readonly code: ErrorCode;
  readonly exit: ExitCode;
  /** What is said instead where the run had sent something before: its message claims that nothing was. */
  readonly messageAfterSends: string;

  constructor(
    code: ErrorCode,
    message: string,
    { messageAfterSends = message, exit = errorCodes[code].exit, ...options }: PayrunErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'PayrunError';
    this.code = code;
    this.exit = exit;
    this.messageAfterSends = messageAfterSends;
  }
}

import { exitCode, PayrunError } from '../errors.ts';

const mostTroubles = 12;
const mostEqualRefusals = 12;

/**
 * Stops a run that walks into a dead host or an empty wallet: after so many calls in a row that came to nothing, or so
 * many refusals in a row for one and the same reason.
 */
export function createBreaker() {
  let troubles = 0;
  let refusals = 0;
  let refusedWith = '';
  return {
    succeeded(): void {
      troubles = 0;
      refusals = 0;
    },
    refused(errorCode: string, message: string): void {
      troubles = 0;
      refusals = errorCode === refusedWith ? refusals + 1 : 1;
      refusedWith = errorCode;
      if (refusals >= mostEqualRefusals) {
        throw new PayrunError(
          'refused-in-a-row',
          exitCode.stoppedEarly,
          `The service refused ${refusals} payouts in a row${errorCode && ` with ${errorCode}`} (${message}). payrun stopped before asking for the rest. Fix the cause, then run the same command again.`,
        );
      }
    },
    troubled(cause: string): void {
      troubles += 1;
      if (troubles >= mostTroubles) {
        throw new PayrunError(
          'service-down',
          exitCode.stoppedEarly,
          `The service could not be worked with ${troubles} times in a row: ${cause}. payrun stopped; it is safe to run the same command again later.`,
        );
      }
    },
  };
}

export type Breaker = ReturnType<typeof createBreaker>;

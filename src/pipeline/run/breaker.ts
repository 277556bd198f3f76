import { exitCode, PayrunError } from '../../errors.ts';
import type { TryLater } from '../../service/call-outcome.ts';

const mostTroubles = 12;
const mostEqualRefusals = 12;
/** Besides those that were under way at once: one token that ends, or one burst, explains as many as that. */
const mostAnswers = 6;
const mostAnswersToOne = 5;

/**
 * Stops a run that walks into a dead host, an empty wallet or a used-up quota: after so many calls in a row that came to
 * nothing, so many refusals in a row for one and the same reason, or so many answers that ask for another send. As long as
 * nothing went well no more are begun than that, however many may be under way at once.
 */
export function createBreaker(sendsAtOnce = 0) {
  let underWay = 0;
  let hasGoneWell = false;
  let tripped: PayrunError | undefined;
  let waiting: (() => void)[] = [];
  let troubles = 0;
  let late = 0;
  let refusals = 0;
  let refusedWith = '';
  let answers = 0;

  const isFull = () => {
    // Who waits for its place among the calls would else be let through before those who have theirs come to nothing.
    if (sendsAtOnce > 0 && underWay >= sendsAtOnce) return true;
    const inVain = Math.max(troubles, refusals);
    return (inVain > 0 || !hasGoneWell) && inVain + underWay >= mostTroubles;
  };
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const go of woken) go();
  };
  const trip = (error: PayrunError): PayrunError => {
    tripped ??= error;
    return error;
  };

  return {
    /** Waits until one more send may be begun: whoever begins it says when it has ended. Throws why none may any more. */
    async begin(): Promise<void> {
      while (!tripped && isFull()) await new Promise<void>((go) => waiting.push(go));
      if (tripped) throw tripped;
      underWay += 1;
    },
    ended(): void {
      underWay -= 1;
      wake();
    },
    succeeded(): void {
      hasGoneWell = true;
      troubles = 0;
      late = 0;
      refusals = 0;
      answers = 0;
    },
    /** A send had its intent and could not leave in time. One stand-still explains all that were under way. */
    tooLate(): void {
      late += 1;
      if (late >= mostTroubles + sendsAtOnce) {
        throw trip(
          new PayrunError(
            'sends-too-late',
            `${late} sends in a row did not leave within 5 s of their intent, so that nothing of them left: this machine, its disk or the connection to the service is too slow. payrun stopped; it is safe to run the same command again later.`,
          ),
        );
      }
    },
    /** A send was answered with 401 or 429; `times` says how many of the payout's were in this run. */
    answered(outcome: TryLater, times: number): void {
      answers += 1;
      if (times >= mostAnswersToOne) throw trip(keepsAnswering(outcome, `one payout ${times} times`));
      if (answers >= mostAnswers + sendsAtOnce)
        throw trip(keepsAnswering(outcome, `${answers} sends in a row`));
    },
    refused(errorCode: string, message: string): void {
      troubles = 0;
      answers = 0;
      refusals = errorCode === refusedWith ? refusals + 1 : 1;
      refusedWith = errorCode;
      if (refusals >= mostEqualRefusals) {
        throw trip(
          new PayrunError(
            'refused-in-a-row',
            `The service refused ${refusals} payouts in a row${errorCode && ` with ${errorCode}`} (${message}). payrun stopped before asking for the rest. Fix the cause, then run the same command again.`,
          ),
        );
      }
    },
    troubled(cause: string): void {
      troubles += 1;
      if (troubles >= mostTroubles) {
        throw trip(
          new PayrunError(
            'service-down',
            `The service could not be worked with ${troubles} times in a row: ${cause}. payrun stopped; it is safe to run the same command again later.`,
          ),
        );
      }
    },
  };
}

export type Breaker = ReturnType<typeof createBreaker>;

/** What is counted of one batch: by a run while it lasts, by a worker from chunk to chunk until it has tripped. */
export interface Breakers {
  readonly payees: Breaker;
  readonly sends: Breaker;
}

export function createBreakers(sendsAtOnce: number): Breakers {
  return { payees: createBreaker(), sends: createBreaker(sendsAtOnce) };
}

/** The credentials are refused, not the token. */
export function credentialsRefused({ message }: TryLater): PayrunError {
  const words = message === undefined ? '' : ` (${message})`;
  return new PayrunError(
    'credentials-refused',
    `The service refused two fresh tokens${words}. Check PAYRUN_API_KEY and PAYRUN_PUBLIC_KEY, then run the same command again.`,
    { exit: exitCode.stoppedEarly },
  );
}

function keepsAnswering({ httpStatus, message }: TryLater, what: string): PayrunError {
  const words = message === undefined ? '' : ` (${message})`;
  return new PayrunError(
    'service-keeps-answering',
    `The service answered ${what} with ${httpStatus}${words} and paid nothing. payrun stopped; it is safe to run the same command again later.`,
  );
}

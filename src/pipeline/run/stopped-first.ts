import { PayrunError } from '../../errors.ts';

/** Whatever trouble a stop leads to before anything is sent, it is the stop that is told. */
export async function unlessStopped<Value>(
  asked: Promise<Value>,
  signal: AbortSignal,
  before: string,
): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (!signal.aborted || !(error instanceof PayrunError)) throw error;
    throw stoppedFirst(before);
  }
}

export function stoppedFirst(before: string): PayrunError {
  return new PayrunError(
    'stopped-first',
    `Stopped before ${before}: this run sent nothing. Run the same command again.`,
  );
}

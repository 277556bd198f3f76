import { whenAborted } from '../when-aborted.ts';

/** The promise's value, or the other one as soon as the signal aborts; the promise itself goes on for others. */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  otherwise: T,
): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) return Promise.resolve(otherwise);
  return new Promise((resolve, reject) => {
    const stopListening = whenAborted(signal, () => resolve(otherwise));
    void promise.then(resolve, reject).finally(stopListening);
  });
}

import { PayrunError } from '../errors.ts';

/** Closing waits for what is under way: a run whose journal was closed could not write down what it is sending. */
export function closeWhenDone<Calls extends object>(calls: Calls, close: () => Promise<void>) {
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;
  const watched = (member: unknown): unknown =>
    typeof member === 'function'
      ? (...given: unknown[]) => {
          if (isClosed) return Promise.reject(handleClosed());
          const answer: unknown = member(...given);
          if (answer instanceof Promise) {
            underWay.add(answer);
            const over = () => void underWay.delete(answer);
            void answer.then(over, over);
          }
          return answer;
        }
      : member;
  return {
    ...(Object.fromEntries(Object.entries(calls).map(([name, member]) => [name, watched(member)])) as Calls),
    /** Lets journal and service go, once what is under way is over: end a run by its signal first. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(underWay);
      await close();
    },
  };
}

function handleClosed(): PayrunError {
  return new PayrunError('handle-closed', 'This handle was closed. Open another with openPayrun.');
}

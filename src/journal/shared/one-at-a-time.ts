/** Each waits until the one before it has let go. */
export function createQueue() {
  let last: Promise<void> = Promise.resolve();
  return {
    /** Resolves when it is the caller's, to what lets go of it. */
    enter(): Promise<() => void> {
      const before = last;
      let letGo: () => void = () => undefined;
      last = new Promise((resolve) => {
        letGo = resolve;
      });
      return before.then(() => letGo);
    },
  };
}

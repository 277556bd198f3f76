/**
 * From asking for an intent to the first byte of its send; later it does not leave. Whoever takes a batch over from one that
 * cannot be seen any more waits for as long.
 */
export const leavesWithinMs = 5_000;

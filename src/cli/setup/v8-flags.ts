import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of both halves of the space for what is new: enough that a collection of it finds most things dead. */
const newSpaceBytes = 8_000_000;
const lookEveryMs = 10;

/**
 * So that a million rows are judged in the memory of ten thousand. Rows live for a moment, but V8 learns from the first ones
 * that they live long, and from then on puts all of them where only a full garbage collection finds them; it doubles the
 * space for what is new as long as rows come, and lets four times what is in use lie before it collects.
 */
export function setV8Flags(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  // Only of a large file: while the program is loaded it would only make more collections. The limit of that space is fixed
  // when V8 starts; that it no longer grows can be said at any time.
  const timer = setInterval(() => {
    const bytes = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
    if (bytes < newSpaceBytes) return;
    clearInterval(timer);
    setFlagsFromString('--semi-space-growth-factor=1');
    setFlagsFromString('--heap-growing-percent=20');
  }, lookEveryMs);
  timer.unref();
}

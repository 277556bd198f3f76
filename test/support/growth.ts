/** How much longer work may take for a text four times as long: four times is linear, sixteen is quadratic. */
const mostGrowth = 8;
/** Enough for whatever is compiled at the first call. */
const firstMs = 300;
const steps = 3;

export interface Growth {
  /** Tried last, after a sixteenth and a quarter of it. */
  readonly largest: number;
  /** What a garbage collection may add is no growth. */
  readonly noiseMs: number;
}

/**
 * Whether work grows faster than its text. Sizes go up by four, so that what grows with the square is found long before
 * it takes for ever. Only time of the processor counts: a busy machine changes little.
 */
export function growsTooFast(work: (size: number) => () => void, { largest, noiseMs }: Growth): boolean {
  let before: number | undefined;
  for (let step = steps - 1; step >= 0; step -= 1) {
    const run = work(Math.floor(largest / 4 ** step));
    const bound = before === undefined ? firstMs : before * mostGrowth + noiseMs;
    let taken = cpuMs(run);
    for (let again = 0; again < 2 && taken > bound; again += 1) taken = Math.min(taken, cpuMs(run));
    if (taken > bound) return true;
    before = taken;
  }
  return false;
}

function cpuMs(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

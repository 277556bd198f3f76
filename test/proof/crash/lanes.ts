import { seededChance } from '../../support/chance.ts';

/** Most of a point's time goes into waiting: for a process, for a quiet period. */
export const laneCount = 3;

/** Does the work for each, a few at a time, in order of their turn. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) await work(item, index);
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
}

/** A part of them, chosen by the seed: at least one, and all of them for a share of 1. */
export function sampleOf<Item>(items: readonly Item[], share: number, seed: number): Item[] {
  if (share >= 1) return [...items];
  const chance = seededChance(seed);
  const wanted = Math.max(1, Math.round(items.length * share));
  const drawn = items.map((item, index) => ({ item, index, lot: chance() }));
  return drawn
    .sort((one, other) => one.lot - other.lot)
    .slice(0, wanted)
    .sort((one, other) => one.index - other.index)
    .map(({ item }) => item);
}

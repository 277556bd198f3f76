import { setImmediate } from 'node:timers/promises';

/** Something for each of many, with room for everything else between two pages of them. */
export async function inSlices<Item>(
  pages: Iterable<readonly Item[]>,
  work: (item: Item) => void,
): Promise<void> {
  for (const page of pages) {
    for (const item of page) work(item);
    await setImmediate();
  }
}

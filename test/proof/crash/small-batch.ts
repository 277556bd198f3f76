import type { ProofGround } from './proof-ground.ts';
import { openSite, type Site, type SiteWishes } from './site.ts';

const rowCount = 10;

/** A site with a batch so small that every operation of its run can be struck. */
export function openSmallBatch(
  { folder, shim, services }: ProofGround,
  name: string,
  wishes: Pick<SiteWishes, 'concurrency' | 'dedupe' | 'flags' | 'program' | 'journal'>,
): Promise<Site> {
  return openSite({ parent: folder, name, services, shim, rows: rowCount, ...wishes });
}

const counted = new Map<number, Promise<string>>();

/**
 * The kinds of all operations of a run that nothing is done to, a letter each. Counted once: threads and the network make
 * the next run differ a little, whoever counts.
 */
export function operationsOf(ground: ProofGround, concurrency: number): Promise<string> {
  const known = counted.get(concurrency) ?? countOperations(ground, concurrency);
  counted.set(concurrency, known);
  return known;
}

export async function countOperations(
  ground: ProofGround,
  concurrency: number,
  program?: string,
): Promise<string> {
  const site = await openSmallBatch(ground, `count${concurrency}`, { concurrency, dedupe: 'on', program });
  try {
    const { exit, stderr, kinds } = await site.run({ mode: 'count' });
    if (exit !== 0) throw new Error(`nothing was done to it, and yet: ${stderr}`);
    return kinds;
  } finally {
    await site.close();
  }
}

/** One call at a time, and many; a small sample makes do with one of them. */
export function concurrenciesOf(share: number, seed: number): number[] {
  const both = [1, 16];
  return share < 0.1 ? [both[seed % 2] ?? 1] : both;
}

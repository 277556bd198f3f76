import { chunksText } from '../domain/text/chunks-text.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { Presence } from './keep-present.ts';

interface InHandParts {
  readonly presence: Pick<Presence, 'does'>;
  /** From now on, beside its own: that of the batch which it works on. */
  readonly keepRate: (ratePerSecond: number | undefined) => void;
}

/**
 * The chunks that a worker works on at a time: of one batch only, whose rate it keeps and whose name it says, as long as it has
 * any of it.
 */
export function createChunksInHand({ presence, keepRate }: InHandParts) {
  const numbers = new Set<number>();
  let held: Pick<BatchRecord, 'id' | 'name'> | undefined;
  let rate: number | undefined;

  async function tell(): Promise<void> {
    keepRate(held && rate);
    await presence.does(held ? textOf(held.name, [...numbers]) : 'nothing', held && rate);
  }

  return {
    isEmpty: (): boolean => held === undefined,

    /** Whether a chunk of that batch may be taken too. */
    goesWith: (batch: number): boolean => held === undefined || held.id === batch,

    async take(
      batch: BatchRecord,
      chunks: readonly number[],
      ratePerSecond: number | undefined,
    ): Promise<void> {
      held = batch;
      rate = ratePerSecond;
      for (const number of chunks) numbers.add(number);
      await tell();
    },

    async letGo(chunks: readonly number[]): Promise<void> {
      for (const number of chunks) numbers.delete(number);
      if (numbers.size === 0) held = undefined;
      await tell();
    },
  };
}

/** Whoever wants all of a batch knows by the beginning of this who has parts of it. */
function textOf(batch: string, numbers: readonly number[]): string {
  return `batch ${batch}, ${chunksText(numbers)}`;
}

import type { Journal } from '../../journal/journal.ts';

/** Enough for a commit to be worth its while, and few enough that a slow disk is felt. */
const most = 500;

/**
 * Writes that only record what has happened: a step need not wait for them, for whoever finds them missing after a crash
 * finds the intent, and looks up. All of them are on disk before the next stage begins.
 */
export function createBackgroundWrites(journal: Pick<Journal, 'unhurried' | 'hurry'>) {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  return {
    /** Goes on at once, unless too many are under way. The first that failed stops everybody. */
    async add(begin: () => Promise<unknown>): Promise<void> {
      const end = () => void underWay.delete(done);
      const done = journal.unhurried(begin).then(end, (error: unknown) => {
        failure ??= { error };
        end();
      });
      underWay.add(done);
      if (underWay.size > most) {
        journal.hurry();
        // Not a race of them all, which costs more than any of them: what was begun first is done first.
        const [oldest] = underWay;
        await oldest;
      }
      if (failure) throw failure.error;
    },

    /** Until all of them are on disk. */
    async done(): Promise<void> {
      while (underWay.size > 0) {
        journal.hurry();
        await Promise.all(underWay);
      }
      if (failure) throw failure.error;
    },
  };
}

export type BackgroundWrites = ReturnType<typeof createBackgroundWrites>;

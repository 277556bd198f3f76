import type { Clock } from '../clock.ts';
import type { WorkerDesk } from '../journal/shared/worker-desk.ts';
import type { WorkTold } from './work-told.ts';

const beatEveryMs = 2_000;
/** Who was not heard for so long cannot tell whether the others were not there, or nobody was heard. */
const regularWithinMs = 10_000;
const regularBeats = 2;

interface PresenceParts {
  readonly onWork: (told: WorkTold) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** That all workers keep to together. */
  readonly ratePerSecond: number | undefined;
}

export type Presence = ReturnType<typeof keepPresent>;

/** Tells the others every few seconds that this one is there. Where that fails, they will end it: so it ends itself. */
export function keepPresent(
  desk: Pick<WorkerDesk, 'beat' | 'wanted' | 'says'>,
  { onWork, clock, ratePerSecond }: PresenceParts,
  onLost: (error: Error) => void,
) {
  let doing = 'nothing';
  const begun = new Map<string, { readonly fromMs: number; readonly mark: string }>();
  let wanted: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let heardMs = clock.monotonicMs();
  let regular = regularBeats;
  /** After Postgres, or all of us, stood still, everybody is given the time to be seen. */
  const mayEndOthers = () => {
    const nowMs = clock.monotonicMs();
    regular = nowMs - heardMs > regularWithinMs ? 0 : regular + 1;
    heardMs = nowMs;
    return regular >= regularBeats;
  };
  const look = async () => {
    wanted = await desk.wanted();
  };
  const beat = async () => {
    try {
      const count = await desk.beat(doing, mayEndOthers());
      await look();
      onWork({ kind: 'beat', doing });
      if (count > 0) onWork({ kind: 'ended-others', count });
      timer = setTimeout(() => void beat(), beatEveryMs);
    } catch (error) {
      onLost(error as Error);
    }
  };
  return {
    begin: beat,
    look,
    /** Somebody wants all of that batch: it is let go as soon as what is under way has ended. */
    isWanted: (batch: string): boolean => wanted.has(batch),
    /**
     * Since when nobody, this worker included, can have sent of it: a chunk that comes back without a send more waits for
     * nothing anew. Whoever sends writes that down first, so that the mark tells, whoever had the chunk or all of the batch
     * in between.
     */
    since(name: string, mark: string, graceMs: number): number {
      const known = begun.get(name);
      const fromMs = known?.mark === mark ? known.fromMs : clock.monotonicMs() + graceMs;
      begun.set(name, { fromMs, mark });
      return fromMs;
    },
    /** Said at once: whoever wants the batch looks for those who have parts of it. */
    async does(what: string, wantedRate?: number): Promise<void> {
      doing = what;
      const rates = [ratePerSecond, wantedRate].filter((rate) => rate !== undefined);
      await desk.says(what, rates.length > 0 ? Math.min(...rates) : undefined).catch(onLost);
    },
    end: () => clearTimeout(timer),
  };
}

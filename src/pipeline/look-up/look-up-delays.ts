import type { Clock } from '../../clock.ts';
import type { Asked } from '../../journal/asked.ts';
import type { Journal } from '../../journal/journal.ts';
import type { LookUpProofs } from '../../journal/look-up-proof.ts';
import type { Sent } from '../../journal/sends.ts';
import type { LookUp } from './look-up.ts';

/** Of a large batch only the latest, so many to twice as many: what an older send was not shown by is journaled. */
const mostRemembered = 5_000;

/** Nothing is shown so late: a clock was set. */
const longestBelieved = 10 * 60_000;

/** What this run knows of the sends under one reference. */
interface Sends {
  /** When each began that left the machine, by the clock that never goes back. */
  readonly begunMs: number[];
  /** When the last look-up began, and how many transactions it showed. */
  looked: { readonly atMs: number; readonly shown: number } | undefined;
}

/**
 * Learns from every look-up of a run how long look-ups take to show what was sent. Evidence is only what a look-up shows
 * after an earlier one of the same send did not: a payout that is found late because nobody looked was not shown late.
 */
export function watchDelays(
  journal: Asked<Pick<Journal, 'noteUnseen' | 'unseenMs' | 'sinceLastSendMs'>>,
  proofs: LookUpProofs,
  clock: Clock,
) {
  let sends = new Map<string, Sends>();
  let older = sends;
  /** Of earlier runs, looked up by this one and not found. */
  const inVain = new Set<string>();

  const sendsOf = (reference: string) => sends.get(reference) ?? older.get(reference);

  const isLonger = (delayMs: number) => delayMs > (proofs.read()?.delayMs ?? 0);

  async function learn(delayMs: number): Promise<void> {
    if (delayMs > 0 && (isLonger(delayMs) || !proofs.read()?.lags))
      await proofs.save({ delayMs, lags: true });
  }

  /**
   * An earlier run sent it. When a look-up was last in vain is journaled, unless that run died before it was; what this
   * run saw itself counts from the journaled beginning of the send.
   */
  async function weighEarlier(payout: Sent, shown: number): Promise<void> {
    const sinceMs = await journal.sinceLastSendMs(payout);
    const forMs = sinceMs <= longestBelieved ? sinceMs : 0;
    if (shown === 0) {
      inVain.add(payout.reference);
      if (isLonger(forMs)) await journal.noteUnseen(payout, forMs);
    } else await learn(Math.max(await journal.unseenMs(payout), inVain.has(payout.reference) ? forMs : 0));
  }

  async function weigh(payout: Sent, seen: LookUp, atMs: number): Promise<void> {
    if (seen.kind !== 'found' && seen.kind !== 'not-found') return;
    const shown = seen.kind === 'found' ? seen.transactionIds.length : 0;
    const known = sendsOf(payout.reference);
    if (!known) return weighEarlier(payout, shown);
    const before = known.looked;
    known.looked = { atMs, shown };
    // Where one transaction is shown, which of several sends made it is not known: the last is the least that is certain.
    const begunMs = known.begunMs.at(-Math.max(1, shown)) ?? known.begunMs[0];
    if (begunMs === undefined) return;
    if (shown === 0 && isLonger(atMs - begunMs)) await journal.noteUnseen(payout, Math.floor(atMs - begunMs));
    if (before && before.shown < shown && before.atMs >= begunMs)
      await learn(Math.ceil(clock.monotonicMs() - begunMs));
  }

  return {
    /**
     * The service may have had a payout long before its answer came, or was given up: from there on a slow answer would
     * hide the delay, and a lying one would be believed.
     */
    begin({ reference }: Sent): void {
      const nowMs = clock.monotonicMs();
      const known = sendsOf(reference);
      known?.begunMs.push(nowMs);
      // To find the oldest one among many that are gone takes longer than all else: they are forgotten together.
      if (sends.size >= mostRemembered) {
        older = sends;
        sends = new Map();
      }
      // With just the one in it: a list that grows takes room for many at once.
      sends.set(reference, known ?? { begunMs: [nowMs], looked: undefined });
    },

    /** No byte of the last one left. */
    neverLeft({ reference }: Sent): void {
      sendsOf(reference)?.begunMs.pop();
    },

    async watch(payout: Sent, look: () => Promise<LookUp>): Promise<LookUp> {
      const atMs = clock.monotonicMs();
      const seen = await look();
      await weigh(payout, seen, atMs);
      return seen;
    },
  };
}

export type LookUpDelays = ReturnType<typeof watchDelays>;

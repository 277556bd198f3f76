import type { HeldByService } from '../domain/payout/compare-with-service.ts';
import { endShown, openShown } from '../domain/payout/end-shown.ts';
import type { Payout } from '../domain/payout/payout.ts';
import { reason } from '../domain/payout/reasons.ts';
import { ageText } from '../domain/text/age-text.ts';
import type { Ruling } from './carry-out.ts';
import { type Said, saidBy } from './decide.ts';

export interface KnownOfPending {
  /** When it was last sent or taken, whichever was later. */
  readonly sinceMs: number;
  /** So long it must have been pending. */
  readonly leastMs: number;
  /** What the service shows of it now. */
  readonly held: HeldByService;
  /** By which transactions it was ever known under its reference. */
  readonly taken: readonly string[];
}

/** Whether the service took it and was not seen to end it. One that was given up and retried since is so as well. */
export function isOpenAtService({ state }: Pick<Payout, 'state'>, taken: readonly string[]): boolean {
  return state === 'submitted' || (taken.length > 0 && triedAgain.has(state));
}

const triedAgain: ReadonlySet<Payout['state']> = new Set(['planned', 'ready', 'held']);

/**
 * A person gives up waiting for a payout that the service took and never ended: refused, by the word of that person alone.
 * Its reference and its transaction stay: whoever retries it finds that transaction, and sends nothing before it has failed.
 */
export function giveUpPending(
  payout: Payout,
  { sinceMs, leastMs, held, taken }: KnownOfPending,
  nowMs: number,
  said: Said,
): Ruling {
  if (!isOpenAtService(payout, taken)) return { kind: 'stays', why: `it is ${payout.state} by now` };
  const pendingMs = nowMs - sinceMs;
  if (pendingMs < leastMs)
    return {
      kind: 'stays',
      why: `it has been pending for ${ageText(pendingMs)}; it can be decided about after ${ageText(leastMs)}`,
    };
  const end = endShown(held);
  if (end !== undefined) return { kind: 'stays', why: end };
  const { because } = said;
  const shown = openShown(held);
  return {
    kind: 'moves',
    move: {
      to: 'refused',
      why: `decided: not paid, pending for ${ageText(pendingMs)}, the service shows ${shown}: ${because}`,
      changes: {
        ...reason('decided-while-pending', { by: saidBy(said), reason: because, shown }),
        transactionId: payout.transactionId || (taken.at(-1) ?? ''),
        hold: '',
        settledMs: nowMs,
      },
    },
  };
}

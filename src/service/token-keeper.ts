import type { Clock } from '../clock.ts';
import { abortedBeforeSend, type NotOk, type Ok, type Outcome } from './call-outcome.ts';
import { unlessAborted } from './unless-aborted.ts';

interface TokenKeeper {
  /** A token fit for a call made now. All who ask while one is being minted share that one, and its failure. */
  token(signal?: AbortSignal): Promise<Ok<string> | NotOk>;
  /** The service did not accept this token. Of many calls that report one token only the first makes a difference. */
  discard(token: string): void;
}

export interface MintedToken {
  readonly token: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const marginMs = 60_000;
const graceMs = 5_000;

export function createTokenKeeper(mint: () => Promise<Outcome<MintedToken>>, clock: Clock): TokenKeeper {
  let held: { readonly token: string; readonly isFresh: () => boolean } | undefined;
  let minting: Promise<Ok<string> | NotOk> | undefined;

  const renew = async (): Promise<Ok<string> | NotOk> => {
    try {
      const outcome = await mint();
      if (outcome.kind !== 'ok') return outcome;
      const { token, expiresAt } = outcome.value;
      held = { token, isFresh: freshness(expiresAt * 1000, clock) };
      return { kind: 'ok', value: token };
    } finally {
      // Before anyone who waited goes on: a failure is shared, never kept.
      minting = undefined;
    }
  };

  return {
    token(signal) {
      if (signal?.aborted) return Promise.resolve(abortedBeforeSend);
      if (held?.isFresh()) return Promise.resolve({ kind: 'ok', value: held.token });
      minting ??= renew();
      return unlessAborted(minting, signal, abortedBeforeSend);
    },
    discard(token) {
      if (held?.token === token) held = undefined;
    },
  };
}

/**
 * By expiresAt alone, and never by a lifetime of our own. Both clocks may be wrong. If ours is behind, the service
 * says 401 and the token is discarded. If ours is ahead, or the service hands out a token it minted long ago, the
 * token is stale on arrival: it was given to us just now, so it serves the calls in hand, and for a few seconds
 * more (half of what is left, if anything is), or every single call would mint one.
 */
function freshness(expiresAtMs: number, clock: Clock): () => boolean {
  const leftMs = expiresAtMs - clock.nowMs();
  if (leftMs > marginMs) return () => clock.nowMs() < expiresAtMs - marginMs;
  const untilMs = clock.monotonicMs() + (leftMs > 0 ? Math.min(graceMs, leftMs / 2) : graceMs);
  return () => clock.monotonicMs() < untilMs;
}

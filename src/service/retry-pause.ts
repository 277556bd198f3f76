import type { NotOk } from './call-outcome.ts';
import type { Effect } from './contract/endpoint.ts';

export interface RetryBounds {
  readonly attempts: number;
  readonly totalMs: number;
}

const firstPauseMs = 250;
const longestPauseMs = 8_000;

/**
 * How long to wait before the same call is made once more, or undefined for: not again. The one decision about
 * repeating a call. A payout is never repeated here: its caller has rules of its own for that.
 */
export function retryPauseMs(
  effect: Effect,
  outcome: NotOk,
  soFar: { readonly attempts: number; readonly elapsedMs: number },
  bounds: RetryBounds,
  random: () => number,
): number | undefined {
  if (!mayRepeat(effect, outcome) || !isWorthRepeating(outcome)) return undefined;
  // Being asked to wait is no failure: only the time bounds it.
  if (soFar.attempts >= bounds.attempts && outcome.reason !== 'too-many-requests') return undefined;
  // Anywhere between nothing and the whole pause, so that callers that failed together do not come back together.
  const jitteredMs = random() * Math.min(firstPauseMs * 2 ** (soFar.attempts - 1), longestPauseMs);
  const pauseMs = Math.max(jitteredMs, outcome.retryAfterMs ?? 0);
  return soFar.elapsedMs + pauseMs <= bounds.totalMs ? pauseMs : undefined;
}

function mayRepeat(effect: Effect, outcome: NotOk): boolean {
  switch (effect) {
    case 'read':
      return true;
    case 'write':
      // Too many requests is an answer, and it says that nothing was done.
      return !outcome.sent || outcome.reason === 'too-many-requests';
    case 'payout':
      return false;
  }
}

function isWorthRepeating(outcome: NotOk): boolean {
  switch (outcome.reason) {
    case 'connection-refused':
    case 'connection-failed':
    case 'host-not-found':
    case 'not-sent-in-time':
    case 'too-many-requests':
    case 'timed-out':
    case 'connection-lost':
    case 'request-timeout':
    case 'server-error':
    case 'reply-cut-off':
      return true;
    // A page put up by something in between, or a reply without a length that was cut off: both pass.
    case 'reply-not-json':
      return true;
    // The service understood and answered; it would answer the same again.
    case 'refused':
    case 'reference-used':
    case 'no-error-code':
    case 'reply-not-understood':
    case 'reply-too-large':
      return false;
    // A matter of configuration: a certificate, a redirect, a key.
    case 'tls-failed':
    case 'redirected':
    case 'unexpected-status':
    case 'unauthorised':
      return false;
    // The exchange of the token is a read and was repeated already.
    case 'token-refused':
    case 'token-unavailable':
      return false;
    case 'aborted':
    case 'closed':
    case 'too-late':
      return false;
  }
}

import { maskNumbers } from '../domain/text/mask-numbers.ts';
import type { Conceal } from './conceal-secrets.ts';
import { type ConnectionReason, connectionError } from './connection-error.ts';
import type { Effect } from './contract/endpoint.ts';
import type { Exchange, NoReply, Reply } from './exchange.ts';
import type { Fault } from './list-reader.ts';
import { redactText } from './redact-text.ts';
import { saysReferenceUsed } from './reference-used.ts';
import { replyJson } from './reply-json.ts';
import { retryAfterMs } from './retry-after.ts';

/** What one call came to. A payout rests on this: `unknown` means that money may have moved. */
export type Outcome<T> = Ok<T> | Refused | TryLater | Unknown;
export type NotOk = Refused | TryLater | Unknown;

export interface Ok<T> {
  readonly kind: 'ok';
  readonly value: T;
}

interface Trouble {
  /** For people, as a part of a longer sentence; ours, with the service's own words in it made plain. */
  readonly cause: string;
  readonly httpStatus?: number;
  /** What the service said, made plain. Evidence only: the kind is what counts. */
  readonly errorCode?: string;
  readonly message?: string;
  readonly retryAfterMs?: number;
}

/** The service definitely did not do it, and says why. */
interface Refused extends Trouble {
  readonly kind: 'refused';
  readonly reason: 'refused';
  readonly sent: true;
  readonly httpStatus: number;
  readonly errorCode: string;
}

/** Nothing was done, and nothing is wrong with the call itself. */
export interface TryLater extends Trouble {
  readonly kind: 'try_later';
  readonly reason:
    | ConnectionReason
    | 'not-sent-in-time'
    | 'too-late'
    | 'aborted'
    | 'closed'
    | 'unauthorised'
    | 'too-many-requests'
    | 'token-refused'
    | 'token-unavailable';
  /** Whether any byte of the request left. */
  readonly sent: boolean;
}

/** The request left, and what the service did with it is not known. */
interface Unknown extends Trouble {
  readonly kind: 'unknown';
  readonly reason:
    | 'timed-out'
    | 'connection-lost'
    | 'aborted'
    | 'redirected'
    | 'request-timeout'
    | 'server-error'
    | 'unexpected-status'
    | 'reply-cut-off'
    | 'reply-too-large'
    | 'reply-not-json'
    | 'reply-not-understood'
    | 'no-error-code'
    | 'reference-used';
  readonly sent: true;
}

interface OutcomeContext {
  readonly nowMs: number;
  /** Takes our secrets out of what was read, before anything else looks at it. */
  readonly conceal: Conceal;
}

/**
 * The one classification of what happened to a call. The HTTP status comes before the body: whatever a 5xx says
 * about success, it is unknown. Only what is understood completely is ok or refused; all else is unknown.
 */
export function callOutcome<Value>(
  call: Call<Value>,
  exchange: Exchange,
  { nowMs, conceal }: OutcomeContext,
): Outcome<Value> {
  if (exchange.kind === 'no-reply') return noReplyOutcome(exchange);
  const { status, headers } = exchange;
  const read = readBody(exchange, conceal);
  const kind = statusClass(status);
  const fit = kind === 'success' && 'value' in read ? fittingReply(call, read.value) : undefined;
  if (fit?.success) return { kind: 'ok', value: fit.data };
  const told: Told = { httpStatus: status, ...wordsOf(read) };
  const pauseMs = retryAfterMs(headers['retry-after'], nowMs);
  const toldWhen = pauseMs === undefined ? told : { ...told, retryAfterMs: pauseMs };

  switch (kind) {
    case 'unauthorised':
      return tryLater('unauthorised', 'the service did not accept the credentials (401)', told);
    case 'too-many-requests':
      return tryLater('too-many-requests', 'the service asks for fewer calls (429)', toldWhen);
    case 'redirect':
      return unknown('redirected', `the service pointed elsewhere (${status}), which is not followed`, told);
    case 'request-timeout':
      return unknown('request-timeout', 'the service says that the request took too long (408)', told);
    case 'server-error':
      return unknown('server-error', `the service failed (${status})`, status === 503 ? toldWhen : told);
    case 'unexpected':
      return unknown('unexpected-status', `the service answered with the status ${status}`, told);
    case 'success':
    case 'client-error':
      if ('reason' in read) return unknown(read.reason, read.cause, told);
      return fit ? notUnderstood(fit.error, told) : failureOutcome(call, read.value, told);
  }
}

export interface Call<Value> {
  readonly effect: Effect;
  readonly reply: { safeParse(value: unknown): Fit<Value> };
}

type Told = Omit<Trouble, 'cause'> & { readonly httpStatus: number };

function noReplyOutcome({ phase, cause, error }: NoReply): NotOk {
  if (phase === 'before-send') {
    switch (cause) {
      case 'error':
        return { kind: 'try_later', sent: false, ...connectionError(error) };
      case 'timed-out':
        return notSent('not-sent-in-time', 'no connection to the service came about in time');
      case 'aborted':
        return abortedBeforeSend;
      case 'closed':
        return notSent('closed', 'the connection to the service was closed already');
      case 'too-late':
        return notSent('too-late', 'it was too late to send it: its time to leave had passed');
    }
  }
  switch (cause) {
    case 'timed-out':
      return unknown('timed-out', 'the service did not answer in time');
    case 'aborted':
      return unknown('aborted', 'the call was broken off after it was sent');
    case 'error':
    case 'closed':
    case 'too-late':
      return unknown('connection-lost', 'the connection was lost before the service answered');
  }
}

function statusClass(status: number) {
  if (status === 401) return 'unauthorised';
  if (status === 429) return 'too-many-requests';
  if (status === 408) return 'request-timeout';
  if (status >= 500 && status <= 599) return 'server-error';
  if (status >= 400 && status <= 499) return 'client-error';
  if (status >= 300 && status <= 399) return 'redirect';
  if (status >= 200 && status <= 299) return 'success';
  return 'unexpected';
}

type Read = { readonly value: unknown } | Pick<Unknown, 'reason' | 'cause'>;

function readBody({ headers, body }: Reply, conceal: OutcomeContext['conceal']): Read {
  switch (body.ended) {
    case 'cut-off':
      return { reason: 'reply-cut-off', cause: 'the connection was lost in the middle of the reply' };
    case 'timed-out':
      return { reason: 'timed-out', cause: 'the reply did not arrive in full in time' };
    case 'aborted':
      return { reason: 'aborted', cause: 'the call was broken off in the middle of the reply' };
    case 'too-large':
      return { reason: 'reply-too-large', cause: 'the reply is larger than payrun accepts' };
    case 'not-text':
      return { reason: 'reply-not-json', cause: 'the reply is not text in UTF-8' };
    case 'complete': {
      const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
      if (encoding !== 'identity') {
        return { reason: 'reply-not-json', cause: 'the reply is compressed, which was not asked for' };
      }
      const json = replyJson(body.text);
      return json
        ? { value: conceal(json.value, body.text) }
        : { reason: 'reply-not-json', cause: 'the reply is not readable JSON' };
    }
  }
}

function wordsOf(read: Read): Pick<Trouble, 'errorCode' | 'message'> {
  if ('reason' in read) return {};
  const plain = (name: string, maxLength: number) => {
    const field = fieldOf(read.value, name);
    return typeof field === 'string' ? redactText(field, maxLength) : '';
  };
  const code = plain('errorCode', 80);
  // The countries list says `error` where the others say `message`.
  const message = maskNumbers(plain('message', 300) || plain('error', 300));
  return { ...(code && { errorCode: code }), ...(message && { message }) };
}

/** Undefined where the reply itself says that it is a failure. */
function fittingReply<Value>(call: Call<Value>, value: unknown): Fit<Value> | undefined {
  if (fieldOf(value, 'success') === false) return undefined;
  const fit = call.reply.safeParse(value);
  if (!fit.success) return fit;
  return call.effect === 'payout' && !hasTransactionId(fit.data) ? { success: false } : fit;
}

type Fit<Value> =
  | { readonly success: true; readonly data: Value }
  | { readonly success: false; readonly error?: Fault | undefined };

function notUnderstood(error: Fault | undefined, told: Told): NotOk {
  // Only the place: the names in it are the contract's, never the reply's.
  const place = error?.issues[0]?.path.join('.') || 'as a whole';
  return unknown(
    'reply-not-understood',
    `the reply is not what the service's contract says (${place})`,
    told,
  );
}

function failureOutcome(call: { readonly effect: Effect }, value: unknown, told: Told): NotOk {
  const { errorCode: code, message } = told;
  // A refusal that names a transaction contradicts itself, and one of the two is money.
  const contradicts = call.effect === 'payout' && hasTransactionId(value);
  // Used by whom, and for what, only a look-up can say: it may well be our own payout.
  if (call.effect === 'payout' && !contradicts && saysReferenceUsed(code, message)) {
    return unknown('reference-used', 'the service says that the reference was used already', told);
  }
  if (fieldOf(value, 'success') !== false || code === undefined) {
    return unknown(
      'no-error-code',
      `the service reports a failure without an error code (${told.httpStatus})`,
      told,
    );
  }
  if (contradicts) {
    return unknown('reply-not-understood', 'the service refused and yet named a transaction', told);
  }
  const cause = `the service refused: ${message ?? 'without a word'} (${code})`;
  return { kind: 'refused', reason: 'refused', cause, sent: true, ...told, errorCode: code };
}

function hasTransactionId(value: unknown): boolean {
  const id = fieldOf(value, 'transactionId');
  return typeof id === 'string' && id.trim() !== '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function notSent(reason: TryLater['reason'], cause: string): TryLater {
  return { kind: 'try_later', reason, cause, sent: false };
}

function tryLater(reason: TryLater['reason'], cause: string, told: Told): TryLater {
  return { kind: 'try_later', reason, cause, sent: true, ...told };
}

function unknown(reason: Unknown['reason'], cause: string, told?: Told): Unknown {
  return { kind: 'unknown', reason, cause: `${cause}${ownWords(told)}`, sent: true, ...told };
}

/** What the service itself says is the best that a person gets to know of an answer that was not understood. */
function ownWords({ message = '', errorCode: code }: Partial<Told> = {}): string {
  const words = message.replace(/\.$/, '');
  if (code === undefined) return words && `: ${words}`;
  return words ? `: ${words} (${code})` : `: ${code}`;
}

export const abortedBeforeSend = notSent('aborted', 'the call was broken off before anything was sent');

import type { Clock } from '../clock.ts';
import type { BegunAgo } from './begun-ago.ts';
import {
  abortedBeforeSend,
  type Call,
  callOutcome,
  type NotOk,
  type Ok,
  type Outcome,
  type TryLater,
} from './call-outcome.ts';
import { concealGiven } from './conceal-given.ts';
import { concealSecrets } from './conceal-secrets.ts';
import type { Endpoint, ItemOf, ReplyOf, RequestOf } from './contract/endpoint.ts';
import { exchangeToken } from './contract/token.ts';
import type { Exchange } from './exchange.ts';
import { httpRequest, type RequestParts } from './http-request.ts';
import { createListReader, type ListTaker } from './list-reader.ts';
import type { Pace } from './pace.ts';
import type { Pulse } from './pulse.ts';
import { type RetryBounds, retryPauseMs } from './retry-pause.ts';
import { createTokenKeeper, type MintedToken } from './token-keeper.ts';
import type { HttpRequest, Transport } from './transport.ts';

export interface CallOptions<Item = never> {
  readonly signal?: AbortSignal | undefined;
  /** Takes a list an item at a time; in the reply it is empty then. Only an ok makes a list of what was taken. */
  readonly into?: ListTaker<Item> | undefined;
  /** Once it is aborted, what failed is not tried again; what is under way ends by itself. */
  readonly giveUp?: AbortSignal | undefined;
  /** Given by a person for this call alone, and not to be seen in its outcome. */
  readonly secrets?: readonly string[] | undefined;
  /** Had before: the call waits for none of its own. */
  readonly turn?: Turn | undefined;
  /** Of a send. Asked where the first byte is written: where that is too long ago, nothing leaves. */
  readonly begunAgo?: (() => BegunAgo) | undefined;
}

/** The turn of one call, and the token that it goes with. */
export interface Turn {
  readonly token: string;
  /** For whoever does not call after all. After the call there is nothing to give back. */
  readonly giveBack?: () => void;
}

interface Sender {
  readonly send: Send;
  /** Waits for the turn of a call that is made afterwards, and for its token. Where it comes to nothing, nothing left. */
  readonly takeTurn: (signal?: AbortSignal) => Promise<Ok<Turn> | TryLater>;
  /**
   * Asks for a token already, which the first call will need. Where none comes, that call asks for it itself: this ends all the
   * same.
   */
  readonly beReady: () => Promise<void>;
}

/** Makes one call of the contract: with credentials, in its turn, repeated only where that can do no harm. */
type Send = <E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options?: CallOptions<ItemOf<E>>,
) => Promise<Outcome<ReplyOf<E>>>;

interface SenderOptions {
  readonly transport: Transport;
  readonly pace: Pace;
  readonly pulse?: Pulse | undefined;
  readonly clock: Clock;
  /** Between 0 and 1, for the pauses between tries. */
  readonly random: () => number;
  readonly basePath: string;
  readonly prefix: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly version: string;
  readonly replyLimitBytes: number;
  readonly readRetry: RetryBounds;
  /** Ends the token exchange, which belongs to no caller and would go on trying without one. */
  readonly closing: AbortSignal;
}

/** A list of up to so many bytes, some thousand accounts, comes whole, like any other reply. */
const shortListBytes = 1 << 20;

/** One that was replaced may still be good for an hour, and may still be echoed. */
const mostTokens = 8;

export function createSender(options: SenderOptions): Sender {
  const { transport, pace, pulse, clock, random, apiKey, publicKey, version, readRetry } = options;
  const keeper = createTokenKeeper(mint, clock);
  const concealKey = concealSecrets([apiKey]);
  let conceal = concealKey;
  let tokens: readonly string[] = [];
  let areListsLong = false;
  const withKey = headersWith({ 'api-key': apiKey }, version);
  let withLastToken: { readonly token: string; readonly headers: CallHeaders } | undefined;

  /** The same for all calls under a token. */
  function withToken(token: string): CallHeaders {
    if (withLastToken?.token !== token)
      withLastToken = { token, headers: headersWith({ authorization: `Bearer ${token}` }, version) };
    return withLastToken.headers;
  }

  async function send<E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
    { signal, giveUp, into, secrets, turn, begunAgo }: CallOptions<ItemOf<E>> = {},
  ): Promise<Outcome<ReplyOf<E>>> {
    // Written out: to spread one object over another takes longer than all else that is done here.
    const { method, path, body } = httpRequest(endpoint, request as RequestParts, options);
    const http: Unsigned = {
      method,
      path,
      body,
      replyLimitBytes: endpoint.replyLimitBytes ?? options.replyLimitBytes,
      signal,
      into: into as ListTaker<unknown> | undefined,
      secrets,
      turn,
      begunAgo,
    };
    const begunMs = clock.monotonicMs();
    let mayRenew = endpoint.effect !== 'payout' && endpoint.credential !== 'api-key';
    for (let attempts = 1; ; attempts++) {
      const wholeBytes = into && !areListsLong ? shortListBytes : undefined;
      const outcome = await attempt(endpoint, wholeBytes ? { ...http, wholeBytes } : http);
      if (outcome.kind === 'ok') return outcome as Outcome<ReplyOf<E>>;
      if (wholeBytes && isListTooLong(outcome)) {
        areListsLong = true;
        if (giveUp?.aborted) return abortedBeforeSend;
        // Another call in a turn of its own, and no failure of the service's.
        attempts--;
        continue;
      }
      if (outcome.reason === 'unauthorised' && mayRenew) {
        // Nothing was done, and the token is discarded: once more with a new one, and this try does not count.
        mayRenew = false;
        attempts--;
        continue;
      }
      const elapsedMs = clock.monotonicMs() - begunMs;
      const pauseMs = retryPauseMs(endpoint.effect, outcome, { attempts, elapsedMs }, readRetry, random);
      if (pauseMs === undefined) return outcome;
      // Who closes the connection waits for nobody who would try again.
      const enough = AbortSignal.any([signal, giveUp, options.closing].filter((each) => each !== undefined));
      if (enough.aborted) return outcome;
      pulse?.triedAgain();
      await clock.sleep(pauseMs, enough);
      if (enough.aborted) return outcome;
    }
  }

  async function attempt(endpoint: Endpoint, http: Unsigned): Promise<Outcome<unknown>> {
    if (endpoint.credential === 'api-key')
      return (await mayGo(http.signal)) ? exchange(endpoint, http, withKey) : abortedBeforeSend;

    const taken = http.turn ? ({ kind: 'ok', value: http.turn } as const) : await takeTurn(http.signal);
    if (taken.kind !== 'ok') return taken;
    const { token } = taken.value;
    const outcome = await exchange(endpoint, http, withToken(token));
    if (outcome.kind !== 'ok' && outcome.reason === 'unauthorised') {
      keeper.discard(token);
      // A payout is its caller's to send again. The next call finds the new token there, or on its way.
      if (endpoint.effect === 'payout') void keeper.token();
    }
    return outcome;
  }

  async function takeTurn(signal?: AbortSignal): Promise<Ok<Turn> | TryLater> {
    if (!(await mayGo(signal))) return abortedBeforeSend;
    const held = await keeper.token(signal);
    return held.kind === 'ok' ? { kind: 'ok', value: { token: held.value } } : withoutToken(held);
  }

  /** Once closed, the transport itself says so. */
  async function mayGo(signal: AbortSignal | undefined): Promise<boolean> {
    return (await pace.turn(untilClosed(signal))) || options.closing.aborted;
  }

  /** One for each signal, and not for each call: to make one takes longer than to wait for a turn that is free. */
  const untilClosedBy = new WeakMap<AbortSignal, AbortSignal>();

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    if (!signal) return options.closing;
    const known = untilClosedBy.get(signal) ?? AbortSignal.any([signal, options.closing]);
    untilClosedBy.set(signal, known);
    return known;
  }

  async function exchange(
    endpoint: Endpoint,
    http: Unsigned,
    credential: CallHeaders,
  ): Promise<Outcome<unknown>> {
    const { method, path, body, replyLimitBytes, wholeBytes, signal, begunAgo } = http;
    const headers = body === undefined ? credential.bare : credential.withBody;
    const startedMs = clock.monotonicMs();
    const { effect, reply, item } = endpoint;
    const list =
      item && http.into && createListReader({ reply, item }, http.into, (...read) => conceal(...read));
    pulse?.began();
    const happened = await transport.exchange({
      method,
      path,
      headers,
      body,
      replyLimitBytes,
      signal,
      begunAgo,
      skim: list?.skim,
      wholeBytes,
    });
    pulse?.ended(happened.kind === 'reply');
    const outcome = outcomeOf(list ? { effect, reply: list.reply } : endpoint, happened, http.secrets);
    if (outcome.kind === 'ok' || outcome.kind === 'refused') pace.wentWell(startedMs);
    else if (outcome.reason === 'too-many-requests') pace.tooMany(startedMs, outcome.retryAfterMs);
    return outcome;
  }

  function outcomeOf(
    endpoint: Call<unknown>,
    happened: Exchange,
    secrets: readonly string[] = [],
  ): Outcome<unknown> {
    const nowMs = clock.nowMs();
    if (secrets.length > 0) {
      const [ours, theirs] = [concealSecrets([apiKey, ...tokens, ...secrets]), concealGiven(secrets)];
      return callOutcome(endpoint, happened, { nowMs, conceal: (...read) => theirs(ours(...read)) });
    }
    // A token that is asked for may be one that was given before, and must be read. Its failure is only shown.
    const given =
      endpoint === exchangeToken
        ? callOutcome(endpoint, happened, { nowMs, conceal: concealKey })
        : undefined;
    return given?.kind === 'ok' ? given : callOutcome(endpoint, happened, { nowMs, conceal });
  }

  async function mint(): Promise<Outcome<MintedToken>> {
    const minted = await send(exchangeToken, { body: { publicKey } }, { signal: options.closing });
    if (minted.kind !== 'ok') return minted;
    const { token } = minted.value;
    if (travelsInHeader(token)) {
      tokens = [token, ...tokens.filter((known) => known !== token)].slice(0, mostTokens);
      conceal = concealSecrets([apiKey, ...tokens]);
      return minted;
    }
    const cause = 'the service gave a token that no header can carry';
    return { kind: 'unknown', reason: 'reply-not-understood', cause, sent: true };
  }

  return { send, takeTurn, beReady: () => keeper.token().then(done, done) };
}

/** To come whole. Whoever refuses is not asked again at once, however long his refusal. */
function isListTooLong({ reason, httpStatus = 0 }: NotOk): boolean {
  return reason === 'reply-too-large' && httpStatus < 300;
}

function done(): void {
  return;
}

type Unsigned = Omit<HttpRequest, 'headers'> & Pick<CallOptions<unknown>, 'into' | 'secrets' | 'turn'>;

/** Of a call that carries something, and of one that does not. */
interface CallHeaders {
  readonly bare: Readonly<Record<string, string>>;
  readonly withBody: Readonly<Record<string, string>>;
}

function headersWith(credential: Readonly<Record<string, string>>, version: string): CallHeaders {
  const bare = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `payrun/${version}`,
    ...credential,
  };
  return {
    bare: Object.freeze(bare),
    withBody: Object.freeze({ ...bare, 'content-type': 'application/json' }),
  };
}

/**
 * What the lack of a token means for the call that needed it: nothing of that call left, so it is never refused
 * and never unknown, whatever became of the token exchange.
 */
function withoutToken(trouble: NotOk): TryLater {
  if (trouble.kind === 'try_later' && ['aborted', 'closed', 'tls-failed'].includes(trouble.reason))
    return trouble;
  const refused = trouble.kind === 'refused' || trouble.httpStatus === 401 || trouble.httpStatus === 403;
  return {
    ...trouble,
    kind: 'try_later',
    sent: false,
    reason: refused ? 'token-refused' : 'token-unavailable',
  };
}

/** Anything else in a header would make the request one that cannot be written. */
export function travelsInHeader(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

import { strict as assert } from 'node:assert';
import { type Clock, systemClock } from '../clock.ts';
import { withoutTrailing } from '../domain/text/without-trailing.ts';
import { PayrunError } from '../errors.ts';
import type { Ok, Outcome, TryLater } from './call-outcome.ts';
import type { Endpoint, ItemOf, ReplyOf, RequestOf } from './contract/endpoint.ts';
import { type EndpointName, endpoints } from './contract/endpoints.ts';
import type { createPayout } from './contract/payouts.ts';
import { defaultPrefix } from './contract/prefixes.ts';
import { exchangeToken } from './contract/token.ts';
import { type Ending, endSoonAfter } from './end-soon-after.ts';
import { createPace } from './pace.ts';
import type { Pulse } from './pulse.ts';
import type { RetryBounds } from './retry-pause.ts';
import { type CallOptions, createSender, type Turn, travelsInHeader } from './sender.ts';
import { serviceUrl } from './service-url.ts';
import { createSharedPace, type PaceShare } from './shared-pace.ts';
import { openThreadedTransport } from './thread/threaded-transport.ts';
import type { Transport } from './transport.ts';

/** The service: one method for each endpoint of the contract. Trouble with a call is its outcome, never thrown. */
export interface Service extends Omit<EndpointMethods, 'createPayout'> {
  /** In a turn that was taken before, as long as it may leave: nothing is waited for between its intent and its first byte. */
  createPayout(
    request: RequestOf<typeof createPayout>,
    options: CallOptions & Required<Pick<CallOptions, 'turn' | 'begunAgo'>>,
  ): ReturnType<EndpointMethods['createPayout']>;
  /** Waits for the turn and the token of a call that is made afterwards. Where it comes to nothing, nothing left. */
  takeTurn(signal?: AbortSignal): Promise<Ok<Turn> | TryLater>;
  /** Asks for a token already, which the first call will need. Where none comes, that call asks for it itself: this never fails. */
  beReady(): Promise<void>;
  /** The same for whoever may be told to stop: see `endSoonAfter`. */
  endSoonAfter(stop: AbortSignal): Ending<Service>;
  /** Waits for the calls under way, then lets the connections go. A later call comes to nothing (`closed`). */
  close(): Promise<void>;
}

type EndpointMethods = { readonly [Name in EndpointName]: Method<(typeof endpoints)[Name]> };

type Method<E extends Endpoint> =
  unknown extends RequestOf<E>
    ? (request?: NoParts, options?: CallOptions<ItemOf<E>>) => Promise<Outcome<ReplyOf<E>>>
    : (request: RequestOf<E>, options?: CallOptions<ItemOf<E>>) => Promise<Outcome<ReplyOf<E>>>;

type NoParts = Readonly<Record<string, never>>;

export interface ServiceOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly publicKey: string;
  /** Of this program, for the user-agent header. */
  readonly version: string;
  readonly prefix?: string;
  /** For one exchange, from the wait for a connection to the end of the reply. */
  readonly timeoutMs?: number;
  /** How many connections, and so how many calls at once. */
  readonly concurrency?: number;
  readonly ratePerSecond?: number | undefined;
  /** Shared with other processes that call the same service. */
  readonly paceShare?: PaceShare | undefined;
  readonly replyLimitBytes?: number;
  /** Certificates (PEM) of authorities that are believed besides those that everybody believes. */
  readonly authorities?: string | undefined;
  readonly readRetry?: RetryBounds;
  /** Told whether calls are answered. */
  readonly pulse?: Pulse | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export interface ServiceParts {
  /** What carries requests and replies; without it, HTTP to the base URL. */
  readonly transport?: Transport;
}

export function connectService(options: ServiceOptions, parts: ServiceParts = {}): Service {
  const { apiKey, publicKey, version, ratePerSecond, clock = systemClock, random = Math.random } = options;
  const { timeoutMs = 30_000, concurrency = 8, replyLimitBytes = 4 * 1024 * 1024 } = options;
  const { readRetry = { attempts: 6, totalMs: 60_000 } } = options;
  assert(
    timeoutMs > 0 && timeoutMs <= longestTimerMs,
    'timeoutMs must be positive, and no more than a timer takes',
  );
  assert(
    Number.isInteger(concurrency) && concurrency > 0,
    'concurrency must be a whole number of at least 1',
  );
  assert(ratePerSecond === undefined || ratePerSecond > 0, 'ratePerSecond must be positive');
  const { origin, basePath } = serviceUrl(options.baseUrl);
  const prefix = pathPrefix(options.prefix ?? defaultPrefix);
  if (!travelsInHeader(apiKey)) throw invalidKey('API key');
  if (!exchangeToken.body.safeParse({ publicKey }).success) throw invalidKey('public key');

  const transport =
    parts.transport ??
    openThreadedTransport({ origin, connections: concurrency, timeoutMs, authorities: options.authorities });
  const closing = new AbortController();
  const ownPace = createPace(ratePerSecond, clock);
  const pace = options.paceShare
    ? createSharedPace(ownPace, ratePerSecond, options.paceShare, clock)
    : ownPace;
  const { send, takeTurn, beReady } = createSender({
    transport,
    pace,
    pulse: options.pulse,
    clock,
    random,
    basePath,
    prefix,
    apiKey,
    publicKey,
    version,
    replyLimitBytes,
    readRetry,
    closing: closing.signal,
  });
  const methods = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
    name,
    (request: unknown = {}, callOptions?: CallOptions<unknown>) => send(endpoint, request, callOptions),
  ]);
  // The table gives both the methods and their types; only the compiler cannot see through fromEntries.
  const service: Service = {
    ...(Object.fromEntries(methods) as EndpointMethods),
    takeTurn,
    beReady,
    endSoonAfter: (stop) => endSoonAfter(service, stop, clock),
    close() {
      closing.abort();
      return transport.close();
    },
  };
  return service;
}

const longestTimerMs = 2 ** 31 - 1;

function pathPrefix(prefix: string): string {
  const path = withoutTrailing(prefix.replace(/^\/*/, '/'), '/');
  if (/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/.test(path)) return path;
  throw new PayrunError('invalid-prefix', `the path prefix of the service must look like ${defaultPrefix}`);
}

/** A line break out of a key file is the usual case. The message must not repeat the key. */
function invalidKey(what: string): PayrunError {
  return new PayrunError(
    'invalid-key',
    `the ${what} is empty, too long, or holds blanks, line breaks or letters that no key has: check the setting or the file it is read from`,
  );
}

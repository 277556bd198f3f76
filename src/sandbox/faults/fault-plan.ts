import { parseDuration } from '../../domain/duration.ts';
import { PayrunError } from '../../errors.ts';
import { type EndpointName, endpoints } from '../../service/contract/endpoints.ts';

/** What is done to one request instead of, before or after answering it properly. */
export type Fault = (typeof drawnFaults)[number];

/** In the order in which they are drawn: what happens before the request is processed comes first. */
export const drawnFaults = [
  'storm-401',
  'storm-429',
  'lost-request',
  'late-landing',
  'error-500',
  'lost-reply',
  'error-500-after',
  'html',
  'cut-body',
  'slow',
] as const;

export interface FaultPlan {
  readonly seed: string;
  readonly rates: Readonly<Partial<Record<Fault, number>>>;
  readonly anyRate: boolean;
  /** Undefined: every endpoint but the token exchange. */
  readonly on: readonly EndpointName[] | undefined;
  readonly latencyMs: number;
  readonly slowByMs: number;
  readonly lateByMs: number;
  readonly lookupLagMs: number;
  /** Requests in one block of a storm. */
  readonly stormLength: number;
  readonly retryAfter: string;
  readonly dedupe: boolean;
  readonly listFilter: boolean;
}

/** What `--fault` understands, with what each means. The docs and the help are made from it. */
export const faultWords = {
  'lost-request': 'rate: the connection drops before the request is processed',
  'lost-reply': 'rate: the request is processed, the connection drops before the reply',
  'late-landing': 'rate: the connection drops, the request is processed later (late-by)',
  'error-500': 'rate: 500, nothing processed',
  'error-500-after': 'rate: 500, although it was processed',
  html: 'rate: processed, answered by a proxy’s HTML page',
  'cut-body': 'rate: processed, the reply breaks off in the middle',
  'storm-401': 'rate of blocks of requests answered 401',
  'storm-429': 'rate of blocks of requests answered 429 with Retry-After',
  slow: 'rate: the answer comes late (slow-by)',
  latency: 'duration added to every answer',
  'slow-by': 'duration, default 3s',
  'late-by': 'duration, default 5s',
  'lookup-lag': 'duration before a transaction shows in lists and reads',
  'storm-length': 'requests in a block, default 10',
  'retry-after': 'seconds, or a date, sent with 429; default 1',
  dedupe: 'on or off: refuse a used reference; default on',
  'list-filter': 'honoured or ignored: the reference filter of the transactions list',
  on: 'endpoint names joined by +, for example createPayout; default all but exchangeToken',
} as const;

/** Reads `lost-reply=0.05,error-500=0.02,latency=50ms`. An unknown word is refused, never passed over. */
export function parseFaultPlan(text: string, seed: string): FaultPlan {
  const words = new Map<string, string>();
  for (const part of partsOf(text)) {
    const at = part.indexOf('=');
    const word = at < 0 ? part : part.slice(0, at).trim();
    if (at < 0 || !Object.hasOwn(faultWords, word)) {
      throw unusable(`there is no fault "${part}"; known: ${Object.keys(faultWords).join(', ')}`);
    }
    words.set(word, part.slice(at + 1).trim());
  }
  const rates = Object.fromEntries(
    drawnFaults.flatMap((word) => (words.has(word) ? [[word, rate(word, words.get(word) ?? '')]] : [])),
  );
  return {
    seed,
    rates,
    anyRate: Object.values(rates).some((each) => each > 0),
    on: words.has('on') ? endpointNames(words.get('on') ?? '') : undefined,
    latencyMs: duration(words, 'latency', '0ms'),
    slowByMs: duration(words, 'slow-by', '3s'),
    lateByMs: duration(words, 'late-by', '5s'),
    lookupLagMs: duration(words, 'lookup-lag', '0ms'),
    stormLength: count(words.get('storm-length') ?? '10'),
    retryAfter: words.get('retry-after') ?? '1',
    dedupe: isUsual(words, 'dedupe', 'on', 'off'),
    listFilter: isUsual(words, 'list-filter', 'honoured', 'ignored'),
  };
}

/** Parted by commas; one inside a date belongs to the date. */
function partsOf(text: string): string[] {
  return text
    .split(/,(?=\s*[\w-]+\s*(?:=|,|$))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function rate(word: string, text: string): number {
  const value = Number(text);
  if (text === '' || !(value >= 0 && value <= 1))
    throw unusable(`${word} takes a rate from 0 to 1, not "${text}"`);
  return value;
}

function duration(words: Map<string, string>, word: string, usual: string): number {
  const text = words.get(word) ?? usual;
  const value = parseDuration(text);
  if (value === undefined) throw unusable(`${word} takes a duration such as 500ms or 30s, not "${text}"`);
  return value;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw unusable(`storm-length takes a whole number, not "${text}"`);
  return Number(text);
}

function isUsual(words: Map<string, string>, word: string, usual: string, other: string): boolean {
  const text = words.get(word) ?? usual;
  if (text !== usual && text !== other) throw unusable(`${word} is ${usual} or ${other}, not "${text}"`);
  return text === usual;
}

function endpointNames(text: string): EndpointName[] {
  return text.split('+').map((name) => {
    if (!Object.hasOwn(endpoints, name)) {
      throw unusable(`there is no endpoint "${name}"; known: ${Object.keys(endpoints).join(', ')}`);
    }
    return name as EndpointName;
  });
}

function unusable(detail: string): PayrunError {
  return new PayrunError('fault-unknown', `--fault: ${detail}`);
}

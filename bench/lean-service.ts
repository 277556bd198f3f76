import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nameOf } from './make-payroll.ts';

/**
 * The least that payrun and the scripts it is compared with can be paid by: every call answered from memory, every payout
 * settled at once. In a process of its own, so that its work is nobody's time but the service's.
 */
export interface LeanOptions {
  /** Of every answer. */
  readonly latencyMs?: number;
  /** Calls a second of a token bucket that holds a second's worth; above it the answer is 429. */
  readonly callsPerSecond?: number;
  /** One call in so many is answered 429, by a fixed sequence. */
  readonly tooManyOneIn?: number;
  /** Which ones are drawn. */
  readonly seed?: number;
  /** From then on payouts are answered 503, until it is told to go on. */
  readonly payoutsUntilDown?: number;
}

/** What was asked of the service since the last question. */
export interface LeanCounts {
  readonly calls: number;
  readonly useful: number;
  readonly payouts: number;
  /** From the first call to the last, token and profile left out. */
  readonly spanMs: number;
  /** From the first account that was stored to the last call. */
  readonly payingMs: number;
  /** When the first look-up came, by the wall clock. 0: none did. */
  readonly firstLookUpMs: number;
  /** When each thousandth payout came. */
  readonly payoutTimesMs: readonly number[];
}

interface Account {
  readonly id: string;
  readonly number: string;
  /** Of a bank account. */
  readonly bankCode: string | undefined;
  readonly text: string;
}

const options = JSON.parse(process.argv[2] ?? '{}') as LeanOptions;
const { latencyMs = 0, callsPerSecond = 0, tooManyOneIn = 0, seed = 1 } = options;
let payoutsUntilDown = options.payoutsUntilDown ?? Number.POSITIVE_INFINITY;
const prefix = '/api/b2b';
const accounts: Account[] = [];
const accountsById = new Map<string, Account>();
const transactions: { readonly reference: string; readonly text: string }[] = [];
const byReference = new Map<string, number>();
let tokens = callsPerSecond;
let filledMs = performance.now();
let drawn = seed;
let counts = { calls: 0, useful: 0, payouts: 0 };
let firstLookUpMs = 0;
let payoutTimesMs: number[] = [];
let firstMs = 0;
let firstStoredMs = 0;
let lastMs = 0;

const profile = text({ email: 'payer@example.test', publicKey: 'pk_bench', KESWallet: { balance: 1e15 } });
const countries = text({
  data: [{ name: 'Kenya', iso2: 'KE', iso3: 'KEN', currency: { code: 'KES', decimal: '2' } }],
});

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') answer(request, response, '');
  else {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => answer(request, response, body));
  }
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const url = request.url ?? '';
  if (url === '/_bench/up') {
    payoutsUntilDown = Number.POSITIVE_INFINITY;
    send(response, 200, '{}');
    return;
  }
  if (url === '/_bench/counts') {
    const told: LeanCounts = {
      ...counts,
      spanMs: lastMs - firstMs,
      payingMs: lastMs - firstStoredMs,
      firstLookUpMs,
      payoutTimesMs,
    };
    counts = { calls: 0, useful: 0, payouts: 0 };
    firstMs = 0;
    firstStoredMs = 0;
    firstLookUpMs = 0;
    payoutTimesMs = [];
    send(response, 200, JSON.stringify(told));
    return;
  }
  const path = url.slice(prefix.length);
  const isFree = path.startsWith('/auth') || path === '/users';
  if (!isFree) {
    const nowMs = performance.now();
    if (firstMs === 0) firstMs = nowMs;
    lastMs = nowMs;
    counts.calls += 1;
  }
  if (!isFree && isTooMany()) {
    send(response, 429, '{"success":false,"message":"Too many requests"}');
    return;
  }
  if (!isFree) counts.useful += 1;
  const [status, reply] = replyTo(request.method ?? '', path, body);
  if (latencyMs === 0) send(response, status, reply);
  else setTimeout(() => send(response, status, reply), latencyMs);
}

function isTooMany(): boolean {
  if (tooManyOneIn > 0) {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn % tooManyOneIn === 0;
  }
  if (callsPerSecond === 0) return false;
  const nowMs = performance.now();
  tokens = Math.min(callsPerSecond, tokens + ((nowMs - filledMs) / 1000) * callsPerSecond);
  filledMs = nowMs;
  if (tokens < 1) return true;
  tokens -= 1;
  return false;
}

function replyTo(method: string, path: string, body: string): [number, string] {
  if (path === '/fiat/payout') return payOut(body);
  if (path.startsWith('/transactions/')) return transactionAt(path.slice('/transactions/'.length));
  if (path.startsWith('/transactions')) return found(path);
  if (path === '/utilities/account/resolve') return resolved(body);
  if (path === '/external-accounts')
    return method === 'GET'
      ? [200, `{"success":true,"data":[${accounts.map((each) => each.text).join()}]}`]
      : stored(body);
  if (path.startsWith('/external-accounts/')) {
    const account = accountsById.get(path.slice('/external-accounts/'.length));
    return account ? [200, `{"success":true,"data":${account.text}}`] : [404, '{"success":false}'];
  }
  if (path === '/utilities/countries') return [200, countries];
  if (path === '/users') return [200, profile];
  if (path.startsWith('/auth'))
    return [200, text({ token: 'bench', expiresAt: Math.floor(Date.now() / 1000) + 86_400 })];
  return [404, '{"success":false,"message":"no such path"}'];
}

function stored(body: string): [number, string] {
  const { country, currency, payload } = JSON.parse(body) as {
    country: string;
    currency: string;
    payload: Record<string, string>;
  };
  firstStoredMs ||= performance.now();
  const id = `acc${accounts.length}`;
  const number = payload['phoneNumber'] ?? payload['accountNumber'] ?? '';
  const { destination, code } = payload;
  const accountName = payload['accountName'] ?? `${payload['firstName']} ${payload['lastName']}`;
  const payoutMethod = { accountName, accountNumber: number, ...(code && { code }) };
  const shown = JSON.stringify({ externalAccountId: id, country, currency, destination, payoutMethod });
  const bankCode = destination === 'MoMo' ? undefined : code;
  const account = { id, number, bankCode, text: shown };
  accounts.push(account);
  accountsById.set(id, account);
  return [200, `{"success":true,"message":"External account created","data":{"id":"${id}"}}`];
}

/** The serial number of a person stands in both kinds of account number. */
function resolved(body: string): [number, string] {
  const { accountNumber } = JSON.parse(body) as { accountNumber: string };
  const serial = /^\+?25471/.test(accountNumber) ? accountNumber.slice(-7) : accountNumber.slice(4, 11);
  return [200, text({ data: { accountId: accountNumber, accountName: nameOf(Number(serial)) } })];
}

function payOut(body: string): [number, string] {
  if (transactions.length >= payoutsUntilDown) return [503, '{"success":false,"message":"down"}'];
  const { amount, currency, country, destination, externalReference, externalAccountId } = JSON.parse(
    body,
  ) as Record<string, string>;
  counts.payouts += 1;
  if (counts.payouts % 1000 === 0) payoutTimesMs.push(performance.now());
  const known = byReference.get(externalReference ?? '');
  if (known !== undefined)
    return [400, '{"success":false,"message":"Reference used","errorCode":"E-REF.USED"}'];
  const account = accountsById.get(externalAccountId ?? '');
  const place = transactions.length;
  const transactionId = `tx${String(place).padStart(12, '0')}`;
  const shown = JSON.stringify({
    transactionId,
    type: 'withdrew',
    status: 'SUCCESSFUL',
    chargeStatus: 'successful',
    amount,
    currency,
    country,
    destination,
    fullTimestamp: new Date().toISOString(),
    beneficiary: { accountNumber: account?.number, bankCode: account?.bankCode, currency },
    externalReference,
  });
  transactions.push({ reference: externalReference ?? '', text: shown });
  byReference.set(externalReference ?? '', place);
  return [200, text({ message: 'Withdrawal request accepted for processing', transactionId })];
}

function transactionAt(id: string): [number, string] {
  const transaction = transactions[placeOf(id)];
  return transaction ? [200, `{"success":true,"data":${transaction.text}}`] : [404, '{"success":false}'];
}

/** By reference; else the newest, or those before one of them. */
function found(path: string): [number, string] {
  firstLookUpMs ||= Date.now();
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  const reference = query.get('externalReference');
  if (reference !== null) {
    const place = byReference.get(reference);
    return listed(place === undefined ? [] : transactions.slice(place, place + 1));
  }
  const before = query.get('transactionId');
  const end = before === null ? transactions.length : placeOf(before);
  return listed(transactions.slice(Math.max(0, end - Number(query.get('limit') ?? 3)), end).reverse());
}

function listed(hits: typeof transactions): [number, string] {
  return [200, `{"success":true,"data":[${hits.map((each) => each.text).join()}]}`];
}

function placeOf(id: string): number {
  return Number(id.slice(2));
}

function text(value: object): string {
  return JSON.stringify({ success: true, ...value });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

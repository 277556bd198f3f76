import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';

/** The embedded service as a stranger sees it: a process with an address, spoken to in plain HTTP. */
export interface PlainService {
  readonly url: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  /** Mints a token and keeps it for every later call. */
  signIn(): Promise<string>;
  /** A path of the service; below /api/b2b unless it says otherwise. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  /** What the profile says of a wallet, for example KES. */
  balance(currency: string, country?: string): Promise<number>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
}

const commandPath = fileURLToPath(new URL('../../dist/command/payrun.js', import.meta.url));
const prefix = '/api/b2b';

/** Settles within milliseconds and keeps nothing, unless the flags say otherwise. */
export async function startService(...flags: string[]): Promise<PlainService> {
  const state = flags.includes('--workspace') ? [] : ['--memory'];
  const quick = flags.includes('--settle-after') ? [] : ['--settle-after', '50ms', '--return-after', '100ms'];
  const child = spawnSandbox(['--json', '--port', '0', ...state, ...quick, ...flags]);
  const credentials = JSON.parse(await firstLine(child)) as Credentials;
  const service = plainService(credentials, child);
  await service.signIn();
  return service;
}

export async function runCommand(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [commandPath, ...words]);
  return stdout;
}

function spawnSandbox(flags: string[]): ChildProcess {
  const child = spawn(process.execPath, [commandPath, 'sandbox', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the sandbox has no stdout');
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the sandbox ended before it said where it listens');
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined);
  return line;
}

function plainService(credentials: Credentials, child: ChildProcess): PlainService {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let token = '';
  const service: PlainService = {
    ...credentials,
    async signIn() {
      const answer = await exchangeToken(credentials);
      token = textAt(answer.body, 'token');
      return token;
    },
    call: (method, path, body, headers = {}) => {
      const full = /^\/(api|_sandbox|openapi)/.test(path) ? path : `${prefix}${path}`;
      return send(method, credentials.url + full, body, { authorization: `Bearer ${token}`, ...headers });
    },
    get: (path) => service.call('GET', path),
    post: (path, body) => service.call('POST', path, body),
    control: (method, path, body) =>
      send(method, `${credentials.url}/_sandbox/${path}`, body, { 'api-key': credentials.apiKey }),
    async balance(currency, country) {
      const { body } = await service.get('/users');
      const wallet = at(body, `${currency}Wallet`);
      const scope = country && rowsAt(wallet, 'scopes').find((each) => each['country'] === country);
      return numberAt(scope || wallet, 'balance');
    },
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
  return service;
}

export function exchangeToken(
  credentials: Credentials,
  changed: { apiKey?: string | undefined; publicKey?: unknown; prefix?: string } = {},
): Promise<Answer> {
  const { apiKey, publicKey } = { ...credentials, ...changed };
  const path = `${changed.prefix ?? prefix}/auth/generate-bearer-token`;
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'api-key': apiKey };
  return send('POST', credentials.url + path, { publicKey }, headers);
}

/** One request on a connection of its own. A dropped connection rejects, as it would for anybody. */
export function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type: Record<string, string> = payload === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent: false, headers: { ...type, ...headers } }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', (error) => reject(Object.assign(error, { partialText: text })));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          body: parsedOrUndefined(text),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps what is delivered to it, and answers as told. */
export async function startReceiver(answers: (delivery: number) => number = () => 200) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    deliveries.push({
      method: incoming.method ?? '',
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      atMs: performance.now(),
    });
    outgoing.writeHead(answers(deliveries.length)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    about: (transactionId: string) =>
      deliveries.filter((each) => at(each.body, 'data', 'transactionId') === transactionId),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface Delivery {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly atMs: number;
}

export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw missing('text', path, value);
  return found;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const found = at(value, ...path);
  if (typeof found !== 'number') throw missing('number', path, value);
  return found;
}

export function rowsAt(value: unknown, ...path: readonly (string | number)[]): Record<string, unknown>[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw missing('list', path, value);
  return found;
}

function missing(what: string, path: readonly (string | number)[], value: unknown): Error {
  return new Error(`no ${what} at ${path.join('.')} of ${JSON.stringify(value)}`);
}

let numberCount = 0;

/** A Kenyan mobile number nobody had before; with an ending, one that the sandbox treats in a special way. */
export function newPhone(ending = ''): string {
  numberCount += 1;
  return `+2547${String(numberCount).padStart(8 - ending.length, '0')}${ending}`;
}

let referenceCount = 0;

export function newReference(): string {
  referenceCount += 1;
  return `walk-${referenceCount}`;
}

export interface PayoutBody {
  amount: unknown;
  currency: string;
  country: string;
  destination: string;
  externalReference: string;
  payoutMethod?: Record<string, unknown>;
  externalAccountId?: string;
  debitCurrency?: string;
  debitCountry?: string;
  [field: string]: unknown;
}

/** A payout of KES 100 to a phone, with what a test wants to be different. */
export function payoutTo(phone: string, changes: Partial<PayoutBody> = {}): PayoutBody {
  return {
    amount: 100,
    currency: 'KES',
    country: 'KE',
    destination: 'MoMo',
    externalReference: newReference(),
    payoutMethod: { accountName: 'Mary Wanjiku Kamau', accountNumber: phone, code: 'mpesa' },
    ...changes,
  };
}

/** Accepted by the service: gives the transaction id. */
export async function accepted(answering: Promise<Answer>): Promise<string> {
  const answer = await answering;
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return textAt(answer.body, 'transactionId');
}

export async function statusOf(service: PlainService, transaction: string): Promise<unknown> {
  return at((await service.get(`/transactions/${transaction}`)).body, 'data', 'status');
}

/** Asks again and again until it holds. */
export async function until(holds: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(holds, { interval: 20, timeout: 120_000 });
}

/** Waits until the transaction, named by id or reference, has the status. */
export async function untilStatus(service: PlainService, transaction: string, status: string): Promise<void> {
  await until(async () => expect(await statusOf(service, transaction)).toBe(status));
}

/** The failure envelope, with nothing else in it. */
export function failureWith(errorCode?: string, message?: string): unknown {
  return {
    success: false,
    message: message ?? expect.stringMatching(/./),
    errorCode: errorCode ?? expect.stringMatching(/./),
  };
}

export const identifier = expect.stringMatching(/^[A-Za-z0-9]{20}$/);
export const integer = expect.toSatisfy(Number.isInteger, 'an integer');
export const isoInstant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);

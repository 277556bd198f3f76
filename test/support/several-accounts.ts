import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Dedupe, type PayrollService, startPayrollService } from './payroll-service.ts';
import { type WatchedService, watchService } from './watched-service.ts';

/** Credentials at one address, and the account behind them. */
type Account = Pick<PayrollService, 'apiKey' | 'publicKey'> & { readonly behind: PayrollService };

export interface SeveralAccounts {
  /** The first account at the watched address, with every call of every account. */
  readonly first: WatchedService;
  /** Another account of the same e-mail: its own keys, wallets and history. */
  readonly second: PayrollService;
  /** The first account after its keys were changed at the service: the old ones are still let in. */
  rotated(keys: Pick<PayrollService, 'apiKey' | 'publicKey'>): PayrollService;
}

/** One service that keeps two accounts of one e-mail: whose a call is, its credentials alone tell. */
export async function startSeveralAccounts(dedupe: Dedupe): Promise<SeveralAccounts> {
  const services = [await startPayrollService(dedupe), await startPayrollService(dedupe)] as const;
  const accounts: Account[] = services.map((behind) => ({ ...behind, behind }));
  const ofToken = new Map<string, Account>();
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const account = accountOf(request, accounts, ofToken);
    if (!account) return void response.writeHead(401).end('{"success":false}');
    const reply = await forward(account, request, body);
    const text = await reply.text();
    const shown = shownTo(account, request, text, ofToken);
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(shown);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const first = await watchService({ ...services[0], url: `http://127.0.0.1:${port}` });
  return {
    first,
    second: { ...services[1], url: first.url },
    rotated(keys) {
      accounts.push({ ...keys, behind: services[0] });
      return { ...first, ...keys };
    },
  };
}

const tokenPath = '/api/b2b/auth/generate-bearer-token';

function accountOf(
  { headers }: IncomingMessage,
  accounts: readonly Account[],
  ofToken: ReadonlyMap<string, Account>,
): Account | undefined {
  const { authorization, 'api-key': apiKey } = headers;
  if (authorization !== undefined) return ofToken.get(authorization);
  return accounts.find((account) => account.apiKey === apiKey);
}

/** To the account itself, with the credentials that it knows. */
function forward({ behind }: Account, request: IncomingMessage, body: string): Promise<Response> {
  const { url = '/', method = 'GET', headers } = request;
  const isExchange = url === tokenPath;
  const sent = isExchange ? JSON.stringify({ publicKey: behind.publicKey }) : body;
  return fetch(`${behind.url}${url}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(isExchange ? { 'api-key': behind.apiKey } : { authorization: headers.authorization ?? '' }),
    },
    ...(sent === '' ? {} : { body: sent }),
  });
}

function shownTo(
  account: Account,
  { url }: IncomingMessage,
  text: string,
  ofToken: Map<string, Account>,
): string {
  if (url === tokenPath) {
    const { token } = JSON.parse(text) as { token?: string };
    ofToken.set(`Bearer ${token}`, account);
  }
  return url === '/api/b2b/users'
    ? JSON.stringify({ ...JSON.parse(text), publicKey: account.publicKey })
    : text;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

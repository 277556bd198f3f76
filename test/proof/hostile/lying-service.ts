import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LedgerEntry } from '../oracle.ts';

export const endpointNames = [
  'token',
  'profile',
  'accounts',
  'newAccount',
  'resolve',
  'payout',
  'list',
  'read',
] as const;

export type EndpointName = (typeof endpointNames)[number];

/** One call, the honest answer to it, and the way to answer otherwise. */
export interface Asked {
  readonly endpoint: EndpointName;
  readonly id: string;
  readonly honest: Readonly<Record<string, unknown>>;
  readonly response: ServerResponse;
  /** How many calls of this endpoint came before. */
  readonly before: number;
}

/** Answers a call in its own way and says so; false leaves the honest answer. */
export type Lie = (asked: Asked) => boolean;

export interface LyingService {
  readonly url: string;
  /** What it really did. Nothing it accepts is ever paid: whoever calls it paid was taken in. */
  readonly ledger: readonly LedgerEntry[];
  /** Calls that came with credentials to where a redirect pointed. */
  readonly decoyed: readonly string[];
  readonly decoyUrl: string;
  close(): Promise<void>;
}

const prefix = '/api/b2b';

/** A service that takes payouts, leaves every one of them pending, and lies about it as it is told. */
export async function startLyingService(lie: Lie): Promise<LyingService> {
  const ledger: LedgerEntry[] = [];
  const accounts = new Map<string, Record<string, unknown>>();
  const counts = new Map<EndpointName, number>();
  const decoyed: string[] = [];
  const decoy = createServer((request, response) => {
    decoyed.push(`${request.method} ${request.url} ${Object.keys(request.headers).join(' ')}`);
    response.end(JSON.stringify({ success: true, transactionId: 'DECOY', data: [] }));
  });
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const { endpoint, id } = routeOf(request.method ?? '', (request.url ?? '').slice(prefix.length));
    const honest = honestly(endpoint, id, body === '' ? {} : (JSON.parse(body) as Record<string, unknown>));
    const before = counts.get(endpoint) ?? 0;
    counts.set(endpoint, before + 1);
    if (!lie({ endpoint, id, honest, response, before })) sendJson(response, honest);
  }

  function honestly(
    endpoint: EndpointName,
    id: string,
    body: Record<string, unknown>,
  ): Record<string, unknown> {
    switch (endpoint) {
      case 'token':
        return { success: true, token: 'a-token-of-the-lying-service', expiresAt: 4_000_000_000 };
      case 'profile':
        return { success: true, email: 'pay@example.com', KESWallet: { balance: 1_000_000 } };
      case 'accounts':
        return { success: true, data: [...accounts.values()] };
      case 'newAccount': {
        const account = accountOf(`ACC${accounts.size + 1}`, body);
        accounts.set(String(account['externalAccountId']), account);
        return { success: true, message: 'made', data: { id: account['externalAccountId'] } };
      }
      case 'resolve':
        return {
          success: true,
          data: { accountId: 'x', accountName: nameOf(String(body['accountNumber'])) },
        };
      case 'payout': {
        const account = accounts.get(String(body['externalAccountId']));
        if (!account) return { success: false, message: 'there is no such account', errorCode: 'E-ACC' };
        const entry = {
          transactionId: `TX${String(ledger.length + 1).padStart(18, '0')}`,
          reference: String(body['externalReference']),
          status: 'PENDING',
          currency: String(body['currency']),
          amount: Number(body['amount']).toFixed(2),
          number: String((account['payoutMethod'] as Record<string, unknown>)['accountNumber']),
        };
        ledger.push(entry);
        return { success: true, message: 'accepted', transactionId: entry.transactionId };
      }
      case 'list':
        return { success: true, data: ledger.filter(({ reference }) => reference === id).map(shown) };
      case 'read': {
        const entry = ledger.find(({ transactionId, reference }) => transactionId === id || reference === id);
        return entry
          ? { success: true, data: shown(entry) }
          : { success: false, message: 'none', errorCode: 'E-TX' };
      }
    }
  }

  const urls = await Promise.all([server, decoy].map(listen));
  const [url = '', decoyUrl = ''] = urls;
  return {
    url,
    ledger,
    decoyed,
    decoyUrl,
    async close() {
      for (const each of [server, decoy]) {
        each.close();
        each.closeAllConnections();
      }
      await Promise.resolve();
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The people of the payroll by their numbers. */
export function nameOf(number: string): string {
  return number.endsWith('1') ? 'Amina Otieno' : 'John Kamau';
}

function shown(entry: LedgerEntry): Record<string, unknown> {
  return {
    transactionId: entry.transactionId,
    type: 'withdrew',
    status: entry.status,
    amount: Number(entry.amount),
    currency: entry.currency,
    externalReference: entry.reference,
    beneficiary: { accountNumber: entry.number },
  };
}

function accountOf(externalAccountId: string, body: Record<string, unknown>): Record<string, unknown> {
  const payload = body['payload'] as Record<string, unknown>;
  return {
    externalAccountId,
    country: body['country'],
    currency: body['currency'],
    destination: payload['destination'],
    payoutMethod: {
      accountName: `${String(payload['firstName'])} ${String(payload['lastName'])}`,
      accountNumber: payload['phoneNumber'],
      code: '',
      branchCode: '',
    },
  };
}

function routeOf(method: string, path: string): { readonly endpoint: EndpointName; readonly id: string } {
  const [place = '', query = ''] = path.split('?');
  if (place === '/auth/generate-bearer-token') return { endpoint: 'token', id: '' };
  if (place === '/users') return { endpoint: 'profile', id: '' };
  if (place === '/external-accounts')
    return { endpoint: method === 'POST' ? 'newAccount' : 'accounts', id: '' };
  if (place === '/utilities/account/resolve') return { endpoint: 'resolve', id: '' };
  if (place === '/fiat/payout') return { endpoint: 'payout', id: '' };
  if (place === '/transactions')
    return { endpoint: 'list', id: new URLSearchParams(query).get('externalReference') ?? '' };
  return { endpoint: 'read', id: decodeURIComponent(place.split('/')[2] ?? '') };
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

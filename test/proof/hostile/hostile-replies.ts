import type { ServerResponse } from 'node:http';
import { type Asked, type EndpointName, endpointNames, type Lie, sendJson } from './lying-service.ts';

export interface HostileReply {
  readonly name: string;
  readonly endpoint: EndpointName;
  readonly lie: (decoyUrl: string) => Lie;
}

/** Every form of a broken answer at every endpoint, and at each endpoint the lies that only it can tell. */
export function hostileReplies(): readonly HostileReply[] {
  return endpointNames.flatMap((endpoint) => [
    ...Object.entries(brokenForms).map(([name, broken]) => at(endpoint, name, broken)),
    ...Object.entries(bodies).map(([name, body]) =>
      at(endpoint, `body ${name}`, ({ response }) => sendJson(response, body)),
    ),
    ...Object.entries(lies[endpoint]).map(([name, change]) =>
      at(endpoint, name, ({ response, honest, id, before }) =>
        sendJson(response, change(structuredClone(honest) as Fields, id, before)),
      ),
    ),
  ]);
}

type Fields = Record<string, unknown>;
type Change = (honest: Fields, id: string, before: number) => unknown;
type Broken = (asked: Asked, decoyUrl: string) => void;

function at(endpoint: EndpointName, name: string, broken: Broken): HostileReply {
  return {
    name: `${endpoint}: ${name}`,
    endpoint,
    lie: (decoyUrl) => (asked) => {
      if (asked.endpoint !== endpoint) return false;
      broken(asked, decoyUrl);
      return true;
    },
  };
}

const escapes = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\u2066\u0000';
const megabyte = Buffer.alloc(1024 * 1024, ' ');

/** As long as somebody takes it, up to 100 MB. */
function pour(response: ServerResponse, left = 100): void {
  if (left === 0 || response.destroyed) return void response.end('{}');
  if (response.write(megabyte)) setImmediate(() => pour(response, left - 1));
  else response.once('drain', () => pour(response, left - 1));
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else response.write(' ');
  }, 20);
  timer.unref();
}

const brokenForms: Readonly<Record<string, Broken>> = {
  '100 MB announced': ({ response }) => {
    response.writeHead(200, { 'content-length': 100 * megabyte.length });
    pour(response);
  },
  '100 MB unannounced': ({ response }) => pour(response),
  'deep JSON': ({ response }) => sendJson(response, `{"success":true,"data":${'['.repeat(200_000)}`),
  'deep and whole JSON': ({ response }) =>
    sendJson(response, `{"success":true,"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'slow drips': ({ response }) => drip(response),
  silence: () => undefined,
  'redirect elsewhere': ({ response }, decoyUrl) =>
    void response.writeHead(302, { location: `${decoyUrl}/api/b2b/x` }).end(),
  'redirect that keeps the method': ({ response }, decoyUrl) =>
    void response.writeHead(307, { location: `${decoyUrl}/api/b2b/fiat/payout` }).end('{"success":true}'),
  'permanent redirect': ({ response }, decoyUrl) =>
    void response.writeHead(308, { location: decoyUrl }).end(),
  'HTML that echoes our headers': ({ response }) => {
    const echo = JSON.stringify(response.req.headers);
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end(`<html><body>${echo}${escapes}</body></html>`);
  },
  'HTML called JSON': ({ response }) => sendJson(response, '<!doctype html><title>Sign in</title>'),
  'half of the honest answer': ({ response, honest }) => {
    const text = JSON.stringify(honest);
    response.writeHead(200, { 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  },
  'two lengths': ({ response }) =>
    void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 900\r\n\r\n{}'),
  'headers without end': ({ response }) => {
    const { socket } = response;
    socket?.write('HTTP/1.1 200 OK\r\n');
    // A write that failed says so at once: to go on from there would never give the loop a turn.
    const more = (error?: Error | null) => {
      if (error || !socket?.writable) return;
      socket.write('x-more: y\r\n'.repeat(1000), (failed) => setImmediate(more, failed));
    };
    more();
  },
  'no HTTP at all': ({ response }) => void response.socket?.end(`\u0000\u0001 SSH-2.0 ${escapes}\r\n`),
  'not the contents it says': ({ response, honest }) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(JSON.stringify(honest));
  },
  'an odd status': ({ response, honest }) => sendJson(response, honest, 799),
  'an error that says success': ({ response, honest }) =>
    sendJson(response, { ...honest, success: true }, 500),
  'a 200 without a body': ({ response }) => void response.writeHead(200).end(),
  'no UTF-8': ({ response }) => void response.end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
};

const bodies: Readonly<Record<string, unknown>> = {
  null: 'null',
  list: '[]',
  text: '"ok"',
  empty: '{}',
  'success as text': '{"success":"true","transactionId":"T"}',
  'success alone': '{"success":true}',
  'no data': '{"success":true,"data":null}',
  'prototype keys':
    '{"__proto__":{"success":true,"transactionId":"T","data":[]},"constructor":{"prototype":{"success":true}},"success":true}',
  'refusal without a code': '{"success":false,"message":"no"}',
  'refusal that acts': JSON.stringify({ success: false, message: `no${escapes}`, errorCode: `E${escapes}` }),
  'refusal of 3 MB': JSON.stringify({
    success: false,
    message: 'x'.repeat(3_000_000),
    errorCode: 'y'.repeat(9000),
  }),
  'huge numbers': '{"success":true,"transactionId":1e999,"data":[],"expiresAt":1e999,"token":9}',
  'a list of strangers': JSON.stringify({
    success: true,
    data: Array.from({ length: 5000 }, () => ({ a: 1 })),
  }),
};

const tricks = [
  '../../x',
  '..',
  '.',
  '?a=b',
  '#x',
  '/users',
  '\\..\\x',
  '%2e%2e',
  `T${escapes}`,
  'x'.repeat(9000),
  '',
] as const;

/** The single read with something changed, and called successful; nothing ever was. */
function read(change: Fields): Change {
  return (honest) => ({
    ...honest,
    success: true,
    data: { ...(honest['data'] as Fields), status: 'SUCCESSFUL', chargeStatus: 'successful', ...change },
  });
}

const nobody = {
  externalReference: undefined,
  beneficiary: undefined,
  amount: undefined,
  currency: undefined,
};

const lies: Readonly<Record<EndpointName, Readonly<Record<string, Change>>>> = {
  token: {
    'a token that breaks lines': (honest) => ({ ...honest, token: 'a\r\nx-evil: 1' }),
    'a token of a megabyte': (honest) => ({ ...honest, token: 'x'.repeat(1_000_000) }),
    'a token that has expired': (honest) => ({ ...honest, expiresAt: -1 }),
    'a token for ever': (honest) => ({ ...honest, expiresAt: Number.MAX_VALUE }),
  },
  profile: {
    'a name that acts': (honest) => ({ ...honest, email: `a${escapes}@x`, firstName: escapes }),
    'a balance that is none': () => '{"success":true,"email":"a@x","KESWallet":{"balance":"NaN"}}',
    'a balance beyond numbers': () => '{"success":true,"email":"a@x","KESWallet":{"balance":1e400}}',
    'a negative balance': (honest) => ({ ...honest, KESWallet: { balance: -1 } }),
    'wallets that act': (honest) => ({ ...honest, [`${escapes}Wallet`]: { balance: 1 } }),
  },
  accounts: {
    'accounts of nobody': () => ({ success: true, data: [{ externalAccountId: '..' }] }),
    'one account a hundred times': (honest) => ({
      ...honest,
      data: Array.from({ length: 100 }, () => account('OLD1', '+254712000101')),
    }),
    'another payee under our account': (honest) => ({ ...honest, data: [account('ACC1', '+254799999999')] }),
    'names that act': (honest) => ({ ...honest, data: [account(`A${escapes}`, '+254712000101')] }),
  },
  newAccount: {
    'one account for everybody': (honest) => ({ ...honest, data: { id: 'ACC1' } }),
    ...tricked((id) => ({ success: true, data: { id } })),
  },
  resolve: {
    'a name that acts': () => ({ success: true, data: { accountName: `Amina${escapes} Otieno` } }),
    'a formula as name': () => ({ success: true, data: { accountName: '=cmd|"/c calc"!A1' } }),
    'a name of 3 MB': () => ({ success: true, data: { accountName: 'Amina Otieno '.repeat(230_000) } }),
    'a name of ten thousand words': () => ({ success: true, data: { accountName: 'a '.repeat(10_000) } }),
    'no name': () => ({ success: true, data: { accountName: 7 } }),
  },
  payout: {
    'one transaction for everybody': (honest) => ({ ...honest, transactionId: 'TX000000000000000001' }),
    'a number as transaction': (honest) => ({ ...honest, transactionId: 5 }),
    'refused and named': (honest) => ({ ...honest, success: false, errorCode: 'E', message: 'no' }),
    'refused though done': () => ({ success: false, errorCode: 'E-X', message: 'Insufficient funds' }),
    'used though new': () => ({
      success: false,
      errorCode: 'E-API-D.S-28',
      message: 'reference already used',
    }),
    ...tricked((transactionId) => ({ success: true, transactionId })),
  },
  list: {
    'always empty': () => ({ success: true, data: [] }),
    'always somebody else': () => ({
      success: true,
      data: [{ transactionId: 'TX999', status: 'SUCCESSFUL' }],
    }),
    'ids that act': () => ({ success: true, data: [{ transactionId: `T${escapes}`, status: 'SUCCESSFUL' }] }),
    ...tricked((transactionId) => ({ success: true, data: [{ transactionId, status: 'SUCCESSFUL' }] })),
  },
  read: {
    'another transaction': read({ ...nobody, transactionId: 'TX999' }),
    'another reference': read({ externalReference: '11111111-1111-5111-8111-111111111111' }),
    'another account': read({ beneficiary: { accountNumber: '+254799999999' } }),
    'another phone': read({ phoneNumber: '0799999999' }),
    'another amount': read({ amount: 1 }),
    'a negative amount': read({ amount: -100 }),
    'no number as amount': read({ amount: 'NaN' }),
    'an endless amount': read({ amount: '9'.repeat(1_000_000) }),
    'an exponent as amount': read({ amount: '1e2x' }),
    'another currency': read({ currency: 'UGX' }),
    'a currency that acts': read({ currency: escapes }),
    'a deposit': read({ type: 'deposit' }),
    'a type that acts': read({ type: escapes }),
    'a type of 3 MB': read({ type: 'z'.repeat(3_000_000) }),
    'a word we do not know': read({ status: 'COMPLETED' }),
    'success with an exclamation': read({ status: 'SUCCESSFUL!' }),
    'a word that acts': read({ status: `SUCCESSFUL${escapes}` }),
    'a status that is no word': read({ status: true }),
  },
};

function account(externalAccountId: string, accountNumber: string): Fields {
  return {
    externalAccountId,
    country: 'KE',
    currency: 'KES',
    destination: 'MoMo',
    payoutMethod: { accountName: `x${escapes}`, accountNumber, code: '', branchCode: '' },
  };
}

function tricked(reply: (id: string) => unknown): Record<string, Change> {
  return Object.fromEntries(
    tricks.map((trick) => [`the id ${JSON.stringify(trick.slice(0, 20))}`, () => reply(trick)]),
  );
}

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the server's connections, the how-manieth this came over, from 1. */
  readonly connection: number;
}

interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Every complete request that reached the server, in order. */
  readonly seen: readonly SeenRequest[];
  connections(): number;
}

/**
 * A server that speaks TCP, so that it can break HTTP in every way and count what really arrived. It ends with
 * its test.
 */
export async function rawServer(
  answer: (request: SeenRequest, socket: Socket) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<RawServer> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = ++connections;
    let received = '';
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let parsed = parseRequest(received); parsed; parsed = parseRequest(received)) {
        received = received.slice(parsed.length);
        const request = { ...parsed.request, connection };
        seen.push(request);
        answer(request, socket);
      }
    });
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, seen, connections: () => connections };
}

/** A well-formed reply, to be written to a socket. */
export function rawReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${text}`;
}

function parseRequest(received: string) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [requestLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyStart = headEnd + 4;
  const length = bodyStart + Number(headers['content-length'] ?? 0);
  if (received.length < length) return undefined;
  const body = Buffer.from(received.slice(bodyStart, length), 'latin1').toString();
  return { length, request: { method, path, headers, body } };
}

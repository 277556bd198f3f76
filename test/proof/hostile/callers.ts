import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { timeLimit } from '../time-limit.ts';

const patienceMs = 120_000;

/** The status of one request; 0 where there was no answer. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { method: 'POST', body, headers: { ...headers }, signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

export interface SlowClients {
  leave(): void;
}

/** Half of them never come to the end of their headers, half never to the end of their bodies. */
export async function slowClients(port: number, count: number): Promise<SlowClients> {
  const sockets = await connected(port, count);
  for (const [index, socket] of sockets.entries()) {
    socket.write(
      index % 2 === 0
        ? 'POST / HTTP/1.1\r\nhost: x\r\nx-a'
        : 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{',
    );
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 250);
  return {
    leave() {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Comes all at once, says nothing sensible, and goes. */
export async function crowd(port: number, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 500) {
    const sockets = await connected(port, Math.min(left, 500));
    for (const [index, socket] of sockets.entries())
      socket.write(index % 3 === 0 ? '\u0000\u0001\r\n\r\n' : 'GET / HTTP/1.1\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const socket of sockets) socket.destroy();
  }
}

function connected(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await timeLimit(
        patienceMs,
        once(socket, 'connect').catch(() => undefined),
      );
      return socket;
    }),
  );
}

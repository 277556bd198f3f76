import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { timeLimit } from '../proof/time-limit.ts';

/** For what comes by itself: how long a machine takes over it is not what is tested. */
export const patienceMs = 120_000;

/** A client that writes what it likes, as slowly as it likes, and never hangs up by itself. */
export interface HeldConnection {
  write(text: string): void;
  /** The same text again and again. */
  drip(text: string, everyMs: number): void;
  /** The first line of the answer; undefined where there is none in time. */
  answer(limitMs: number): Promise<string | undefined>;
  /** Whether the server ended it in time. */
  isCutOff(limitMs: number): Promise<boolean>;
  leave(): void;
}

export async function holdConnection(port: number): Promise<HeldConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let dripping: NodeJS.Timeout | undefined;
  const leave = () => {
    clearInterval(dripping);
    socket.destroy();
  };
  onTestFinished(leave);
  socket.on('error', () => undefined);
  // Told to go, it stays and talks on: only a connection that is closed for good is an end.
  socket.on('end', () => {
    clearInterval(dripping);
    dripping = setInterval(() => void socket.write(' '), 50);
  });
  const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)));
  const firstLine = readFirstLine(socket);
  await once(socket, 'connect');
  return {
    write: (text) => void socket.write(text),
    drip(text, everyMs) {
      dripping = setInterval(() => {
        if (socket.writable) socket.write(text);
      }, everyMs);
    },
    answer: (limitMs) => timeLimit(limitMs, firstLine),
    isCutOff: async (limitMs) => (await timeLimit(limitMs, closed)) === true,
    leave,
  };
}

function readFirstLine(socket: Socket): Promise<string> {
  let received = '';
  return new Promise((resolve) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const end = received.indexOf('\r\n');
      if (end >= 0) resolve(received.slice(0, end));
    });
  });
}

/** Has a server listen until the test is over; gives its port. */
export async function listenInTest(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Everybody who keeps a server waiting: headers and a body drop by drop, half a body, silence, and one that was answered
 * and stays. Heads end after a header; `first` is what the answered one asks.
 */
export async function holdSlowClients(
  port: number,
  { head, bodyHead, first }: { readonly head: string; readonly bodyHead: string; readonly first: string },
): Promise<{ readonly answer: string | undefined; areCutOff(limitMs: number): Promise<boolean[]> }> {
  const clients = await Promise.all(Array.from({ length: 5 }, () => holdConnection(port)));
  const [headers, body, half, , answered] = clients;
  headers?.write(`${head}x-a: `);
  headers?.drip('a', 50);
  body?.write(`${bodyHead}content-length: 1000\r\n\r\n{`);
  body?.drip(' ', 50);
  half?.write(`${bodyHead}content-length: 1000\r\n\r\n{"event":`);
  answered?.write(`${first} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return {
    answer: await answered?.answer(patienceMs),
    areCutOff: (limitMs) => Promise.all(clients.map((client) => client.isCutOff(limitMs))),
  };
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { timeLimit } from '../proof/time-limit.ts';

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

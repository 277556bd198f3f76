import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { startCallsThread } from '../../src/service/thread/start-calls-thread.ts';
import { openThreadedTransport } from '../../src/service/thread/threaded-transport.ts';
import { openTransport, type Transport, type TransportOptions } from '../../src/service/transport.ts';
import { seedOfRun } from './drawn-tests.ts';

/** As it is built: Node runs no TypeScript in a thread. */
export const threadFile = new URL('../../dist/service/thread/calls-thread.js', import.meta.url);

/** Exchanges in a thread of their own, from the first on. */
export function threadTransport(options: TransportOptions): Transport {
  return openThreadedTransport(options, async (given) => {
    const thread = await startCallsThread(given, threadFile);
    assert(thread, 'the thread could not be started');
    return thread;
  });
}

/** Of all tests that pay, so many call from a thread: drawn anew each time, and again by PAYRUN_TEST_SEED. */
const oneIn = process.env['PAYRUN_TEST_THREADS'] === '1' ? 1 : 6;

export function drawnTransport(options: TransportOptions): Transport {
  const drawn = createHash('sha256').update(`${seedOfRun()} ${expect.getState().currentTestName}`).digest();
  return drawn.readUInt32BE() % oneIn === 0 ? threadTransport(options) : openTransport(options);
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { seenPayouts } from '../support/seen-payout.ts';
import type { LedgerEntry } from './oracle.ts';
import type { ServicesReply, ServicesRequest } from './services-process.ts';

/** A payment service whose own ledger is the last word, in a process that outlives every run. */
export interface ServiceUnderProof {
  readonly url: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly webhookSecret: string;
  /** What the command line needs to know of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Changes the faults; the chosen dedupe stays. */
  faults(plan: string, seed?: string): Promise<void>;
  enrol(people: readonly { number: string; name: string; bankCode?: string }[]): Promise<void>;
  /** Every payout that it accepted, in the order in which it did. */
  ledger(): Promise<LedgerEntry[]>;
  /** What is wrong with its books; nothing, if all is well. */
  books(): Promise<string[]>;
  close(): Promise<void>;
}

export interface ServiceWishes {
  /** Off: a reference that was used is taken again, so that a second send is a second payment. */
  readonly dedupe: 'on' | 'off';
  readonly settleAfterMs?: number;
}

export interface ServicesUnderProof {
  /** A service of its own, with nothing in it. Cheap: the process is there already. */
  open(wishes: ServiceWishes): Promise<ServiceUnderProof>;
  /** Ends the process and all services in it. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('./services-process.ts', import.meta.url));

/** One process for any number of services: starting one for each would cost more than the proof itself. */
export async function startServicesUnderProof(): Promise<ServicesUnderProof> {
  const child = fork(program, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const ask = asker(child);
  return {
    async open({ dedupe, settleAfterMs = 50 }) {
      const { opened } = await ask({ open: { dedupe, settleAfterMs } });
      if (!opened) throw new Error('no service was opened');
      return speakTo(opened, dedupe, async () => void (await ask({ close: opened.url })));
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never;

function asker(child: ChildProcess): (request: WithoutId<ServicesRequest>) => Promise<ServicesReply> {
  const waiting = new Map<number, (reply: ServicesReply) => void>();
  let lastId = 0;
  child.on('message', (reply: ServicesReply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  child.on('exit', () => {
    for (const [id, done] of waiting) done({ id, trouble: 'the process of the services ended' });
  });
  return async (request) => {
    lastId += 1;
    const id = lastId;
    const reply = await new Promise<ServicesReply>((resolve) => {
      waiting.set(id, resolve);
      child.send({ ...request, id });
    });
    if (reply.trouble !== undefined) throw new Error(reply.trouble);
    return reply;
  };
}

type Credentials = Pick<ServiceUnderProof, 'url' | 'apiKey' | 'publicKey' | 'webhookSecret'>;

function speakTo(
  credentials: Credentials,
  dedupe: ServiceWishes['dedupe'],
  close: () => Promise<void>,
): ServiceUnderProof {
  const { url, apiKey, publicKey } = credentials;
  const control = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    ...credentials,
    env: { PAYRUN_BASE_URL: url, PAYRUN_API_KEY: apiKey, PAYRUN_PUBLIC_KEY: publicKey, TZ: 'UTC' },
    async faults(plan, seed = '1') {
      const whole = [`dedupe=${dedupe}`, plan].filter((part) => part !== '').join(',');
      await control('PUT', 'faults', { plan: whole, seed });
    },
    enrol: async (people) => void (await control('POST', 'people', people)),
    async ledger() {
      const { data } = await control('GET', 'transactions');
      return seenPayouts(data as Record<string, string>[]);
    },
    books: async () => ((await control('GET', 'books'))['findings'] as unknown[]).map(String),
    close,
  };
}

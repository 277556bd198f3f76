import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectService } from '../../src/service/client.ts';
import type { ExternalAccount } from '../../src/service/contract/external-accounts.ts';
import { openTransport, type Transport, type TransportOptions } from '../../src/service/transport.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { rawReply, rawServer } from '../support/raw-server.ts';
import { threadTransport } from '../support/thread-transport.ts';

const apiKey = 'sk_live_VERYSECRETKEY0001';
const token = { success: true, token: 'SECRET-TOKEN-1', expiresAt: 4_000_000_000 };
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

type Rest<All> = All extends [unknown, ...infer Others] ? Others : never;

type Open = (options: TransportOptions) => Transport;

/** Each call of the list is answered by the next of these, the last of them stays. */
async function setupOver(open: Open, answers: readonly ((socket: Socket) => void)[], timeoutMs = 5_000) {
  let calls = 0;
  const server = await rawServer(({ path }, socket) => {
    if (path.includes('/auth/')) socket.write(rawReply(200, token));
    else answers[Math.min(calls++, answers.length - 1)]?.(socket);
  });
  const clock = fakeClock({ sleepsPass: true });
  const transport = open({ origin: server.url, connections: 8, timeoutMs });
  const service = connectService(
    { baseUrl: server.url, apiKey, publicKey: 'pk_1', version: '1', clock },
    { transport },
  );
  onTestFinished(() => service.close());
  return { service, calls: () => calls };
}

/** Written byte by byte, each with a length of its own. */
function bytewise(body: Buffer) {
  return async (socket: Socket) => {
    socket.setNoDelay(true);
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (const byte of body) {
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.write('0\r\n\r\n');
  };
}

function taker(work: () => void = () => {}) {
  let taken: ExternalAccount[] = [];
  return {
    begin: () => {
      taken = [];
    },
    take: (items: readonly ExternalAccount[]) => {
      work();
      taken.push(...items);
    },
    taken: () => taken,
  };
}

const listed = (...names: string[]) => ({
  success: true,
  data: names.map((accountName, at) => ({ externalAccountId: `a${at}`, payoutMethod: { accountName } })),
});
const namesIn = (accounts: readonly ExternalAccount[]) =>
  accounts.map(({ payoutMethod }) => payoutMethod?.accountName);

describe.each<[string, Open]>([
  ['where it is kept', openTransport],
  ['in a thread of calls', threadTransport],
])('a list that arrives in pieces %s', (_where, open) => {
  const setup = (...given: Rest<Parameters<typeof setupOver>>) => setupOver(open, ...given);

  test('is read whole though its letters are torn', async () => {
    const { service } = await setup([bytewise(Buffer.from(JSON.stringify(listed('Zoë', '名前', '😀'))))]);
    const into = taker();
    expect(await service.listExternalAccounts({}, { into })).toEqual({
      kind: 'ok',
      value: { success: true, data: [] },
    });
    expect(namesIn(into.taken())).toEqual(['Zoë', '名前', '😀']);
  });

  test('is not text where one of its items is not', async () => {
    const body = Buffer.from(JSON.stringify(listed('Zoë')));
    body[body.indexOf(0xc3)] = 0xff;
    const { service } = await setup([bytewise(body)]);
    const read = await service.listExternalAccounts({}, { into: taker() });
    expect(read).toMatchObject({
      kind: 'unknown',
      reason: 'reply-not-json',
      cause: 'the reply is not text in UTF-8',
    });
  });

  test('begins anew where it was cut off, and then has nothing of the first try', async () => {
    const cutOff = (socket: Socket) => {
      const text = JSON.stringify(listed('Old', 'Older', 'Oldest'));
      socket.end(`${head}content-length: ${text.length}\r\n\r\n${text.slice(0, -10)}`);
    };
    const { service, calls } = await setup([
      cutOff,
      (socket) => void socket.write(rawReply(200, listed('New'))),
    ]);
    const into = taker();
    expect(await service.listExternalAccounts({}, { into })).toMatchObject({ kind: 'ok' });
    expect(namesIn(into.taken())).toEqual(['New']);
    expect(calls()).toBe(2);
  });

  test('shows no secret of ours', async () => {
    const { service } = await setup([
      (socket) => void socket.write(rawReply(200, listed(`by ${apiKey}`, 'Ann'))),
    ]);
    const into = taker();
    await service.listExternalAccounts({}, { into });
    expect(namesIn(into.taken())).toHaveLength(2);
    expect(JSON.stringify(into.taken())).not.toContain(apiKey);
  });

  test('takes as long as it takes us to put it down: only what the service takes is bounded', async () => {
    const { service } = await setup([bytewise(Buffer.from(JSON.stringify(listed('Ann', 'Bob'))))], 1000);
    const slowly = taker(() => {
      const untilMs = performance.now() + 600;
      while (performance.now() < untilMs);
    });
    expect(await service.listExternalAccounts({}, { into: slowly })).toMatchObject({ kind: 'ok' });
    const { service: silent } = await setup(
      [(socket) => void socket.write(`${head}content-length: 99\r\n\r\n{`)],
      100,
    );
    expect(await silent.listExternalAccounts({}, { into: taker() })).toMatchObject({ reason: 'timed-out' });
  });

  test('is an error of ours where it cannot be put down', async () => {
    const { service } = await setup([(socket) => void socket.write(rawReply(200, listed('Ann')))]);
    const full = taker(() => {
      throw new Error('the disk is full');
    });
    await expect(service.listExternalAccounts({}, { into: full })).rejects.toThrow('the disk is full');
  });
});

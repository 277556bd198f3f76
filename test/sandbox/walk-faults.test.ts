import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  accepted,
  at,
  exchangeToken,
  failureWith,
  newPhone,
  type PayoutBody,
  type PlainService,
  payoutTo,
  rowsAt,
  runCommand,
  startService,
  until,
} from './plain-http.ts';

let service: PlainService;

beforeAll(async () => {
  service = await startService();
});

afterEach(async () => {
  await faults('');
});

afterAll(async () => {
  expect(await service.control('GET', 'books')).toMatchObject({ body: { balanced: true, findings: [] } });
  await service.stop();
});

const pay = (body: PayoutBody) => service.post('/fiat/payout', body);
const dropped = { code: 'ECONNRESET' };

async function faults(plan: string, seed = '1'): Promise<void> {
  expect((await service.control('PUT', 'faults', { plan, seed })).status).toBe(200);
}

/** How many transactions the service holds under the reference, whatever the faults. */
async function held(reference: string): Promise<number> {
  const { body } = await service.control('GET', 'transactions');
  return rowsAt(body, 'data').filter((each) => each['externalReference'] === reference).length;
}

const found = async (reference: string) =>
  rowsAt((await service.get(`/transactions?externalReference=${reference}`)).body, 'data').length;

describe('a fault on payouts', () => {
  test('lost-reply drops the connection after the payout was made', async () => {
    await faults('lost-reply=1,on=createPayout');
    const body = payoutTo(newPhone());
    const before = await service.balance('KES');
    await expect(pay(body)).rejects.toMatchObject(dropped);
    expect(await found(body.externalReference)).toBe(1);
    expect(await service.balance('KES')).toBe(before - 100);
  });

  test('lost-request drops the connection before anything is done', async () => {
    await faults('lost-request=1,on=createPayout');
    const body = payoutTo(newPhone());
    await expect(pay(body)).rejects.toMatchObject(dropped);
    expect(await held(body.externalReference)).toBe(0);
    await faults('');
    await accepted(pay(body));
  });

  test('late-landing drops the connection, and the payout is made later', async () => {
    await faults('late-landing=1,late-by=700ms,on=createPayout');
    const body = payoutTo(newPhone());
    await expect(pay(body)).rejects.toMatchObject(dropped);
    expect(await found(body.externalReference)).toBe(0);
    await until(async () => expect(await found(body.externalReference)).toBe(1));
  });

  test('error-500 answers 500 and does nothing', async () => {
    await faults('error-500=1,on=createPayout');
    const body = payoutTo(newPhone());
    const answer = await pay(body);
    expect(answer.status).toBe(500);
    expect(at(answer.body, 'success')).not.toBe(true);
    expect(await held(body.externalReference)).toBe(0);
  });

  test('error-500-after answers 500 although the payout was made', async () => {
    await faults('error-500-after=1,on=createPayout');
    const body = payoutTo(newPhone());
    expect((await pay(body)).status).toBe(500);
    expect(await found(body.externalReference)).toBe(1);
  });

  test('html answers with the page of a proxy although the payout was made', async () => {
    await faults('html=1,on=createPayout');
    const body = payoutTo(newPhone());
    const answer = await pay(body);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.text).toMatch(/^\s*<(!doctype )?html/i);
    expect(answer.body).toBeUndefined();
    expect(await found(body.externalReference)).toBe(1);
  });

  test('cut-body breaks the reply off in the middle', async () => {
    await faults('cut-body=1,on=createPayout');
    const body = payoutTo(newPhone());
    const trouble: unknown = await pay(body).catch((error: unknown) => error);
    expect(trouble).toMatchObject({ ...dropped, partialText: expect.stringMatching(/^\{/) });
    expect(() => JSON.parse(String(at(trouble, 'partialText')))).toThrow();
    expect(await found(body.externalReference)).toBe(1);
  });

  test('storm-429 answers 429 with Retry-After and does nothing', async () => {
    await faults('storm-429=1,retry-after=2,on=createPayout');
    const body = payoutTo(newPhone());
    const answer = await pay(body);
    expect(answer).toMatchObject({ status: 429, body: failureWith() });
    expect(answer.headers['retry-after']).toBe('2');
    expect(await held(body.externalReference)).toBe(0);
  });

  test('storm-429 can say a date in Retry-After', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    await faults(`storm-429=1,retry-after=${date},on=createPayout`);
    const answer = await pay(payoutTo(newPhone()));
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe(date);
  });

  test('storm-401 answers 401 and does nothing, under a new token too', async () => {
    await faults('storm-401=1');
    const body = payoutTo(newPhone());
    expect(await pay(body)).toMatchObject({ status: 401, body: failureWith() });
    expect((await exchangeToken(service)).status).toBe(200);
    await service.signIn();
    expect((await pay(body)).status).toBe(401);
    expect((await service.get('/users')).status).toBe(401);
    expect(await held(body.externalReference)).toBe(0);
  });

  test('slow answers late', async () => {
    await faults('slow=1,slow-by=300ms,on=createPayout');
    expect(await elapsedMs(() => accepted(pay(payoutTo(newPhone()))))).toBeGreaterThan(290);
  });

  test('touches only the endpoints it is on', async () => {
    await faults('error-500=1,on=readUser+listCountries');
    expect((await service.get('/users')).status).toBe(500);
    expect((await service.get('/utilities/countries')).status).toBe(500);
    await accepted(pay(payoutTo(newPhone())));
    await faults('error-500=1');
    expect((await service.get('/utilities/rates/historical')).status).toBe(500);
    expect((await exchangeToken(service)).status).toBe(200);
    await faults('error-500=1,on=exchangeToken');
    expect((await exchangeToken(service)).status).toBe(500);
  });
});

describe('a setting', () => {
  test('latency is added to every answer', async () => {
    await faults('latency=150ms');
    expect(await elapsedMs(() => service.get('/users'))).toBeGreaterThan(140);
    expect(await elapsedMs(() => service.get('/utilities/countries'))).toBeGreaterThan(140);
  });

  test('lookup-lag hides a new transaction from list and read for a while', async () => {
    await faults('lookup-lag=900ms');
    const body = payoutTo(newPhone());
    const id = await accepted(pay(body));
    expect(await found(body.externalReference)).toBe(0);
    expect((await service.get(`/transactions/${id}`)).status).toBe(404);
    expect((await service.get(`/transactions/${body.externalReference}`)).status).toBe(404);
    expect((await pay(body)).body).toEqual(failureWith('E-API-D.S-28'));
    await until(async () => expect(await found(body.externalReference)).toBe(1));
    expect((await service.get(`/transactions/${id}`)).status).toBe(200);
  });

  test('list-filter=ignored lists others under a reference', async () => {
    await accepted(pay(payoutTo(newPhone())));
    await faults('list-filter=ignored');
    expect(await found('never-seen')).toBeGreaterThan(0);
    await faults('list-filter=honoured');
    expect(await found('never-seen')).toBe(0);
  });

  test('dedupe=off pays a used reference again', async () => {
    await faults('dedupe=off');
    const body = payoutTo(newPhone());
    const before = await service.balance('KES');
    const ids = [await accepted(pay(body)), await accepted(pay(body))];
    expect(new Set(ids).size).toBe(2);
    expect(await found(body.externalReference)).toBe(2);
    expect(await service.balance('KES')).toBe(before - 200);
    await faults('dedupe=on');
    expect((await pay(body)).body).toEqual(failureWith('E-API-D.S-28'));
  });

  test('storm-length makes blocks of requests', async () => {
    await faults('storm-429=0.5,storm-length=4,on=readUser', 'weather');
    const statuses: number[] = [];
    for (let count = 0; count < 80; count += 1) statuses.push((await service.get('/users')).status);
    const runs = statuses.join(' ').match(/(200)( 200)*|(429)( 429)*/g) ?? [];
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    for (const run of runs.slice(1, -1)) expect(run.split(' ').length % 4, run).toBe(0);
  });
});

describe('an ordered answer', () => {
  test('is given as often as ordered, then no more', async () => {
    await service.control('POST', 'answers', { endpoint: 'createPayout', times: 2, fault: 'lost-reply' });
    const bodies = [payoutTo(newPhone()), payoutTo(newPhone()), payoutTo(newPhone())] as const;
    await expect(pay(bodies[0])).rejects.toMatchObject(dropped);
    await expect(pay(bodies[1])).rejects.toMatchObject(dropped);
    await accepted(pay(bodies[2]));
    for (const { externalReference } of bodies) expect(await found(externalReference)).toBe(1);
  });

  test('can be a code and a status', async () => {
    const order = { endpoint: 'createPayout', errorCode: 'E-API-P.S-41', status: 422 };
    await service.control('POST', 'answers', order);
    const body = payoutTo(newPhone());
    expect(await pay(body)).toMatchObject({ status: 422, body: failureWith('E-API-P.S-41') });
    expect(await held(body.externalReference)).toBe(0);
  });
});

describe('faults from the command line', () => {
  const references = Array.from({ length: 40 }, (_, index) => `seeded-${index}`);

  async function lostReplies(seed: string, order: readonly string[]): Promise<string[]> {
    const seeded = await startService('--fault', 'lost-reply=0.5,on=createPayout', '--seed', seed);
    try {
      const outcomes = await Promise.all(
        order.map(async (externalReference) => {
          const body = payoutTo(newPhone(), { externalReference });
          const answer = await seeded.post('/fiat/payout', body).catch((error: unknown) => error);
          return { externalReference, isLost: at(answer, 'code') === 'ECONNRESET' };
        }),
      );
      expect(rowsAt((await seeded.control('GET', 'transactions')).body, 'data')).toHaveLength(40);
      return outcomes.filter(({ isLost }) => isLost).map(({ externalReference }) => externalReference);
    } finally {
      await seeded.stop();
    }
  }

  test('are the same for the same seed in any order, and others for another', async () => {
    const [first, second, other] = await Promise.all([
      lostReplies('alpha', references),
      lostReplies('alpha', references.toReversed()),
      lostReplies('beta', references),
    ]);
    expect(first.length).toBeGreaterThan(5);
    expect(first.length).toBeLessThan(35);
    expect(second.sort()).toEqual(first.sort());
    expect(other.sort()).not.toEqual(first);
  });

  test('are refused when they are not understood', async () => {
    await expect(
      runCommand('sandbox', '--memory', '--port', '0', '--fault', 'gremlins=1'),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('gremlins'),
    });
  });
});

async function elapsedMs(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

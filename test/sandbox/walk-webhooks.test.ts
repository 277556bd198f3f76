import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  accepted,
  at,
  type Delivery,
  failureWith,
  integer,
  isoInstant,
  newPhone,
  newReference,
  type PlainService,
  payoutTo,
  rowsAt,
  startReceiver,
  startService,
  textAt,
  until,
  untilStatus,
} from './plain-http.ts';

let service: PlainService;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService(
    '--settle-after',
    '150ms',
    '--return-after',
    '150ms',
    '--webhook-url',
    receiver.url,
  );
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const list = (query = '') => service.get(`/webhooks${query}`);
const recordsOf = async (reference: string) => rowsAt((await list(`?reference=${reference}`)).body, 'data');

/** Pays, and waits until the service has been told twice and has written down that it was heard. */
async function paidAndHeard(phone = newPhone()): Promise<{ id: string; reference: string }> {
  const body = payoutTo(phone);
  const id = await accepted(service.post('/fiat/payout', body));
  await until(async () => {
    const records = await recordsOf(id);
    expect(records.map((each) => each['status'])).toEqual(['SUCCESS', 'SUCCESS']);
  });
  return { id, reference: body.externalReference };
}

const summary = (delivery: Delivery) => ({
  event: at(delivery.body, 'event'),
  status: at(delivery.body, 'data', 'status'),
  type: at(delivery.body, 'data', 'type'),
});

describe('delivery', () => {
  test('tells of a payout when it is created and when it is paid', async () => {
    const { id, reference } = await paidAndHeard();
    const deliveries = receiver.about(id);

    expect(deliveries.map(summary)).toEqual([
      { event: 'transaction_created', status: 'pending', type: 'withdrawal' },
      { event: 'transaction_updated', status: 'successful', type: 'withdrawal' },
    ]);
    for (const { method, headers, body } of deliveries) {
      expect(method).toBe('POST');
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['x-webhook-signature']).toBe(service.webhookSecret);
      expect(body).toEqual({
        event: expect.any(String),
        data: expect.objectContaining({ transactionId: id, externalReference: reference }),
        timestamp: expect.anything(),
      });
      const timestamp = at(body, 'timestamp');
      expect([integer, isoInstant].some((form) => form.asymmetricMatch(timestamp))).toBe(true);
    }
  });

  test('tells of a failed payout', async () => {
    const { id } = await paidAndHeard(newPhone('99001'));
    expect(receiver.about(id).map((each) => summary(each).status)).toEqual(['pending', 'failed']);
  });

  test('tells of a returned payout a third time', async () => {
    const id = await accepted(service.post('/fiat/payout', payoutTo(newPhone('99003'))));
    await until(() => expect(receiver.about(id)).toHaveLength(3));
    expect(receiver.about(id).map((each) => summary(each).status)).toEqual([
      'pending',
      'successful',
      'failed',
    ]);
  });

  test('tells of a charge as a deposit', async () => {
    const id = await accepted(
      service.post('/fiat/deposit/momo', {
        amount: 50,
        currency: 'KES',
        phoneNumber: newPhone(),
        externalReference: newReference(),
      }),
    );
    await until(() => expect(receiver.about(id)).toHaveLength(2));
    expect(receiver.about(id).map(summary)).toEqual([
      { event: 'transaction_created', status: 'pending', type: 'deposit' },
      { event: 'transaction_updated', status: 'successful', type: 'deposit' },
    ]);
  });

  test('goes to the URL of the profile, and to the sandbox one for the sandbox prefix', async () => {
    const other = await startReceiver();
    try {
      await service.control('PUT', 'profile', { sandboxWebhookUrl: other.url });
      expect((await service.get('/users')).body).toMatchObject({
        webhookUrl: receiver.url,
        sandboxWebhookUrl: other.url,
      });
      const live = await accepted(service.post('/fiat/payout', payoutTo(newPhone())));
      const trial = await accepted(service.post('/api/sandbox/b2b/fiat/payout', payoutTo(newPhone())));
      await until(() => expect(receiver.about(live)).toHaveLength(2));
      await until(() => expect(other.about(trial)).toHaveLength(2));
      expect(receiver.about(trial)).toEqual([]);
      expect(other.about(live)).toEqual([]);
    } finally {
      await service.control('PUT', 'profile', { sandboxWebhookUrl: receiver.url });
      await other.close();
    }
  });

  test('to a receiver that answers 500 is tried again after five seconds', async () => {
    const moody = await startReceiver((delivery) => (delivery === 1 ? 500 : 200));
    try {
      await service.control('PUT', 'profile', { webhookUrl: moody.url });
      const id = await accepted(service.post('/fiat/payout', payoutTo(newPhone('99002'))));
      await until(async () => expect(moody.about(id)).toHaveLength(1));
      await service.control('PUT', 'profile', { webhookUrl: receiver.url });
      expect((await recordsOf(id)).map((each) => each['status'])).not.toContain('SUCCESS');
      await until(() => expect(moody.about(id)).toHaveLength(2));
      const [first, second] = moody.about(id);
      const pauseMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
      expect(pauseMs).toBeGreaterThan(4900);
      expect(second?.body).toEqual(first?.body);
      await until(async () =>
        expect((await recordsOf(id)).map((each) => each['status'])).toEqual(['SUCCESS']),
      );
    } finally {
      await moody.close();
    }
  });
});

describe('records', () => {
  let paid: { id: string; reference: string };

  beforeAll(async () => {
    paid = await paidAndHeard();
  });

  test('have every field of the specification', async () => {
    const answer = await list(`?reference=${paid.id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: expect.any(Array) });
    const rows = rowsAt(answer.body, 'data');
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toEqual({
        id: expect.stringMatching(/./),
        createdAt: isoInstant,
        event: expect.stringMatching(/^transaction_(created|updated)$/),
        data: {
          transactionId: paid.id,
          status: expect.stringMatching(/^(pending|successful)$/),
          type: 'withdrawal',
          externalReference: paid.reference,
        },
        response: expect.objectContaining({ status: expect.stringMatching(/./) }),
        webhookUrl: receiver.url,
        status: 'SUCCESS',
      });
    }
  });

  test('are read by id below the singular path only', async () => {
    const [row] = await recordsOf(paid.id);
    const answer = await service.get(`/webhook/${row?.['id']}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, data: { ...row } });
    expect((await service.get(`/webhooks/${row?.['id']}`)).status).toBeGreaterThanOrEqual(400);
    expect(await service.get('/webhook/nobody')).toMatchObject({ status: 404, body: failureWith() });
  });

  test('are found by transaction id or by external reference', async () => {
    const byId = await recordsOf(paid.id);
    expect(byId).toHaveLength(2);
    expect(await recordsOf(paid.reference)).toEqual(byId);
    expect(await recordsOf('nobody')).toEqual([]);
  });

  test('are filtered by status', async () => {
    const deaf = await startReceiver();
    await deaf.close();
    await service.control('PUT', 'profile', { webhookUrl: deaf.url });
    const id = await accepted(service.post('/fiat/payout', payoutTo(newPhone('99002'))));
    await service.control('PUT', 'profile', { webhookUrl: receiver.url });

    const statuses = async (status: string) =>
      new Set(rowsAt((await list(`?status=${status}&limit=200`)).body, 'data').map((each) => each['status']));
    expect(await statuses('SUCCESS')).toEqual(new Set(['SUCCESS']));
    const waiting = rowsAt((await list('?status=CREATED')).body, 'data');
    expect(waiting.map((each) => at(each, 'data', 'transactionId'))).toEqual([id]);
    expect([...(await statuses('FAILED'))]).toEqual([]);
  });

  test('are filtered by date, both ends counted in', async () => {
    const [row] = await recordsOf(paid.id);
    const day = textAt(row, 'createdAt').slice(0, 10);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    const count = async (query: string) =>
      rowsAt((await list(`?reference=${paid.id}&${query}`)).body, 'data').length;
    expect(await count(`startDate=${day}&endDate=${day}`)).toBe(2);
    expect(await count(`startDate=${next}`)).toBe(0);
    expect(await count('endDate=2020-01-01')).toBe(0);
  });

  test('are counted off by the limit, 200 at most', async () => {
    expect(rowsAt((await list('?limit=1')).body, 'data')).toHaveLength(1);
    expect((await list('?limit=200')).status).toBe(200);
  });

  test.each([
    'limit=201',
    'limit=0',
    'limit=many',
    'status=success',
    'status=SENT',
    'startDate=today',
    'endDate=2026-02-30',
  ])('refuse %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: failureWith() });
  });

  test('are delivered again when asked', async () => {
    const records = await recordsOf(paid.id);
    const created = records.find((each) => each['event'] === 'transaction_created');
    const before = receiver.about(paid.id);
    const answer = await service.post(`/webhooks/${created?.['id']}/resend`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/./) });
    await until(() => expect(receiver.about(paid.id)).toHaveLength(before.length + 1));
    const again = receiver.about(paid.id).at(-1);
    expect(again?.headers['x-webhook-signature']).toBe(service.webhookSecret);
    expect(again?.body).toMatchObject({
      event: 'transaction_created',
      data: { transactionId: paid.id, status: 'pending' },
    });
    const missing = await service.post('/webhooks/nobody/resend');
    expect(missing).toMatchObject({ status: 404, body: failureWith() });
  });
});

describe('simulation', () => {
  const simulate = (body: unknown, prefix = '/api/sandbox/b2b'): Promise<Answer> =>
    service.post(`${prefix}/utilities/simulate-webhook`, body);
  const aboutReference = (reference: string) =>
    receiver.deliveries.filter((each) => at(each.body, 'data', 'externalReference') === reference);

  test.each(['successful', 'failed', 'pending'])(
    'sends the event %s for a known reference and leaves the transaction alone',
    async (webhookStatus) => {
      const { id, reference } = await paidAndHeard();
      const answer = await simulate({ externalReference: reference, webhookStatus });
      expect(answer.status).toBe(200);
      expect(answer.body).toBeTypeOf('object');
      await until(() => expect(aboutReference(reference)).toHaveLength(3));
      expect(aboutReference(reference).at(-1)?.body).toMatchObject({
        data: { transactionId: id, externalReference: reference, status: webhookStatus, type: 'withdrawal' },
      });
      await untilStatus(service, id, 'SUCCESSFUL');
    },
  );

  test('sends an event for a reference nobody knows', async () => {
    const reference = 'never-seen';
    expect((await simulate({ externalReference: reference, webhookStatus: 'successful' })).status).toBe(200);
    await until(() => expect(aboutReference(reference)).toHaveLength(1));
    const [delivery] = aboutReference(reference);
    expect(delivery?.headers['x-webhook-signature']).toBe(service.webhookSecret);
    expect(delivery?.body).toMatchObject({ data: { status: 'successful' } });
    expect((await service.get(`/transactions?externalReference=${reference}`)).body).toMatchObject({
      data: [],
    });
  });

  test('exists in the sandbox only', async () => {
    const answer = await simulate(
      { externalReference: 'elsewhere', webhookStatus: 'successful' },
      '/api/b2b',
    );
    expect(answer).toMatchObject({ status: 404, body: failureWith() });
    expect(aboutReference('elsewhere')).toEqual([]);
  });

  test.each([
    ['a strange status', { externalReference: 'some', webhookStatus: 'lost' }],
    ['no status', { externalReference: 'some' }],
    ['no reference', { webhookStatus: 'successful' }],
  ])('refuses %s', async (_, body) => {
    expect(await simulate(body)).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
  });
});

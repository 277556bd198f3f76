import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  accepted,
  at,
  failureWith,
  identifier,
  integer,
  newPhone,
  newReference,
  type PlainService,
  payoutTo,
  rowsAt,
  startService,
  textAt,
  untilStatus,
} from './plain-http.ts';

let service: PlainService;
let payoutIds: string[];
let failedId: string;
let stuckId: string;
let bankId: string;
let chargeId: string;

beforeAll(async () => {
  service = await startService();
  payoutIds = [];
  for (let count = 0; count < 12; count += 1) {
    payoutIds.push(await accepted(service.post('/fiat/payout', payoutTo(newPhone()))));
  }
  failedId = await accepted(service.post('/fiat/payout', payoutTo(newPhone('99001'))));
  stuckId = await accepted(service.post('/fiat/payout', payoutTo(newPhone('99002'))));
  bankId = await accepted(
    service.post(
      '/fiat/payout',
      payoutTo('', {
        amount: 2500.75,
        currency: 'NGN',
        country: 'NG',
        destination: 'Bank Account',
        externalReference: 'bank-payout',
        payoutMethod: { accountName: 'Ngozi Okafor', accountNumber: '0123456789', code: '058' },
      }),
    ),
  );
  chargeId = await accepted(
    service.post('/fiat/deposit/momo', {
      amount: 300,
      currency: 'KES',
      phoneNumber: newPhone(),
      externalReference: newReference(),
    }),
  );
  payoutIds.push(failedId, stuckId, bankId);
  for (const id of payoutIds.slice(0, 12)) await untilStatus(service, id, 'SUCCESSFUL');
  await untilStatus(service, failedId, 'FAILED');
  await untilStatus(service, bankId, 'SUCCESSFUL');
  await untilStatus(service, chargeId, 'SUCCESSFUL');
});

afterAll(async () => {
  await service.stop();
});

const list = (query = '') => service.get(`/transactions${query}`);
const idsOf = (answer: Answer) => rowsAt(answer.body, 'data').map((each) => each['transactionId']);

describe('transactions list', () => {
  test('gives three when no limit is asked for', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: expect.any(Array) });
    expect(idsOf(answer)).toHaveLength(3);
  });

  test.each([1, 4, 10])('gives as many as the limit %i', async (limit) => {
    expect(idsOf(await list(`?limit=${limit}`))).toHaveLength(limit);
  });

  test.each([
    'limit=0',
    'limit=11',
    'limit=-1',
    'limit=abc',
    'limit=2.5',
    'limit=',
    'limit=3&limit=3',
    'startDate=15-11-2026',
    'startDate=2026-02-30',
    'startDate=2026-13-01',
    'endDate=tomorrow',
    'endDate=2026-1-1',
    'status=SUCCESSFUL',
    'status=paid',
    'colour=blue',
  ])('refuses %s with 400 and an empty object', async (query) => {
    const answer = await list(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toBe('{}');
  });

  test('shows every field of the specification, typed as it says, and no other', async () => {
    const [row] = rowsAt((await list('?externalReference=bank-payout')).body, 'data');
    const timestamp = textAt(row, 'fullTimestamp');

    expect(row).toEqual({
      transactionId: bankId,
      type: 'withdrew',
      status: 'SUCCESSFUL',
      chargeStatus: 'successful',
      amount: integer,
      senderAmount: integer,
      receiverAmount: integer,
      currency: 'NGN',
      senderCurrency: 'NGN',
      receiverCurrency: 'NGN',
      country: 'NG',
      destination: 'Bank Account',
      fullTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/),
      year: timestamp.slice(0, 4),
      month: new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(timestamp)),
      day: new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(timestamp)),
      beneficiary: {
        country: 'Nigeria',
        bankCode: '058',
        accountName: 'Ngozi Okafor',
        destination: 'Bank Account',
        currency: 'NGN',
        accountNumber: '0123456789',
      },
    });
    expect(Math.abs(new Date(timestamp).getTime() - Date.now())).toBeLessThan(60_000);
    expect(bankId).toEqual(identifier);
    for (const field of ['amount', 'senderAmount', 'receiverAmount']) {
      expect(Math.abs(Number(at(row, field)) - 2500.75)).toBeLessThan(1);
    }
  });

  test('shows a charge and a mobile money payout with the same fields', async () => {
    const all = await everything();
    const [bank] = all.filter((each) => each['transactionId'] === bankId);
    const fields = Object.keys(bank ?? {}).sort();
    expect(fields).toHaveLength(17);
    for (const row of all) {
      expect(Object.keys(row).sort()).toEqual(fields);
      expect(row['beneficiary']).toEqual({
        country: expect.any(String),
        bankCode: expect.any(String),
        accountName: expect.any(String),
        destination: expect.any(String),
        currency: expect.any(String),
        accountNumber: expect.any(String),
      });
      expect(row['status']).toBe(String(row['chargeStatus']).toUpperCase());
    }
    expect(all.find((each) => each['transactionId'] === payoutIds[0])).toMatchObject({
      type: 'withdrew',
      destination: 'MoMo',
      country: 'KE',
      beneficiary: { country: 'Kenya', destination: 'MoMo' },
    });
    expect(all.find((each) => each['transactionId'] === chargeId)).toMatchObject({ type: 'deposit' });
  });

  test.each([1, 3, 10])('pages by %i through everything once', async (limit) => {
    const ids = (await everything(limit)).map((each) => each['transactionId']);
    expect(ids).toHaveLength(16);
    expect(new Set(ids)).toEqual(new Set([...payoutIds, chargeId]));
  });

  test('pages by cursor under a filter', async () => {
    const ids = (await everything(2, '&type=withdrew&status=successful')).map(
      (each) => each['transactionId'],
    );
    expect(ids).toHaveLength(13);
    expect(new Set(ids).size).toBe(13);
  });

  test('filters by currency', async () => {
    expect(idsOf(await list('?currency=NGN'))).toEqual([bankId]);
    expect(idsOf(await list('?currency=ZMW'))).toEqual([]);
  });

  test('filters by type', async () => {
    expect(idsOf(await list('?type=deposit'))).toEqual([chargeId]);
    expect(await everything(10, '&type=withdrew')).toHaveLength(15);
    expect(idsOf(await list('?type=refund'))).toEqual([]);
  });

  test('takes an empty currency, type or reference as no filter', async () => {
    expect(idsOf(await list('?currency=&type=&limit=10'))).toHaveLength(10);
  });

  test('filters by status', async () => {
    expect(idsOf(await list('?status=failed'))).toEqual([failedId]);
    expect(idsOf(await list('?status=pending'))).toEqual([stuckId]);
    expect(await everything(10, '&status=successful')).toHaveLength(14);
  });

  test('filters by external reference, and finds nothing for a strange one', async () => {
    expect(idsOf(await list('?externalReference=bank-payout'))).toEqual([bankId]);
    expect(await list('?externalReference=bank-payou')).toMatchObject({
      status: 200,
      body: { success: true, data: [] },
    });
  });

  test('combines filters', async () => {
    expect(idsOf(await list('?currency=NGN&status=failed'))).toEqual([]);
    expect(idsOf(await list('?currency=KES&status=failed&type=withdrew'))).toEqual([failedId]);
  });

  test('counts both ends of a range of dates in', async () => {
    const row = rowsAt((await list('?externalReference=bank-payout')).body, 'data')[0];
    const day = textAt(row, 'fullTimestamp').slice(0, 10);
    const shifted = (days: number) =>
      new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
    const found = async (query: string) => idsOf(await list(`?currency=NGN&${query}`));

    expect(await found(`startDate=${day}&endDate=${day}`)).toEqual([bankId]);
    expect(await found(`startDate=${day}`)).toEqual([bankId]);
    expect(await found(`endDate=${day}`)).toEqual([bankId]);
    expect(await found(`startDate=${shifted(-1)}&endDate=${shifted(1)}`)).toEqual([bankId]);
    expect(await found(`startDate=${shifted(1)}`)).toEqual([]);
    expect(await found(`endDate=${shifted(-1)}`)).toEqual([]);
  });
});

test('a transaction that arrives between two pages neither repeats nor hides another', async () => {
  const before = (await everything()).map((each) => each['transactionId']);
  const first = idsOf(await list('?limit=5'));
  await accepted(service.post('/fiat/payout', payoutTo(newPhone())));
  const rest: unknown[] = [];
  for (let page = idsOf(await list(`?limit=5&transactionId=${first.at(-1)}`)); page.length > 0; ) {
    rest.push(...page);
    page = idsOf(await list(`?limit=5&transactionId=${page.at(-1)}`));
  }
  const seen = [...first, ...rest];
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(before));
});

describe('single transaction', () => {
  test('reads by id and by external reference, with the exact amount', async () => {
    const byId = await service.get(`/transactions/${bankId}`);
    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({
      success: true,
      data: {
        transactionId: bankId,
        amount: 2500.75,
        type: 'withdrew',
        currency: 'NGN',
        status: 'SUCCESSFUL',
        chargeStatus: 'successful',
        method: expect.stringMatching(/./),
        externalReference: 'bank-payout',
      },
    });
    expect((await service.get('/transactions/bank-payout')).body).toEqual(byId.body);
  });

  test('names the phone number of a mobile money transaction', async () => {
    const phone = newPhone();
    const id = await accepted(service.post('/fiat/payout', payoutTo(phone)));
    expect((await service.get(`/transactions/${id}`)).body).toMatchObject({
      data: { method: 'momo', phoneNumber: phone },
    });
  });

  test('starts pending', async () => {
    const payout = payoutTo(newPhone('99002'));
    await accepted(service.post('/fiat/payout', payout));
    expect((await service.get(`/transactions/${payout.externalReference}`)).body).toMatchObject({
      data: { status: 'PENDING', chargeStatus: 'pending' },
    });
  });

  test('fails for an unknown one', async () => {
    const answer = await service.get('/transactions/nobody-knows');
    expect(answer).toMatchObject({ status: 404, body: failureWith() });
  });

  test('reads a reference with signs in it', async () => {
    const reference = 'Nov/2026 №7 & more?';
    await accepted(service.post('/fiat/payout', payoutTo(newPhone(), { externalReference: reference })));
    const encoded = encodeURIComponent(reference);
    expect((await service.get(`/transactions/${encoded}`)).body).toMatchObject({
      data: { externalReference: reference },
    });
    expect(idsOf(await list(`?externalReference=${encoded}`))).toHaveLength(1);
  });
});

async function everything(limit = 10, filter = ''): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let page = 0; page < 40; page += 1) {
    const last = found.at(-1)?.['transactionId'];
    const rows = rowsAt(
      (await list(`?limit=${limit}${filter}${last ? `&transactionId=${last}` : ''}`)).body,
      'data',
    );
    expect(rows.length).toBeLessThanOrEqual(limit);
    found.push(...rows);
    if (rows.length < limit) return found;
  }
  throw new Error('the list has no end');
}

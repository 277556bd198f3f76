import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  failureWith,
  identifier,
  integer,
  newPhone,
  type PlainService,
  rowsAt,
  startService,
  textAt,
} from './plain-http.ts';

let service: PlainService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.stop();
});

const branchCodeNeeded = failureWith(
  'VALIDATION_ERROR',
  'Validation error: Branch code is required for UG and TZ.',
);
const missing = failureWith('E-BEN.S-90', 'Missing external account!');
const inUse = failureWith('E-BEN.S-35', 'Account number already in use.');

const create = (body: unknown) => service.post('/external-accounts', body);
const read = (id: string) => service.get(`/external-accounts/${id}`);

async function created(body: unknown): Promise<string> {
  const answer = await create(body);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    success: true,
    message: expect.stringMatching(/./),
    data: { id: identifier },
  });
  return textAt(answer.body, 'data', 'id');
}

describe('create', () => {
  test('stores a mobile money account, which reads back with every field', async () => {
    const phone = newPhone();
    const before = Math.floor(Date.now() / 1000);
    const id = await created(momo(phone));

    const answer = await read(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        externalAccountId: id,
        country: 'KE',
        currency: 'KES',
        destination: 'MoMo',
        createdAt: integer,
        payoutMethod: {
          branchCode: expect.any(String),
          code: expect.any(String),
          accountName: 'Amina Otieno',
          accountNumber: phone,
        },
      },
    });
    const createdAt = Number(at(answer.body, 'data', 'createdAt'));
    expect(createdAt).toBeGreaterThanOrEqual(before);
    expect(createdAt).toBeLessThanOrEqual(Date.now() / 1000);
  });

  test('stores a bank account', async () => {
    const id = await created(bank('1100000001', '01', { branchCode: '100' }));
    expect((await read(id)).body).toMatchObject({
      data: {
        externalAccountId: id,
        destination: 'Bank Account',
        payoutMethod: {
          branchCode: '100',
          code: '01',
          accountName: 'Amina Otieno',
          accountNumber: '1100000001',
        },
      },
    });
  });

  test.each([
    ['UG', 'UGX', '+256772000001', '04'],
    ['TZ', 'TZS', '+255752000001', '003'],
  ])(
    'asks for a branch code in %s, for mobile money and banks alike',
    async (country, currency, phone, code) => {
      const phoneAccount = momo(phone, { country, currency });
      const bankAccount = bank('9030001234', code, { country, currency });
      for (const body of [phoneAccount, bankAccount]) {
        const bare = await create(body);
        expect(bare.status).toBe(400);
        expect(bare.body).toEqual(branchCodeNeeded);
        const blank = await create({ ...body, payload: { ...body.payload, branchCode: '' } });
        expect(blank.body).toEqual(branchCodeNeeded);
        await created({ ...body, payload: { ...body.payload, branchCode: '0001' } });
      }
    },
  );

  test('refuses a phone number that is in use, with or without its plus', async () => {
    const phone = newPhone();
    await created(momo(phone));
    expect((await create(momo(phone))).body).toEqual(inUse);
    expect((await create(momo(phone.slice(1)))).body).toEqual(inUse);
  });

  test('refuses an account number in use at the same bank only', async () => {
    await created(bank('1100000002', '01'));
    const again = await create(bank('1100000002', '01'));
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.body).toEqual(inUse);
    await created(bank('1100000002', '68'));
  });

  test.each([
    ['no payload', { payload: undefined }],
    ['no type', { type: undefined }],
    ['a strange type', { type: 'crypto' }],
    ['no country', { country: undefined }],
    ['a country nobody serves', { country: 'FR' }],
    ['a currency of another country', { currency: 'NGN' }],
    ['an unknown field', { nickname: 'Ami' }],
  ])('refuses %s', async (_, change) => {
    const answer = await create({ ...momo(newPhone()), ...change });
    expect(answer).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
  });

  test.each([
    ['no phone number', { phoneNumber: undefined }],
    ['letters for a phone number', { phoneNumber: 'call-me' }],
    ['the destination of a bank', { destination: 'Bank Account' }],
    ['no first name', { firstName: undefined }],
  ])('refuses a mobile money payload with %s', async (_, change) => {
    const body = momo(newPhone());
    const answer = await create({ ...body, payload: { ...body.payload, ...change } });
    expect(answer).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
  });
});

describe('list', () => {
  test('gives every stored account, unpaged, each as the single read has it', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 15; count += 1) ids.push(await created(momo(newPhone())));

    const answer = await service.get('/external-accounts');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: expect.any(Array) });
    const rows = rowsAt(answer.body, 'data');
    for (const id of ids) {
      const row = rows.filter((each) => each['externalAccountId'] === id);
      expect(row).toEqual([at((await read(id)).body, 'data')]);
    }
  });
});

describe('update', () => {
  test('changes what the body says and keeps the id', async () => {
    const id = await created(bank('1100000003', '01'));
    const answer = await service.call('PUT', `/external-accounts/${id}`, {
      country: 'KE',
      currency: 'KES',
      destination: 'Bank Account',
      payoutMethod: {
        accountName: 'Amina A Otieno',
        accountNumber: '1100000004',
        code: '68',
        branchCode: '001',
      },
    });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/./) });
    expect(at((await read(id)).body, 'data')).toMatchObject({
      externalAccountId: id,
      country: 'KE',
      currency: 'KES',
      destination: 'Bank Account',
      payoutMethod: {
        accountName: 'Amina A Otieno',
        accountNumber: '1100000004',
        code: '68',
        branchCode: '001',
      },
    });
    await created(bank('1100000003', '01'));
  });

  test('refuses the number of another account, a missing account and a missing branch code', async () => {
    const taken = newPhone();
    await created(momo(taken));
    const id = await created(momo(newPhone()));
    const change = (accountNumber: string, where: Record<string, string> = {}) => ({
      country: 'KE',
      currency: 'KES',
      destination: 'MoMo',
      ...where,
      payoutMethod: { accountName: 'Amina Otieno', accountNumber, code: 'mpesa', branchCode: '' },
    });
    const put = (target: string, body: unknown) => service.call('PUT', `/external-accounts/${target}`, body);

    expect((await put(id, change(taken))).body).toEqual(inUse);
    expect((await put('nobody', change(newPhone()))).body).toEqual(missing);
    const uganda = { country: 'UG', currency: 'UGX' };
    expect((await put(id, change('+256772000009', uganda))).body).toEqual(branchCodeNeeded);
  });
});

describe('delete', () => {
  test('removes the account, once', async () => {
    const phone = newPhone();
    const id = await created(momo(phone));
    const path = `/external-accounts/${id}`;

    const gone = await service.call('DELETE', path);
    expect(gone.status).toBe(200);
    expect(gone.body).toEqual({ success: true, message: expect.stringMatching(/./) });
    const again = await service.call('DELETE', path);
    expect(again.status).toBeGreaterThanOrEqual(400);
    expect(again.body).toEqual(missing);
    expect((await read(id)).body).toEqual(missing);
    const rows = rowsAt((await service.get('/external-accounts')).body, 'data');
    expect(rows.map((each) => each['externalAccountId'])).not.toContain(id);
    await created(momo(phone));
  });
});

function momo(phoneNumber: string, change: Record<string, unknown> = {}) {
  return {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'Amina', lastName: 'Otieno', phoneNumber, destination: 'MoMo' },
    ...change,
  };
}

function bank(
  accountNumber: string,
  code: string,
  { branchCode, ...where }: { branchCode?: string; country?: string; currency?: string } = {},
) {
  const payload = { accountName: 'Amina Otieno', accountNumber, code, destination: 'Bank Account' };
  return {
    country: 'KE',
    currency: 'KES',
    type: 'bank',
    ...where,
    payload: branchCode === undefined ? payload : { ...payload, branchCode },
  };
}

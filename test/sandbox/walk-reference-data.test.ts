import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  at,
  failureWith,
  integer,
  isoInstant,
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

describe('account resolution', () => {
  const held = 'Mary Wanjiku Kamau';
  const momo = (accountNumber: string) =>
    service.post('/utilities/account/resolve', {
      accountNumber,
      currency: 'KES',
      method: 'momo',
      momoOperator: 'mpesa',
    });
  const bank = (accountNumber: string, bankCode = '01') =>
    service.post('/utilities/account/resolve', { accountNumber, currency: 'KES', method: 'bank', bankCode });

  /** The name that the service is told a number is held under is the one it is asked about. */
  async function resolvedFor(ending: string): Promise<unknown> {
    const number = newPhone(ending);
    await service.control('POST', 'people', [{ number, name: held }]);
    const answer = await momo(number);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: { accountId: expect.stringMatching(/./), accountName: expect.any(String) },
    });
    return at(answer.body, 'data', 'accountName');
  }

  test('gives the id and the name of a mobile money account', async () => {
    expect(String(await resolvedFor('')).toLowerCase()).toBe(held.toLowerCase());
    expect(String(await resolvedFor('99000')).toLowerCase()).toBe(held.toLowerCase());
  });

  test('gives some name for a number nobody was told of, and always the same', async () => {
    const number = newPhone();
    const first = await momo(number);
    expect(textAt(first.body, 'data', 'accountName')).toMatch(/\w+ \w+/);
    expect((await momo(number)).body).toEqual(first.body);
    expect(at((await momo(number.slice(1))).body, 'data', 'accountName')).toBe(
      at(first.body, 'data', 'accountName'),
    );
  });

  test('gives the name of a bank account, which depends on the bank', async () => {
    await service.control('POST', 'people', [
      { number: '1100000001', bankCode: '01', name: 'Amina Otieno' },
      { number: '1100000001', bankCode: '68', name: 'Kofi Mensah' },
    ]);
    expect((await bank('1100000001', '01')).body).toMatchObject({
      data: { accountName: expect.stringMatching(/^amina otieno$/i) },
    });
    expect((await bank('1100000001', '68')).body).toMatchObject({
      data: { accountName: expect.stringMatching(/^kofi mensah$/i) },
    });
  });

  test('…99010 resolves exactly as held', async () => {
    expect(await resolvedFor('99010')).toBe(held);
  });

  test('…99011 resolves with its words in another order', async () => {
    const name = String(await resolvedFor('99011'));
    expect(name.toLowerCase()).not.toBe(held.toLowerCase());
    expect(name.toLowerCase().split(' ').sort()).toEqual(held.toLowerCase().split(' ').sort());
  });

  test('…99012 resolves with one letter off', async () => {
    const name = String(await resolvedFor('99012'));
    expect(editDistance(name.toLowerCase(), held.toLowerCase())).toBe(1);
  });

  test('…99013 resolves to somebody else', async () => {
    const words = String(await resolvedFor('99013'))
      .toLowerCase()
      .split(' ');
    expect(words.length).toBeGreaterThan(1);
    for (const word of words) expect(held.toLowerCase().split(' ')).not.toContain(word);
  });

  test('…99014 resolves to "OK", …99015 to nothing', async () => {
    expect(await resolvedFor('99014')).toBe('OK');
    expect(await resolvedFor('99015')).toBe('');
  });

  test('…99004 has no such account, on either rail', async () => {
    for (const answer of [await momo(newPhone('99004')), await bank('1100099004')]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).toEqual(failureWith('E-CH-PY.S-37', 'Account does not exist.'));
    }
  });

  test('…99016 is a rail that cannot be resolved', async () => {
    expect((await momo(newPhone('99016'))).body).toEqual(failureWith('E-CH-PY.S-38'));
  });

  test.each([
    ['no account number', { accountNumber: undefined }],
    ['a strange method', { method: 'pigeon' }],
    ['no currency', { currency: undefined }],
    ['a currency nobody holds', { currency: 'ABC' }],
    ['an unknown field', { hint: 'Mary' }],
    ['no bank code for a bank', { method: 'bank', momoOperator: undefined }],
  ])('refuses %s', async (_, change) => {
    const body = { accountNumber: newPhone(), currency: 'KES', method: 'momo', momoOperator: 'mpesa' };
    const answer = await service.post('/utilities/account/resolve', { ...body, ...change });
    expect(answer).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
  });
});

describe('historical rates', () => {
  const rates = (query = '') => service.get(`/utilities/rates/historical${query}`);

  test('cover the last 30 days of a pair, buy and sell', async () => {
    const answer = await rates('?from=USD&to=KES');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: expect.any(Array) });
    const rows = rowsAt(answer.body, 'data');
    expect(rows).toHaveLength(30);
    for (const row of rows) {
      expect(row).toEqual({
        currencyPair: 'USD/KES',
        buy: expect.any(Number),
        sell: expect.any(Number),
        updatedAt: isoInstant,
      });
      expect(Number(row['buy'])).toBeGreaterThan(0);
      expect(Number(row['sell'])).toBeGreaterThanOrEqual(Number(row['buy']));
      const ageDays = (Date.now() - Date.parse(String(row['updatedAt']))) / 86_400_000;
      expect(ageDays).toBeGreaterThanOrEqual(0);
      expect(ageDays).toBeLessThanOrEqual(30);
    }
    expect(new Set(rows.map((row) => String(row['updatedAt']).slice(0, 10))).size).toBe(30);
  });

  test('work without parameters, and for a pair without dollars', async () => {
    expect(rowsAt((await rates()).body, 'data').length).toBeGreaterThanOrEqual(30);
    expect(rowsAt((await rates('?from=KES&to=NGN')).body, 'data')).toHaveLength(30);
  });

  test.each(['?from=USD&to=ABC', '?from=usd&to=kes', '?from=USD', '?to=KES', '?from=USD&to=KES&days=60'])(
    'refuse %s',
    async (query) => {
      expect(await rates(query)).toMatchObject({ status: 400, body: failureWith('VALIDATION_ERROR') });
    },
  );
});

describe('branches', () => {
  const branches = (query: string) => service.get(`/utilities/branches${query}`);

  test('have every field, for a bank that has them', async () => {
    const answer = await branches('?bankId=101');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, data: expect.any(Array) });
    const rows = rowsAt(answer.body, 'data');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toEqual({
        id: integer,
        branch_code: expect.stringMatching(/./),
        branch_name: expect.stringMatching(/./),
        swift_code: expect.toSatisfy(isTextOrNull),
        bic: expect.toSatisfy(isTextOrNull),
        bank_id: 101,
      });
    }
    expect(new Set(rows.map((row) => row['id'])).size).toBe(rows.length);
  });

  test.each(['102', '999999'])('are not found for bank %s', async (id) => {
    const answer = await branches(`?bankId=${id}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toEqual(failureWith('E-API-UT.S-39', 'No branches found for specified bank id'));
  });

  test.each(['', '?bankId=', '?bankId=abc', '?bankId=-1', '?bankId=1.5', '?bank=101'])(
    'refuse the query "%s"',
    async (query) => {
      const answer = await branches(query);
      expect(answer).toMatchObject({ status: 400, body: failureWith() });
    },
  );
});

describe('countries', () => {
  /** Name, codes, dialing code, currency and its decimals, as the reference data lists them. */
  const expected = `Kenya KE KEN 254 KES 2
Uganda UG UGA 256 UGX 0
Tanzania TZ TZA 255 TZS 2
Nigeria NG NGA 234 NGN 2
Ghana GH GHA 233 GHS 2
Rwanda RW RWA 250 RWF 0
Zambia ZM ZMB 260 ZMW 2
Côte d'Ivoire CI CIV 225 XOF 0
Senegal SN SEN 221 XOF 0
Cameroon CM CMR 237 XAF 0
Malawi MW MWI 265 MWK 2
Botswana BW BWA 267 BWP 2
South Africa ZA ZAF 27 ZAR 2
United States US USA 1 USD 2`.split('\n');

  test('are the fourteen of the reference data, with every field', async () => {
    const answer = await service.get('/utilities/countries');
    expect(answer.status).toBe(200);
    const rows = rowsAt(answer.body, 'data');
    for (const row of rows) {
      expect(row).toEqual({
        name: expect.any(String),
        iso2: expect.any(String),
        iso3: expect.any(String),
        dialing_code: expect.any(String),
        currency: {
          code: expect.any(String),
          symbol: expect.stringMatching(/./),
          decimal: expect.stringMatching(/^\d$/),
        },
      });
    }
    const lines = rows.map(
      (row) =>
        `${row['name']} ${row['iso2']} ${row['iso3']} ${row['dialing_code']} ${at(row, 'currency', 'code')} ${at(row, 'currency', 'decimal')}`,
    );
    expect(lines.sort()).toEqual(expected.sort());
  });

  test('fail with an error text instead of the envelope', async () => {
    await service.control('POST', 'answers', { endpoint: 'listCountries', errorCode: 'E-GEN.S-50' });
    const answer = await service.get('/utilities/countries');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/./) });
    const refused = await service.get('/utilities/countries?region=1&region=2');
    expect(refused.body).toEqual({ success: false, error: expect.stringMatching(/./) });
  });
});

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      next.push(
        Math.min(
          (row[column] ?? 0) + (letter === otherLetter ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

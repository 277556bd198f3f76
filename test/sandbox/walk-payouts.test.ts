import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accepted,
  at,
  failureWith,
  identifier,
  newPhone,
  newReference,
  type PayoutBody,
  type PlainService,
  payoutTo,
  rowsAt,
  startService,
  statusOf,
  textAt,
  until,
  untilStatus,
} from './plain-http.ts';

let service: PlainService;

beforeAll(async () => {
  service = await startService('--settle-after', '50ms', '--return-after', '700ms');
});

afterAll(async () => {
  expect(await service.control('GET', 'books')).toMatchObject({ body: { balanced: true, findings: [] } });
  await service.stop();
});

const pay = (body: PayoutBody) => service.post('/fiat/payout', body);
const refusedPayout = failureWith('VALIDATION_ERROR');

/** Nothing came of it: no transaction under the reference, no money gone. */
async function expectNothing(body: PayoutBody, balanceBefore: number): Promise<void> {
  const { externalReference } = body;
  const found = await service.get(`/transactions?externalReference=${externalReference}`);
  expect(found.body).toEqual({ success: true, data: [] });
  expect(await service.balance('KES')).toBe(balanceBefore);
}

describe('a payout', () => {
  test('to an inline payee is accepted for processing, debited at once, and paid', async () => {
    const before = await service.balance('KES');
    const body = payoutTo(newPhone(), { amount: 1500 });
    const answer = await pay(body);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/withdrawal.*accepted for processing/i),
      transactionId: identifier,
    });
    expect(await service.balance('KES')).toBe(before - 1500);
    await untilStatus(service, textAt(answer.body, 'transactionId'), 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before - 1500);
  });

  test('to a saved mobile money payee carries the name and number of the payee', async () => {
    const phone = newPhone();
    const externalAccountId = await saved('momo', {
      firstName: 'Amina',
      lastName: 'Otieno',
      phoneNumber: phone,
      destination: 'MoMo',
    });
    const id = await accepted(pay(toSaved(externalAccountId, 'MoMo')));
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(at((await service.get(`/transactions/${id}`)).body, 'data', 'beneficiary')).toMatchObject({
      accountName: 'Amina Otieno',
      accountNumber: phone,
      destination: 'MoMo',
    });
  });

  test('to a saved bank payee carries the bank', async () => {
    const externalAccountId = await saved('bank', {
      accountName: 'Amina Otieno',
      accountNumber: '1100000001',
      code: '68',
      destination: 'Bank Account',
    });
    const id = await accepted(pay(toSaved(externalAccountId, 'Bank Account')));
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(at((await service.get(`/transactions/${id}`)).body, 'data', 'beneficiary')).toMatchObject({
      bankCode: '68',
      accountNumber: '1100000001',
      destination: 'Bank Account',
    });
  });

  test('to a payee that is gone, or never was, is refused', async () => {
    const externalAccountId = await saved('momo', {
      firstName: 'Amina',
      lastName: 'Otieno',
      phoneNumber: newPhone(),
      destination: 'MoMo',
    });
    await service.call('DELETE', `/external-accounts/${externalAccountId}`);
    for (const id of [externalAccountId, 'nobody']) {
      const answer = await pay(toSaved(id, 'MoMo'));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).toEqual(failureWith('E-BEN.S-90', 'Missing external account!'));
    }
  });

  test('that contradicts its saved payee is refused', async () => {
    const externalAccountId = await saved('momo', {
      firstName: 'Amina',
      lastName: 'Otieno',
      phoneNumber: newPhone(),
      destination: 'MoMo',
    });
    const before = await service.balance('KES');
    const contradictions = [
      { destination: 'Bank Account' },
      { country: 'GH', currency: 'GHS' },
      { currency: 'USD', debitCountry: 'KE' },
    ];
    for (const change of contradictions) {
      const body = { ...toSaved(externalAccountId, 'MoMo'), ...change };
      expect(await pay(body)).toMatchObject({ status: 400, body: refusedPayout });
      await expectNothing(body, before);
    }
  });

  test('under a used reference is refused, and moves nothing', async () => {
    const first = payoutTo(newPhone());
    const id = await accepted(pay(first));
    const before = await service.balance('KES');
    for (const again of [first, { ...first, amount: 5 }]) {
      const answer = await pay(again);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).toEqual(failureWith('E-API-D.S-28', 'External reference already used.'));
    }
    expect(await service.balance('KES')).toBe(before);
    const found = await service.get(`/transactions?externalReference=${first.externalReference}`);
    expect(rowsAt(found.body, 'data').map((each) => each['transactionId'])).toEqual([id]);
  });

  test('under the reference of a failed payout is refused as well', async () => {
    const body = payoutTo(newPhone('99001'));
    await untilStatus(service, await accepted(pay(body)), 'FAILED');
    expect((await pay(body)).body).toEqual(failureWith('E-API-D.S-28'));
  });

  test('sent many times at once moves money once', async () => {
    const before = await service.balance('KES');
    const body = payoutTo(newPhone(), { amount: 7 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await service.balance('KES')).toBe(before - 7);
  });

  test('takes a phone number with or without its plus', async () => {
    const phone = newPhone();
    for (const accountNumber of [phone, phone.slice(1)]) {
      const id = await accepted(pay(payoutTo(accountNumber)));
      const { body } = await service.get(`/transactions/${id}`);
      expect(body).toMatchObject({ data: { phoneNumber: phone } });
    }
  });

  test('to a phone number in national form is refused: numbers are E.164', async () => {
    const before = await service.balance('KES');
    for (const accountNumber of ['0712345678', '+0712345678']) {
      expect(await pay(payoutTo(accountNumber)), accountNumber).toMatchObject({
        status: 400,
        body: refusedPayout,
      });
    }
    expect(await service.balance('KES')).toBe(before);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['zero', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['an amount in quotes', { amount: '100' }],
    ['an amount that is null', { amount: null }],
    ['no reference', { externalReference: undefined }],
    ['an empty reference', { externalReference: '' }],
    ['no currency', { currency: undefined }],
    ['a currency nobody holds', { currency: 'ABC' }],
    ['no country', { country: undefined }],
    ['a country nobody serves', { country: 'FR' }],
    ['a strange destination', { destination: 'Wallet' }],
    ['no payee', { payoutMethod: undefined }],
    ['two payees', { externalAccountId: 'another' }],
    ['mobile money where there is none', { country: 'NG', currency: 'NGN' }],
    [
      'a bank account without a bank',
      { destination: 'Bank Account', payoutMethod: { accountName: 'A B', accountNumber: '110000' } },
    ],
  ])('with %s is refused', async (_, change) => {
    const before = await service.balance('KES');
    const body = { ...payoutTo(newPhone()), ...change } as PayoutBody;
    expect(await pay(body)).toMatchObject({ status: 400, body: refusedPayout });
    expect(await service.balance('KES')).toBe(before);
  });
});

describe('amounts', () => {
  test('with decimals are exact in the wallet and in the single read', async () => {
    const before = await service.balance('KES');
    const amounts = [0.1, 0.2, 0.7, 19.99, 4.35, 1.15];
    for (const amount of amounts) {
      const body = payoutTo(newPhone(), { amount });
      await accepted(pay(body));
      const read = await service.get(`/transactions/${body.externalReference}`);
      expect(at(read.body, 'data', 'amount')).toBe(amount);
    }
    expect(Math.round((before - (await service.balance('KES'))) * 100)).toBe(2649);
  });

  test.each([
    [10.001, 'KES', 'KE', newPhone(), ''],
    [0.005, 'KES', 'KE', newPhone(), ''],
    [1000.5, 'XOF', 'CI', '+2250700000001', ''],
    [1000.5, 'UGX', 'UG', '+256772000001', '0001'],
  ])('%d %s have too many decimals', async (amount, currency, country, phone, branchCode) => {
    const before = await service.balance('KES');
    const body = payoutTo(phone, { amount, currency, country });
    body.payoutMethod = { ...body.payoutMethod, branchCode };
    expect(await pay(body)).toMatchObject({ status: 400, body: refusedPayout });
    await expectNothing(body, before);
  });

  test('above the balance are refused, and the balance itself is not', async () => {
    const balance = await service.balance('GHS');
    const body = (amount: number) => payoutTo('+233240000001', { amount, currency: 'GHS', country: 'GH' });
    const over = await pay(body(balance + 0.01));
    expect(over).toMatchObject({ status: 400, body: failureWith('E-API-P.S-41') });
    expect(await service.balance('GHS')).toBe(balance);
    await accepted(pay(body(balance)));
    expect(await service.balance('GHS')).toBe(0);
    expect((await pay(body(0.01))).body).toEqual(failureWith('E-API-P.S-41'));
    await service.control('POST', 'funds', { currency: 'GHS', amount: '5.50' });
    expect(await service.balance('GHS')).toBe(5.5);
  });
});

describe('the debited wallet', () => {
  const cfa = (changes: Partial<PayoutBody> = {}) =>
    payoutTo('+2250700000002', { amount: 5000, currency: 'XOF', country: 'CI', ...changes });

  test.each([
    ['USD', 'KE'],
    ['USD', 'US'],
    ['XOF', 'SN'],
  ])('is the %s one of %s when both are named, at a rate', async (debitCurrency, debitCountry) => {
    const before = await service.balance(debitCurrency, debitCountry);
    const shillings = await service.balance('KES');
    const id = await accepted(pay(payoutTo(newPhone(), { amount: 13_000, debitCurrency, debitCountry })));

    const { body } = await service.get(`/transactions/${id}`);
    expect(body).toMatchObject({
      data: {
        amount: 13_000,
        currency: 'KES',
        senderCurrency: debitCurrency,
        receiverCurrency: 'KES',
        receiverAmount: 13_000,
      },
    });
    const debited = Number(at(body, 'data', 'senderAmount'));
    expect(debited).toBeGreaterThan(0);
    expect(await service.balance(debitCurrency, debitCountry)).toBeCloseTo(before - debited, 2);
    expect(await service.balance('KES')).toBe(shillings);
  });

  test('debits near the historical rate of the day', async () => {
    const [today] = rowsAt((await service.get('/utilities/rates/historical?from=USD&to=KES')).body, 'data');
    const id = await accepted(
      pay(payoutTo(newPhone(), { amount: 130_000, debitCurrency: 'USD', debitCountry: 'US' })),
    );
    const debited = Number(at((await service.get(`/transactions/${id}`)).body, 'data', 'senderAmount'));
    expect(debited).toBeGreaterThan(130_000 / Number(today?.['sell']) - 1);
    expect(debited).toBeLessThan(130_000 / Number(today?.['buy']) + 1);
  });

  test.each(['USD', 'XOF'])('of %s without its country is refused', async (debitCurrency) => {
    const before = await service.balance('KES');
    const body = payoutTo(newPhone(), { debitCurrency });
    expect(await pay(body)).toMatchObject({ status: 400, body: refusedPayout });
    await expectNothing(body, before);
    const elsewhere = payoutTo(newPhone(), { debitCurrency, debitCountry: 'ZA' });
    expect(await pay(elsewhere)).toMatchObject({ status: 400, body: refusedPayout });
  });

  test('of a currency that exists in one country needs no country', async () => {
    const before = await service.balance('NGN');
    await accepted(pay(payoutTo(newPhone(), { debitCurrency: 'NGN' })));
    expect(await service.balance('NGN')).toBeLessThan(before);
  });

  test('defaults to the currency paid out, which needs no country', async () => {
    const before = await service.balance('XOF');
    await accepted(pay(cfa()));
    await accepted(pay(cfa({ debitCurrency: 'XOF' })));
    expect(await service.balance('XOF')).toBe(before - 10_000);
  });

  test('is the one of the country paid in, unless another is named', async () => {
    const scopes = async () => [await service.balance('XOF', 'CI'), await service.balance('XOF', 'SN')];
    const [ivory = 0, senegal = 0] = await scopes();
    await accepted(pay(cfa()));
    expect(await scopes()).toEqual([ivory - 5000, senegal]);
    await accepted(pay(cfa({ debitCurrency: 'XOF', debitCountry: 'SN' })));
    expect(await scopes()).toEqual([ivory - 5000, senegal - 5000]);
  });

  test('gets back exactly what it gave when the payout fails', async () => {
    const before = await service.balance('USD', 'NG');
    const body = payoutTo(newPhone('99001'), { amount: 999.99, debitCurrency: 'USD', debitCountry: 'NG' });
    const id = await accepted(pay(body));
    await untilStatus(service, id, 'FAILED');
    expect(await service.balance('USD', 'NG')).toBe(before);
  });
});

describe('magic endings', () => {
  test.each(['99000', '99010', '99011', '99012', '99013', '99014', '99015', '99016'])(
    '…%s is paid',
    async (ending) => {
      await untilStatus(service, await accepted(pay(payoutTo(newPhone(ending)))), 'SUCCESSFUL');
    },
  );

  test('…99001 is accepted, then failed, and the money goes back', async () => {
    const before = await service.balance('KES');
    const answer = await pay(payoutTo(newPhone('99001')));
    expect(answer.status).toBe(200);
    await untilStatus(service, textAt(answer.body, 'transactionId'), 'FAILED');
    expect(await service.balance('KES')).toBe(before);
  });

  test('…99002 stays pending, with the money gone', async () => {
    const before = await service.balance('KES');
    const id = await accepted(pay(payoutTo(newPhone('99002'))));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await statusOf(service, id)).toBe('PENDING');
    expect(await service.balance('KES')).toBe(before - 100);
  });

  test('…99003 is paid, then returned: it reads failed and the money is back', async () => {
    const before = await service.balance('KES');
    const id = await accepted(pay(payoutTo(newPhone('99003'))));
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before - 100);
    await untilStatus(service, id, 'FAILED');
    expect(await service.balance('KES')).toBe(before);
  });

  test.each([
    ['99004', 'E-CH-PY.S-37'],
    ['99005', 'E-API-P.S-42'],
  ])('…%s is refused at once with %s', async (ending, errorCode) => {
    const before = await service.balance('KES');
    const body = payoutTo(newPhone(ending));
    const answer = await pay(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).toEqual(failureWith(errorCode));
    await expectNothing(body, before);
  });

  test('…99006 is paid, and the answer comes late', async () => {
    await service.control('PUT', 'faults', { plan: 'slow-by=400ms' });
    const start = performance.now();
    const id = await accepted(pay(payoutTo(newPhone('99006'))));
    expect(performance.now() - start).toBeGreaterThan(390);
    await untilStatus(service, id, 'SUCCESSFUL');
  });

  test('…99007 is paid although the connection drops; sent again, the reference is used', async () => {
    const before = await service.balance('KES');
    const body = payoutTo(newPhone('99007'));
    await expect(pay(body)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await untilStatus(service, body.externalReference, 'SUCCESSFUL');
    expect((await pay(body)).body).toEqual(failureWith('E-API-D.S-28'));
    expect(await service.balance('KES')).toBe(before - 100);
  });

  test('…99008 drops the connection, and the payout appears later', async () => {
    await service.control('PUT', 'faults', { plan: 'late-by=700ms' });
    const before = await service.balance('KES');
    const body = payoutTo(newPhone('99008'));
    await expect(pay(body)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expectNothing(body, before);
    await until(async () => expect(await service.balance('KES')).toBe(before - 100));
    await untilStatus(service, body.externalReference, 'SUCCESSFUL');
  });

  test('work for bank accounts and saved payees as for phones', async () => {
    const externalAccountId = await saved('bank', {
      accountName: 'Amina Otieno',
      accountNumber: '1100099001',
      code: '68',
      destination: 'Bank Account',
    });
    const id = await accepted(pay(toSaved(externalAccountId, 'Bank Account')));
    await untilStatus(service, id, 'FAILED');
  });
});

async function saved(type: string, payload: Record<string, string>): Promise<string> {
  const answer = await service.post('/external-accounts', { country: 'KE', currency: 'KES', type, payload });
  expect(answer.status).toBe(200);
  return textAt(answer.body, 'data', 'id');
}

function toSaved(externalAccountId: string, destination: string): PayoutBody {
  return {
    amount: 250,
    currency: 'KES',
    country: 'KE',
    destination,
    externalReference: newReference(),
    externalAccountId,
  };
}

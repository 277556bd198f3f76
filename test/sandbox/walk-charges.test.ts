import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  accepted,
  at,
  failureWith,
  identifier,
  isoInstant,
  newPhone,
  newReference,
  type PlainService,
  startService,
  statusOf,
  textAt,
  untilStatus,
} from './plain-http.ts';

let service: PlainService;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  expect(await service.control('GET', 'books')).toMatchObject({ body: { balanced: true, findings: [] } });
  await service.stop();
});

const referenceUsed = failureWith('E-API-D.S-28', 'External reference already used.');
const refused = { status: 400, body: failureWith('VALIDATION_ERROR') };

/** Accepted and settled, so that no later test sees its money arrive. */
async function settled(answering: Promise<Answer>): Promise<string> {
  const { status, body } = await answering;
  expect(status).toBe(200);
  const id = textAt(body, ...(at(body, 'data') ? ['data', 'transactionId'] : ['transactionId']));
  await untilStatus(service, id, 'SUCCESSFUL');
  return id;
}

const authorise = (id: string, type: string, value: string) =>
  service.post(`/fiat/deposit/${id}/authorise`, { type, value });

describe('card charge', () => {
  const charge = (body: unknown) => service.post('/fiat/deposit/card', body);

  async function charged(number: string): Promise<string> {
    const answer = await charge(card(number));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      message: expect.stringMatching(/./),
      data: { transactionId: identifier },
    });
    return textAt(answer.body, 'data', 'transactionId');
  }

  test('with every field of the specification succeeds and credits the wallet', async () => {
    const before = await service.balance('KES');
    const answer = await charge({
      ...card('4242424242424242'),
      ipAddress: '102.0.0.1',
      firstName: 'Amina',
      lastName: 'Otieno',
      address,
      device3DSInfo,
      successRedirectUrl: 'https://example.com/thanks',
    });
    expect(answer.status).toBe(200);
    const id = textAt(answer.body, 'data', 'transactionId');
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before + 1250.5);
    expect((await service.get(`/transactions/${id}`)).body).toMatchObject({
      data: { type: 'deposit', amount: 1250.5, currency: 'KES', chargeStatus: 'successful' },
    });
  });

  test('that the bank declines fails and credits nothing', async () => {
    const before = await service.balance('KES');
    await untilStatus(service, await charged('4000000000000044'), 'FAILED');
    expect(await service.balance('KES')).toBe(before);
  });

  test.each([
    ['4000000000000010', 'otp', '123456'],
    ['4000000000000028', 'pin', '4321'],
    ['4000000000000036', 'address', JSON.stringify(address)],
  ])('%s waits for the step %s, then succeeds', async (number, step, value) => {
    const before = await service.balance('KES');
    const id = await charged(number);
    const { body } = await service.get(`/transactions/${id}`);
    expect(body).toMatchObject({ data: { status: 'PENDING', stepRequired: step } });
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await statusOf(service, id)).toBe('PENDING');

    const answer = await authorise(id, step, value);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/processing/i) });
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before + 1250.5);
  });

  test('4000000000000051 asks for otp, then is declined', async () => {
    const before = await service.balance('KES');
    const id = await charged('4000000000000051');
    expect((await authorise(id, 'otp', '123456')).status).toBe(200);
    await untilStatus(service, id, 'FAILED');
    expect(await service.balance('KES')).toBe(before);
  });

  test('says which step it waits for', async () => {
    const answer = await charge(card('4000000000000010'));
    expect(at(answer.body, 'data', 'stepRequired')).toBe('otp');
  });

  test('stays pending after a wrong code or a wrong type, and takes the right one then', async () => {
    const id = await charged('4000000000000010');
    for (const [type, value] of [
      ['otp', '000000'],
      ['pin', '4321'],
      ['smile', 'please'],
      ['otp', ''],
    ] as const) {
      const answer = await authorise(id, type, value);
      expect(answer.status, `${type} ${value}`).toBe(400);
      expect(answer.body).toEqual(failureWith());
    }
    expect(await statusOf(service, id)).toBe('PENDING');
    expect((await authorise(id, 'otp', '123456')).status).toBe(200);
    await untilStatus(service, id, 'SUCCESSFUL');
  });

  test('is authorised once, and only where a step is wanted', async () => {
    const id = await charged('4000000000000010');
    await authorise(id, 'otp', '123456');
    expect((await authorise(id, 'otp', '123456')).body).toEqual(failureWith());
    await untilStatus(service, id, 'SUCCESSFUL');
    expect((await authorise(id, 'otp', '123456')).status).toBe(400);
    const stepless = await settled(charge(card('4242424242424242')));
    expect((await authorise(stepless, 'otp', '123456')).status).toBe(400);
  });

  test('that nobody knows cannot be authorised', async () => {
    expect(await authorise('nobody', 'otp', '123456')).toMatchObject({ status: 404, body: failureWith() });
  });

  test('under a used reference is refused', async () => {
    const body = card('4242424242424242');
    await settled(charge(body));
    expect((await charge(body)).body).toEqual(referenceUsed);
  });

  test('in USD needs the device', async () => {
    const dollars = { ...card('4242424242424242'), currency: 'USD' };
    expect(await charge(dollars)).toMatchObject(refused);
    await settled(charge({ ...dollars, device3DSInfo }));
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['a negative amount', { amount: -1 }],
    ['three decimals', { amount: 10.125 }],
    ['no currency', { currency: undefined }],
    ['a currency nobody holds', { currency: 'ABC' }],
    ['no e-mail', { email: undefined }],
    ['an e-mail that is none', { email: 'amina' }],
    ['no reference', { externalReference: undefined }],
    ['no card', { cardDetails: undefined }],
    ['half a card', { cardDetails: { number: '4242424242424242' } }],
    ['an unknown field', { tip: 5 }],
  ])('with %s is refused', async (_, change) => {
    expect(await charge({ ...card('4242424242424242'), ...change })).toMatchObject(refused);
  });

  test('with a mistyped card number is refused', async () => {
    expect(await charge(card('4242424242424241'))).toMatchObject(refused);
  });
});

describe('mobile money charge', () => {
  const charge = (body: unknown) => service.post('/fiat/deposit/momo', body);

  test('in KES needs no operator, and credits the wallet', async () => {
    const before = await service.balance('KES');
    const answer = await charge(momo());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/./),
      transactionId: identifier,
    });
    const id = textAt(answer.body, 'transactionId');
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before + 80.25);
  });

  test('in another currency needs an operator', async () => {
    const cedis = momo({ currency: 'GHS', phoneNumber: '+233240000001' });
    expect(await charge(cedis)).toMatchObject(refused);
    await settled(charge({ ...cedis, momoOperatorId: 'mtn' }));
  });

  test('with Orange needs the code asked for beforehand', async () => {
    const orange = momo({
      amount: 5000,
      currency: 'XOF',
      phoneNumber: '+2250700000001',
      momoOperatorId: 'orange',
    });
    expect(await charge(orange)).toMatchObject(refused);
    await settled(charge({ ...orange, otpCode: '123456' }));
  });

  test('by an OTT voucher in BWP needs the voucher', async () => {
    const voucher = momo({ currency: 'BWP', phoneNumber: '+26771000001', momoOperatorId: 'ott' });
    expect(await charge(voucher)).toMatchObject(refused);
    await settled(charge({ ...voucher, voucherPin: '123456789012' }));
  });

  test('settles into another wallet when that is asked for', async () => {
    const [shillings, dollars] = [await service.balance('KES'), await service.balance('USD')];
    const id = await settled(charge(momo({ amount: 13_000, walletCurrency: 'USD' })));
    const credited = (await service.balance('USD')) - dollars;
    expect(credited).toBeGreaterThan(80);
    expect(credited).toBeLessThan(120);
    expect(await service.balance('KES')).toBe(shillings);
    expect((await service.get(`/transactions/${id}`)).body).toMatchObject({
      data: { amount: 13_000, currency: 'KES' },
    });
  });

  test('goes by a stored account', async () => {
    const phoneNumber = newPhone();
    const stored = await service.post('/external-accounts', {
      country: 'KE',
      currency: 'KES',
      type: 'momo',
      payload: { firstName: 'Amina', lastName: 'Otieno', phoneNumber, destination: 'MoMo' },
    });
    const externalAccountId = textAt(stored.body, 'data', 'id');
    const { phoneNumber: _, ...body } = momo({ externalAccountId });
    const id = await settled(charge(body));
    expect((await service.get(`/transactions/${id}`)).body).toMatchObject({ data: { phoneNumber } });
    const nobody = await charge({ ...body, externalReference: newReference(), externalAccountId: 'nobody' });
    expect(nobody.body).toEqual(failureWith('E-BEN.S-90', 'Missing external account!'));
  });

  test('takes both redirects', async () => {
    await settled(
      charge(
        momo({ successRedirectUrl: 'https://example.com/yes', failureRedirectUrl: 'https://example.com/no' }),
      ),
    );
  });

  test('under a used reference is refused', async () => {
    const body = momo();
    await settled(charge(body));
    const answer = await charge(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).toEqual(referenceUsed);
  });

  test('…99001 fails and credits nothing, …99002 stays pending', async () => {
    const before = await service.balance('KES');
    const failing = await accepted(charge(momo({ phoneNumber: newPhone('99001') })));
    const stuck = await accepted(charge(momo({ phoneNumber: newPhone('99002') })));
    await untilStatus(service, failing, 'FAILED');
    expect(await statusOf(service, stuck)).toBe('PENDING');
    expect(await service.balance('KES')).toBe(before);
  });

  test.each([
    ['neither phone nor account', { phoneNumber: undefined }],
    ['a phone that is none', { phoneNumber: 'mine' }],
    ['no amount', { amount: undefined }],
    ['an amount in quotes', { amount: '80' }],
    ['three decimals', { amount: 0.001 }],
    ['a strange settlement currency', { walletCurrency: 'ABC' }],
    ['an unknown field', { operator: 'mpesa' }],
  ])('with %s is refused', async (_, change) => {
    expect(await charge({ ...momo(), ...change })).toMatchObject(refused);
  });
});

describe('bank transfer charge', () => {
  const charge = (change: Record<string, unknown> = {}) =>
    service.post('/fiat/deposit/bank-transfer', {
      amount: 4200.5,
      email: 'amina@example.com',
      externalReference: newReference(),
      currency: 'KES',
      ...change,
    });
  const payIn = (accountNumber: string, amount: string) =>
    service.control('POST', 'virtual-account-payments', { accountNumber, amount });

  test.each(['KES', 'NGN'])('opens a virtual account in %s with its eight fields', async (currency) => {
    const answer = await charge({ currency });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/./),
      data: {
        transactionId: identifier,
        virtualAccount: {
          permanent: false,
          accountNumber: expect.stringMatching(/^\d{10}$/),
          bankName: expect.stringMatching(/./),
          createdAt: isoInstant,
          expiresAt: isoInstant,
          note: expect.stringMatching(/./),
          amount: expect.stringMatching(/^4200\.50?$/),
          bankLogo: expect.stringMatching(/^https?:\/\//),
        },
      },
    });
    const expiresAt = Date.parse(textAt(answer.body, 'data', 'virtualAccount', 'expiresAt'));
    expect(Math.abs(expiresAt - Date.now() - 2 * 3_600_000)).toBeLessThan(30_000);
  });

  test('waits for the payment, which credits the wallet once', async () => {
    const before = await service.balance('KES');
    const { body } = await charge();
    const id = textAt(body, 'data', 'transactionId');
    const account = textAt(body, 'data', 'virtualAccount', 'accountNumber');
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await statusOf(service, id)).toBe('PENDING');

    expect((await payIn(account, '4200.00')).status).toBe(400);
    expect((await payIn(account, '4200.50')).status).toBe(200);
    await untilStatus(service, id, 'SUCCESSFUL');
    expect(await service.balance('KES')).toBe(before + 4200.5);
    expect((await payIn(account, '4200.50')).status).toBe(400);
    expect(await service.balance('KES')).toBe(before + 4200.5);
  });

  test.each([
    ['GHS', { currency: 'GHS' }],
    ['USD', { currency: 'USD' }],
    ['no e-mail', { email: undefined }],
    ['no amount', { amount: undefined }],
    ['three decimals', { amount: 1.005 }],
    ['no reference', { externalReference: undefined }],
    ['an unknown field', { country: 'KE' }],
  ])('refuses %s', async (_, change) => {
    expect(await charge(change)).toMatchObject(refused);
  });

  test('under a used reference is refused', async () => {
    const externalReference = newReference();
    expect((await charge({ externalReference })).status).toBe(200);
    expect((await charge({ externalReference })).body).toEqual(referenceUsed);
  });
});

const address = { zip: '00100', country: 'KE', street1: 'Moi Avenue 1', city: 'Nairobi', state: 'Nairobi' };

const device3DSInfo = {
  colorDepth: 24,
  screenHeight: 900,
  screenWidth: 1440,
  userAgent: 'Mozilla/5.0',
  timeZone: -180,
  deviceId: 'device-1',
};

function card(number: string) {
  return {
    amount: 1250.5,
    currency: 'KES',
    email: 'amina@example.com',
    externalReference: newReference(),
    cardDetails: { cvv: '123', number, expMonth: '12', expYear: '2099' },
  };
}

function momo(change: Record<string, unknown> = {}) {
  return {
    amount: 80.25,
    currency: 'KES',
    phoneNumber: newPhone(),
    externalReference: newReference(),
    ...change,
  };
}

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openPayrun } from '../../../src/index.ts';
import type { HandCall } from '../../../src/library/service-by-hand.ts';
import type { Endpoint } from '../../../src/service/contract/endpoint.ts';
import { endpoints } from '../../../src/service/contract/endpoints.ts';
import { openPayroll, type Payroll } from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { type HereOptions, runHere } from '../../support/run-here.ts';
import { type WatchedService, watchService } from '../../support/watched-service.ts';

const phone = '+254712000101';
const card = { number: '4000000000000010', cvv: '931', expMonth: '12', expYear: '2031' };
const person = ['--country', 'KE', '--currency', 'KES', '--name', 'Amina Otieno', '--phone', phone];
const charged = ['--amount', 'KES=1500.00'];
const payer = ['--email', 'payer@example.com'];

async function opened(): Promise<{ service: WatchedService; payroll: Payroll; call: Caller }> {
  const service = await watchService(await startPayrollService('on', { webhookUrl: 'http://127.0.0.1:9/' }));
  const payroll = openPayroll(service);
  const call: Caller = (words, options = {}) =>
    runHere(['service', ...words], { ...options, env: { ...payroll.env, ...options.env } });
  return { service, payroll, call };
}

type Caller = (words: readonly string[], options?: HereOptions) => ReturnType<typeof runHere>;

async function json(call: Caller, words: readonly string[], input?: string) {
  const { exit, stdout, stderr } = await call([...words, '--json'], input === undefined ? {} : { input });
  expect(exit, `${words.join(' ')}: ${stderr}`).toBe(0);
  const document = JSON.parse(stdout);
  expect(accepted.safeParse(document).error).toBeUndefined();
  return document;
}

const accepted = z.fromJSONSchema(
  JSON.parse(readFileSync(new URL('../../../schemas/service.schema.json', import.meta.url), 'utf8')),
);

/** Everything that changes something, with an id that is not there. */
const writes: readonly (readonly string[])[] = [
  ['accounts', 'create', ...person],
  ['accounts', 'update', 'ID', ...person],
  ['accounts', 'delete', 'ID'],
  ['charge', 'momo', ...charged, '--phone', phone],
  ['charge', 'card', ...charged, ...payer],
  ['charge', 'bank-transfer', ...charged, ...payer],
  ['charge', 'authorise', 'ID', '--type', 'otp'],
  ['webhooks', 'resend', 'ID'],
  ['webhooks', 'simulate', '--reference', 'R1'],
];

describe('payrun service', () => {
  test('reaches every endpoint but the one that pays', async () => {
    const { service, call } = await opened();
    const { id } = (await json(call, ['accounts', 'create', ...person, '--yes'])).data;
    await json(call, ['accounts', 'update', id, ...person, '--operator', 'mpesa', '--yes']);
    const [listed] = (await json(call, ['accounts', 'list'])).data;
    expect(listed).toMatchObject({ externalAccountId: id, payoutMethod: { code: 'mpesa' } });
    expect((await json(call, ['accounts', 'get', id])).data.externalAccountId).toBe(id);
    await json(call, ['accounts', 'delete', id, '--yes']);
    expect((await json(call, ['balance'])).data.KESWallet.balance).toBe(65_000_000);
    await json(call, ['resolve', '--currency', 'KES', '--phone', phone]);
    expect((await json(call, ['branches', '101'])).data.length).toBeGreaterThan(0);
    expect((await json(call, ['rates', '--from', 'usd', '--to', 'kes'])).data[0].currencyPair).toBe(
      'USD/KES',
    );
    expect((await json(call, ['countries'])).data.length).toBeGreaterThan(5);
    await json(call, ['charge', 'momo', ...charged, '--phone', phone, '--yes', '--reference', 'R1']);
    await json(call, ['charge', 'bank-transfer', ...charged, ...payer, '--yes']);
    const paying = await json(call, ['charge', 'card', ...charged, ...payer, '--yes'], JSON.stringify(card));
    const { transactionId } = paying.data;
    expect(paying.data.stepRequired).toBe('otp');
    await json(call, ['charge', 'authorise', transactionId, '--type', 'otp', '--yes'], '12345\n');
    expect((await json(call, ['transactions', 'list', '--reference', 'R1'])).data).toHaveLength(1);
    expect((await json(call, ['transactions', 'get', 'R1'])).data.externalReference).toBe('R1');
    await json(call, ['webhooks', 'simulate', '--reference', 'R1', '--status', 'failed', '--yes']);
    const [hook] = (await json(call, ['webhooks', 'list', '--reference', 'R1'])).data;
    expect((await json(call, ['webhooks', 'get', hook.id])).data.event).toBe(hook.event);
    await json(call, ['webhooks', 'resend', hook.id, '--yes']);

    const called = (each: Endpoint) =>
      service.calls.some(
        ({ method, path }) =>
          method === each.method && formOf(each).test(path.replace('/api/sandbox/b2b', '')),
      );
    const missed = Object.entries<Endpoint>(endpoints).filter(([, each]) => !called(each));
    expect(missed.map(([name]) => name)).toEqual(['createPayout']);
  });

  test('pays nobody, whatever name it is called by', async () => {
    const { service, payroll } = await opened();
    const { url: baseUrl, apiKey, publicKey } = service;
    const payrun = openPayrun({ workspace: payroll.workspace, service: { baseUrl, apiKey, publicKey } });
    const hand = await payrun.serviceByHand();
    for (const name of ['createPayout', 'exchangeToken', 'close', '__proto__'] as unknown as HandCall[])
      await expect(hand.call(name, {} as never), name).rejects.toThrow('only payrun run pays');
    await payrun.close();
    expect(service.calls).toEqual([]);
  });

  test.each(writes)('says LIVE and asks before it changes anything: %s %s', async (...words) => {
    const { service, call } = await opened();
    const refused = await call(words, { input: JSON.stringify(card) });
    expect([refused.exit, refused.stdout]).toEqual([6, '']);
    expect(refused.stderr).toContain('--yes');
    expect(service.calls).toEqual([]);
    const done = await call([...words, '--yes'], { input: JSON.stringify(card) });
    expect(done.stderr).toMatch(new RegExp(`^LIVE  ${service.url}/api/b2b\n`));
    expect(service.calls.length).toBeGreaterThan(0);
  });

  test('asks nothing of the embedded service, which remembers what was changed', async () => {
    const { payroll, call } = await opened();
    const env = { PAYRUN_WORKSPACE: `${payroll.folder}/tried` };
    const made = await call(['accounts', 'create', ...person, '--sandbox'], { env });
    expect([made.exit, made.stderr]).toEqual([
      0,
      'SANDBOX\nStores Amina Otieno …0101 as an external account.\n',
    ]);
    const listed = await call(['accounts', 'list', '--sandbox'], { env });
    expect(listed.stdout).toContain('Amina Otieno  …0101');
  });
});

/** A path of the contract as a pattern, with or without a query. */
function formOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`);
}

describe('account numbers', () => {
  test('show their last four digits, for machines too, until --show is said', async () => {
    const { service, call } = await opened();
    const { id } = (await json(call, ['accounts', 'create', ...person, '--yes'])).data;
    await json(call, ['charge', 'momo', ...charged, '--phone', phone, '--yes', '--reference', 'R1']);
    // Where nobody expects one.
    const more = { note: `call ${phone}`, msisdn: Number(phone), [phone]: [phone] };
    service.interfere(({ method }) =>
      method === 'GET' ? { kind: 'change', reply: (text) => withMore(text, more) } : undefined,
    );
    for (const words of [
      ['accounts', 'list'],
      ['accounts', 'get', id],
      ['resolve', '--currency', 'KES', '--phone', phone],
      ['transactions', 'list'],
      ['transactions', 'get', 'R1'],
    ]) {
      for (const form of [[], ['--json']]) {
        const masked = await call([...words, ...form]);
        expect(masked.stdout, words.join(' ')).toContain('…0101');
        expect(masked.stdout + masked.stderr).not.toContain('712000101');
        const whole = await call([...words, ...form, '--show']);
        expect(whole.stdout, words.join(' ')).toContain('254712000101');
      }
    }
  });
});

function withMore(text: string, more: object): string {
  const { data, ...rest } = JSON.parse(text) as { data?: object | object[] };
  if (data === undefined) return text;
  const shown = Array.isArray(data) ? data.map((each) => ({ ...each, ...more })) : { ...data, ...more };
  return JSON.stringify({ ...rest, data: shown });
}

describe('a call that does not come to a clear end', () => {
  test('may have been done: it is made once, and the way to look is named (4)', async () => {
    const { service, call } = await opened();
    service.interfere(({ path }) => (path === '/fiat/deposit/momo' ? { kind: 'lose-reply' } : undefined));
    const words = ['charge', 'momo', ...charged, '--phone', phone, '--reference', 'R1', '--yes'];
    const { exit, stderr } = await call(words);
    expect(exit).toBe(4);
    expect(stderr).toContain('may have been done');
    expect(stderr).toContain('Look first: payrun service transactions get R1');
    expect(service.calls.filter(({ path }) => path === '/fiat/deposit/momo')).toHaveLength(1);
    service.interfere();
    expect((await json(call, ['transactions', 'get', 'R1'])).data.externalReference).toBe('R1');
    const again = await call([...words, '--json']);
    expect(again.exit).toBe(3);
    expect(JSON.parse(again.stdout).error).toMatchObject({ code: 'service-refused', exit: 3 });
  });

  test('or was refused before anything was sent: by the contract (2), by the credentials (77)', async () => {
    const { service, call } = await opened();
    const bad = await call(['accounts', 'create', ...person.slice(0, -1), '12', '--yes']);
    expect(bad.exit).toBe(2);
    expect(bad.stderr).toContain('phoneNumber must be an international phone number');
    expect((await call(['transactions', 'list', '--from', 'May'])).stderr).toContain(
      'startDate must be a date',
    );
    expect(service.calls).toEqual([]);
    const wrong = await call(['balance'], { env: { PAYRUN_API_KEY: 'wrong-key-1234' } });
    expect(wrong.exit).toBe(77);
  });

  test('a charge takes no reference of a payout, nor a flag twice', async () => {
    const { service, call } = await opened();
    const words = ['charge', 'momo', ...charged, '--phone', phone, '--yes'];
    const used = await call([...words, '--reference', '3f1c4c1e-5d0b-5f6e-8f7a-0c2d3e4f5a6b']);
    expect(used.stderr).toContain('the reference of a payout');
    const twice = await call([...words, ...charged]);
    expect(twice.stderr).toContain('--amount is given twice');
    expect([used.exit, twice.exit]).toEqual([2, 2]);
    expect(service.calls).toEqual([]);
  });
});

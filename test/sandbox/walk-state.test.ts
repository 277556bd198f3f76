import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  at,
  newPhone,
  type PlainService,
  payoutTo,
  rowsAt,
  runCommand,
  startService,
  statusOf,
  textAt,
  untilStatus,
} from './plain-http.ts';

let workspace: string;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'payrun-walk-'));
});

afterAll(async () => {
  await rm(workspace, { recursive: true, force: true });
});

const start = () => startService('--workspace', workspace, '--settle-after', '1s', '--return-after', '1s');

test('a killed sandbox starts again with everything it had answered', async () => {
  const first = await start();
  const funds = await first.balance('KES');
  const account = await first.post('/external-accounts', {
    country: 'KE',
    currency: 'KES',
    type: 'momo',
    payload: { firstName: 'Amina', lastName: 'Otieno', phoneNumber: newPhone(), destination: 'MoMo' },
  });
  const accountId = textAt(account.body, 'data', 'id');
  const failing = payoutTo(newPhone('99001'), { externalReference: 'will-fail' });
  expect((await first.post('/fiat/payout', failing)).status).toBe(200);
  const answered = await payUntilKilled(first);
  expect(answered.length).toBeGreaterThanOrEqual(20);

  const second = await start();
  try {
    const { url: _, ...credentials } = identityOf(second);
    expect(identityOf(first)).toMatchObject(credentials);
    const listed = rowsAt((await second.control('GET', 'transactions')).body, 'data');
    const ids = new Map(listed.map((each) => [each['externalReference'], each['transactionId']]));
    expect(ids.size).toBe(listed.length);
    for (const { reference, id } of answered) expect(ids.get(reference)).toBe(id);
    expect((await second.get(`/external-accounts/${accountId}`)).status).toBe(200);

    for (const { id } of answered) await untilStatus(second, id, 'SUCCESSFUL');
    await untilStatus(second, 'will-fail', 'FAILED');
    expect(await second.balance('KES')).toBe(funds - (listed.length - 1) * 100);
    const again = await second.post('/fiat/payout', failing);
    expect(again.body).toMatchObject({ errorCode: 'E-API-D.S-28' });
  } finally {
    expect(await second.stop()).toBe(0);
  }

  const books: unknown = JSON.parse(await runCommand('sandbox', 'books', '--workspace', workspace, '--json'));
  expect(books).toMatchObject({ balanced: true, findings: [] });
  const wallet = rowsAt(books, 'accounts').find((each) => each['account'] === 'wallet:KES');
  expect(Number(at(wallet, 'balance'))).toBeLessThanOrEqual(funds - answered.length * 100);
});

test('the books of a workspace without a sandbox are a configuration error', async () => {
  const nowhere = join(workspace, 'nowhere');
  await expect(runCommand('sandbox', 'books', '--workspace', nowhere, '--json')).rejects.toMatchObject({
    code: 78,
  });
});

interface AnsweredPayout {
  readonly reference: string;
  readonly id: string;
}

/** Sends sixty payouts at once and kills the service when twenty are answered. */
async function payUntilKilled(service: PlainService): Promise<AnsweredPayout[]> {
  const answered: AnsweredPayout[] = [];
  let killing: Promise<void> | undefined;
  await Promise.allSettled(
    Array.from({ length: 60 }, async (_, index) => {
      const body = payoutTo(newPhone(), { externalReference: `batch-${index}` });
      const answer = await service.post('/fiat/payout', body);
      answered.push({ reference: body.externalReference, id: textAt(answer.body, 'transactionId') });
      if (answered.length === 1) expect(await statusOf(service, body.externalReference)).toBe('PENDING');
      if (answered.length >= 20) killing ??= service.kill();
    }),
  );
  await killing;
  return answered;
}

function identityOf({ url, apiKey, publicKey, webhookSecret }: PlainService) {
  return { url, apiKey, publicKey, webhookSecret };
}

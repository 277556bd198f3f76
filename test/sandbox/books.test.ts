import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testEndings } from '../../src/sandbox/faults/test-numbers.ts';
import { startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { callSandbox, type SandboxCaller } from '../support/sandbox-caller.ts';

const endings = Object.keys(testEndings).filter((ending) => ending !== '99006');

const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('payout' as const),
      ending: fc.constantFrom('12345', ...endings),
      cents: fc.integer({ min: 1, max: 900_000_000 }),
      wallet: fc.constantFrom(undefined, 'USD', 'NGN', 'XOF'),
      reference: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('momo-charge' as const),
      ending: fc.constantFrom('12345', '99001', '99002'),
      cents: fc.integer({ min: 1, max: 900_000_000 }),
      wallet: fc.constantFrom(undefined, 'USD', 'UGX'),
      reference: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bank-charge' as const),
      cents: fc.integer({ min: 1, max: 900_000_000 }),
      pays: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fund' as const),
      cents: fc.integer({ min: -900_000_000, max: 900_000_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 5, 30, 9000) }),
  },
);

type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(
  caller: SandboxCaller,
  clock: ReturnType<typeof fakeClock>,
  step: Operation,
  index: number,
): Promise<void> {
  switch (step.kind) {
    case 'payout':
      await caller
        .post('/fiat/payout', {
          amount: step.cents / 100,
          currency: 'KES',
          country: 'KE',
          destination: 'MoMo',
          externalReference: `r${step.reference}`,
          payoutMethod: { accountName: 'Amina Otieno', accountNumber: `+2547123${step.ending}` },
          ...(step.wallet === undefined
            ? {}
            : { debitCurrency: step.wallet, debitCountry: { USD: 'KE', NGN: 'NG', XOF: 'SN' }[step.wallet] }),
        })
        .catch(() => undefined);
      return;
    case 'momo-charge':
      await caller.post('/fiat/deposit/momo', {
        amount: step.cents / 100,
        currency: 'KES',
        phoneNumber: `+2547123${step.ending}`,
        externalReference: `r${step.reference}`,
        ...(step.wallet === undefined ? {} : { walletCurrency: step.wallet }),
      });
      return;
    case 'bank-charge': {
      const amount = (step.cents / 100).toFixed(2);
      const charge = await caller.post('/fiat/deposit/bank-transfer', {
        amount: Number(amount),
        email: 'a@example.com',
        currency: 'KES',
        externalReference: `bank-${index}`,
      });
      if (step.pays)
        await caller.control('POST', 'virtual-account-payments', {
          accountNumber: charge.body.data.virtualAccount.accountNumber,
          amount,
        });
      return;
    }
    case 'fund':
      await caller.control('POST', 'funds', { currency: 'KES', amount: (step.cents / 100).toFixed(2) });
      return;
    case 'wait':
      await clock.advance(step.seconds * 1000);
  }
}

describe('the books', () => {
  test('balance after any series of operations, with and without dedupe, whatever time passes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 5, maxLength: 40 }),
        fc.boolean(),
        async (steps, dedupe) => {
          const clock = fakeClock();
          const sandbox = await startSandbox({ clock, tokenLifetimeMs: 365 * 24 * 3_600_000 });
          try {
            const caller = await callSandbox(sandbox);
            await caller.control('PUT', 'faults', { plan: dedupe ? '' : 'dedupe=off' });
            for (const [index, step] of steps.entries()) await perform(caller, clock, step, index);
            await clock.advance(24 * 3_600_000);

            const { body } = await caller.control('GET', 'books');
            expect(body.findings).toEqual([]);
            const { body: listed } = await caller.control('GET', 'transactions');
            const paidOut = listed.data.filter(
              (each: Record<string, string>) =>
                each['type'] === 'withdrew' && each['status'] === 'SUCCESSFUL',
            );
            const cents = (text: string) => Math.round(Number(text) * 100);
            const sum = paidOut.reduce(
              (total: number, each: Record<string, string>) => total + cents(each['amount'] ?? ''),
              0,
            );
            const account = body.accounts.find((each: { name: string }) => each.name === 'paid-out:KES');
            expect(cents(account?.balance ?? '0')).toBe(sum);
          } finally {
            await sandbox.close();
          }
        },
      ),
      { numRuns: 25, seed: 20261115 },
    );
  });

  test('show it when a balance was tampered with', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-books-'));
    const statePath = join(folder, 'sandbox.db');
    const first = await startSandbox({ statePath });
    await first.close();
    const db = new Database(statePath);
    db.exec(`UPDATE ledger_accounts SET balance = balance + 1 WHERE name = 'wallet:KES'`);
    db.close();
    const second = await startSandbox({ statePath });
    const { body } = await (await callSandbox(second)).control('GET', 'books');
    expect(body.balanced).toBe(false);
    expect(body.findings.join('\n')).toContain('wallet:KES shows');
    await second.close();
    rmSync(folder, { recursive: true });
  });
});

import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import type { Payout } from '../../../src/domain/payout/payout.ts';
import { reason } from '../../../src/domain/payout/reasons.ts';
import { openAccountList } from '../../../src/pipeline/payee/account-list.ts';
import type { FoundAccount } from '../../../src/pipeline/payee/found-account.ts';
import { noListedAccounts } from '../../../src/pipeline/payee/listed-accounts.ts';
import { oncePerPayee } from '../../../src/pipeline/payee/once-per-payee.ts';

function payoutOf(payee: string): Payout {
  return { payee, currency: 'KES', destination: 'MoMo' } as Payout;
}

function setup(answer: (payout: Payout) => FoundAccount) {
  const list = openAccountList(noListedAccounts());
  onTestFinished(() => list.letGo());
  const asked: string[] = [];
  const accountOf = oncePerPayee(list, async (payout) => {
    asked.push(payout.payee);
    await Promise.resolve();
    return answer(payout);
  });
  return { accountOf, asked };
}

test.each<FoundAccount>([
  { kind: 'account', id: 'a' },
  { kind: 'later' },
  { kind: 'trouble', reason: reason('account-changed', { account: 'a' }) },
])('all payouts of a payee are told what the first was told: $kind', async (answer) => {
  const { accountOf, asked } = setup(({ payee }) => (payee === 'one' ? answer : { kind: 'later' }));
  const together = await Promise.all(['one', 'two', 'one'].map((payee) => accountOf(payoutOf(payee))));
  expect(together).toEqual([answer, { kind: 'later' }, answer]);
  expect(await accountOf(payoutOf('one'))).toEqual(answer);
  expect(asked).toEqual(['one', 'two']);
});

test('what they were told does not stay in memory', async () => {
  v8.setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const { accountOf, asked } = setup(({ payee }) => ({ kind: 'account', id: `account of ${payee}` }));
  const before = heap();
  for (let at = 0; at < 20_000; at += 1) await accountOf(payoutOf(`KE:momo:+2547${at}`));
  asked.length = 0;
  // As promises they would take six megabytes and more.
  expect(heap() - before).toBeLessThan(1_500_000);
  expect(await accountOf(payoutOf('KE:momo:+25477'))).toEqual({
    kind: 'account',
    id: 'account of KE:momo:+25477',
  });
  expect(asked).toEqual([]);
});

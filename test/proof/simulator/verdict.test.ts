import { expect, test } from 'vitest';
import { type CalmDay, openCalmOffice, payrollOf } from './calm-office.ts';
import type { SimulatedProcess } from './machine.ts';
import { judgeBatch, judgeExit, judgeSiblings } from './verdict.ts';

const batch = 'payroll';

/** One row, run on such a day; then somebody claims something else of it. */
async function claimedOf(day: CalmDay, claim: Readonly<Record<string, string>>, amount = '1200.00') {
  const { world, office } = openCalmOffice(day);
  const payroll = payrollOf(['K1'], amount);
  await office.go(office.run(payroll));
  const before = world.violations.length;
  const [entry] = world.service.ledger();
  const transaction = { payrun_transaction: entry?.transactionId ?? '' };
  const results = (office.resultsOf(batch) ?? []).map((row) => ({ ...row, ...transaction, ...claim }));
  const said = () => world.violations.slice(before).map(({ kind, text }) => `${kind}: ${text}`);
  const judgeClaims = () =>
    judgeBatch(world, {
      batch,
      versions: payroll.versions,
      taken: new Set(['K1']),
      outdated: new Set(),
      forgotten: false,
      results,
      finished: false,
      returnsNoticed: false,
    });
  return { world, results, said, judgeClaims, reference: entry?.reference ?? '' };
}

test('called paid while the service contradicts itself: a lie', async () => {
  const claim = { payrun_status: 'paid', payrun_paid: '1200.00' };
  const { said, judgeClaims } = await claimedOf({ odd: { contradicting: 1 } }, claim);
  judgeClaims();
  expect(said()).toContainEqual('lie: payroll/K1 is called paid, and no read ever said so plainly');
});

test('called paid with more than the payee got: a lie', async () => {
  const claim = { payrun_status: 'paid', payrun_paid: '1200.45' };
  const { said, judgeClaims } = await claimedOf({ odd: { cuts: true } }, claim, '1200.45');
  judgeClaims();
  expect(said()).toContainEqual(expect.stringContaining('called paid with 1200.45 instead of 1200.00'));
});

test('totals that are not the sum of the rows: a lie', async () => {
  const { world, results, said } = await claimedOf({}, {});
  judgeExit(world, { batch, exit: 0, begunMs: 0, paidMinor: 120_000n, results });
  expect(said()).toEqual([]);
  judgeExit(world, { batch, exit: 0, begunMs: 0, paidMinor: 120_100n, results });
  expect(said()).toEqual(['lie: payroll: the totals say 120100 paid, the rows 120000']);
});

test.each([
  { luck: 0.45, becomes: 'paid' },
  { luck: 0.3, becomes: 'failed' },
])(
  'of what stands twice exit 0 is a lie while the other is open; once it has $becomes the results must say so',
  async ({ luck, becomes }) => {
    const day: CalmDay = { luck, faults: [{ kind: 'sibling', resets: true }] };
    const { world, results, said } = await claimedOf(day, { payrun_status: 'paid', payrun_paid_twice: '' });
    judgeExit(world, { batch, exit: 0, begunMs: world.time.worldMs(), paidMinor: undefined, results });
    expect(said()).toEqual(['lie: payroll: exit 0, and 1 payouts stand twice at the service']);
    await world.time.pass(8 * 3_600_000);
    judgeSiblings(world, { batch, results }, 0);
    const both = world.service.ledger().map(({ transactionId }) => transactionId);
    expect(both).toHaveLength(2);
    const expected = [
      expect.stringContaining('paid twice is said of'),
      'lie: payroll/K1 was paid twice, and the exit code is 0',
    ];
    expect(said().slice(1)).toEqual(becomes === 'paid' ? expected : []);
  },
);

test('a payout sent as another account than its batch was begun with: seen', async () => {
  const { world, reference, said } = await claimedOf({}, {});
  const process: SimulatedProcess = {
    name: 'run',
    bornMs: 0,
    account: 'A',
    elsewhere: new Set(['payroll']),
    alive: () => true,
    moment: () => {},
    hasIntent: () => true,
    hasProof: () => true,
    landAfterEnd: () => {},
  };
  world.payoutLeaves(process, { text: '', isPayout: true, reference });
  expect(said()).toEqual([expect.stringContaining('blind: payroll/K1#1 was sent as another account')]);
});

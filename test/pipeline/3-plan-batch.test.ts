import { describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/domain/payout/payout-state.ts';
import type { RowFate } from '../../src/domain/payout/row-fate.ts';
import { referenceOf } from '../../src/domain/reference.ts';
import type { Plan } from '../../src/pipeline/plan/plan.ts';
import { openDraftJournal } from '../support/draft-journal.ts';
import { knownEnvironment } from '../support/known-environment.ts';

interface Person {
  readonly id?: string;
  readonly name: string;
  readonly phone: string;
  readonly amount: string;
  readonly narration?: string;
  readonly operator?: string;
}

const mary: Person = { id: 'E1', name: 'Mary Wanjiku', phone: '+254712000001', amount: '1000.00' };
const peter: Person = { id: 'E2', name: 'Peter Mutua', phone: '+254712000002', amount: '2000.00' };
const amina: Person = { id: 'E3', name: 'Amina Hassan', phone: '+254712000003', amount: '3000.00' };

/** With ids where the people have them; else their accounts tell them apart. */
function payroll(...people: readonly Person[]): string {
  const hasIds = people.some(({ id }) => id !== undefined);
  const head = `${hasIds ? 'paymentId,' : ''}accountName,country,currency,amount,phoneNumber,operator,narration`;
  const lines = people.map(
    ({ id, name, phone, amount, narration = '', operator = '' }) =>
      `${hasIds ? `${id},` : ''}${name},KE,KES,${amount},${phone},${operator},${narration}`,
  );
  return `${[head, ...lines].join('\n')}\n`;
}

function withoutId({ id: _, ...person }: Person): Person {
  return person;
}

function fatesOf({ fates }: Plan): Partial<Record<RowFate, number>> {
  return Object.fromEntries(Object.entries(fates).filter(([, rows]) => rows > 0));
}

function toSend({ totals }: Plan): string {
  return totals.map(({ currency, toSendMinor }) => `${currency} ${toSendMinor}`).join();
}

const codesOf = ({ guards }: Plan) => guards.map(({ code }) => code);
const dearer = { ...mary, amount: '1500.00' };
const moved = { ...mary, phone: '+254712000009' };
const renamed = { ...mary, name: 'Mary Wanjiku Kamau' };
const noted = { ...mary, narration: 'November' };

describe('the merge', () => {
  test('takes every row of an unknown batch for new', async () => {
    const { plan } = await openDraftJournal().plan(payroll(mary, peter));
    expect(fatesOf(plan)).toEqual({ new: 2 });
    expect(plan).toMatchObject({ batch: 'payroll', knownBatch: undefined, keyKind: 'paymentId', guards: [] });
    expect(plan.totals).toMatchObject([
      { currency: 'KES', rows: 2, fileMinor: 300_000n, paidBeforeMinor: 0n, toSendMinor: 300_000n },
    ]);
  });

  test('adds a new row beside those it knows', async () => {
    const { accept, plan } = openDraftJournal();
    await accept(payroll(mary));
    expect(fatesOf((await plan(payroll(mary, peter))).plan)).toEqual({ new: 1, 'carries-on': 1 });
    expect(await accept(payroll(mary, peter))).toMatchObject({ isNew: false, added: 1, changed: 0, held: 0 });
  });

  test.each<[state: PayoutState, row: string, changed: Person, fate: RowFate, sends: boolean]>([
    ['planned', 'unchanged', mary, 'carries-on', true],
    ['ready', 'unchanged', mary, 'carries-on', true],
    ['held', 'unchanged', mary, 'carries-on', false],
    ['paid', 'unchanged', mary, 'carries-on', false],
    ['failed', 'unchanged', mary, 'carries-on', false],
    ['refused', 'unchanged', mary, 'carries-on', false],
    ['planned', 'with another amount', dearer, 'replaced', true],
    ['planned', 'with another name', renamed, 'replaced', true],
    ['planned', 'with another narration', noted, 'replaced', true],
    ['ready', 'with another account', moved, 'replaced', true],
    ['held', 'with another amount', dearer, 'replaced', true],
    ['refused', 'with another account', moved, 'replaced', true],
    ['cancelled', 'unchanged', mary, 'stays-cancelled', false],
    ['cancelled', 'with another amount', dearer, 'stays-cancelled', false],
    ['failed', 'with another account', moved, 'new-attempt', true],
    ['failed', 'with another name', renamed, 'new-attempt', true],
    ['failed', 'with another narration alone', noted, 'carries-on', false],
    ['returned', 'with another account', moved, 'new-attempt', true],
    ['submitting', 'with another name alone', renamed, 'renamed', false],
    ['submitted', 'with another narration alone', noted, 'renamed', false],
    ['paid', 'with another name alone', renamed, 'renamed', false],
  ])('a payout that is %s, its row %s: %4$s', async (state, _, changed, fate, sends) => {
    const { accept, plan, lead, payout } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', state);
    await lead('E2', 'paid');
    const before = payout('E1');
    const text = payroll(changed, peter);
    const { plan: planned, problems } = await plan(text);
    expect(fatesOf(planned)).toEqual(fate === 'carries-on' ? { [fate]: 2 } : { [fate]: 1, 'carries-on': 1 });
    expect(toSend(planned)).toBe(`KES ${sends ? changed.amount.replace('.', '') : '0'}`);
    expect(planned.totals[0]?.fileMinor).toBe(BigInt(changed.amount.replace('.', '')) + 200_000n);
    expect(planned.blocking).toBe(0);
    const named = { 'stays-cancelled': 'row-cancelled', renamed: 'row-renamed' }[fate as string];
    expect(problems.map((said) => said.split(' ')[1])).toEqual(named === undefined ? [] : [named]);

    // And so it is accepted: what is replaced starts over under its reference, a new attempt has one of its own.
    await accept(text);
    const after = payout('E1');
    const restarts = fate === 'replaced' || fate === 'new-attempt';
    const attempt = fate === 'new-attempt' ? 2 : 1;
    expect(after.state).toBe(restarts ? 'planned' : state);
    expect(after.attempt).toBe(attempt);
    expect(after.reference).toBe(referenceOf('payroll', 'paymentId', 'E1', attempt));
    expect(after.fingerprint === before.fingerprint).toBe(
      !(restarts && changed !== renamed && changed !== noted),
    );
    if (restarts) expect(after).toMatchObject({ verdict: '', externalAccountId: '', everSent: false });
  });

  test.each<[PayoutState, string]>([
    ['submitting', 'may already have been sent'],
    ['unclear', 'may already have been sent'],
    ['submitted', 'was already sent'],
    ['paid', 'was already sent'],
  ])('a row changed after its payout is %s is blocking, with both values', async (state, certainty) => {
    const { accept, plan, lead, payout } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', state);
    const dear = await plan(payroll(dearer, peter));
    expect(dear.plan).toMatchObject({ blocking: 1, valid: 1, spoilt: false, rows: 2 });
    expect(dear.problems).toEqual([
      expect.stringMatching(
        new RegExp(
          `^2: row-conflict Payment E1 ${certainty} as KES 1,?000.00 to KE \\S*0001; .* KES 1,?500.00 to`,
        ),
      ),
    ]);
    const [account] = (await plan(payroll(moved, peter))).problems;
    expect(account).toMatch(/to KE \S*0001; the file now says KE \S*0009\. .*--skip-invalid/);
    expect(account).not.toContain('difference');
    // With --skip-invalid the others go on, and its payout stays what it is.
    await accept(payroll(dearer, peter));
    expect(payout('E1')).toMatchObject({ state, amountMinor: 100_000n });
  });

  test('a payout whose row is gone is held if it was not sent, else left and listed', async () => {
    const { accept, plan, lead, payout } = openDraftJournal();
    await accept(payroll(mary, peter, amina));
    await lead('E3', 'paid');
    const { plan: planned } = await plan(payroll(mary));
    expect(planned.gone).toEqual({
      unsent: 1,
      sent: 1,
      first: [
        { key: 'E2', accountName: 'Peter Mutua', state: 'planned' },
        { key: 'E3', accountName: 'Amina Hassan', state: 'paid' },
      ],
    });
    expect((await accept(payroll(mary))).held).toBe(1);
    expect(payout('E2')).toMatchObject({ state: 'held', hold: 'file', code: 'gone-from-file' });
    expect(payout('E3').state).toBe('paid');
  });

  test('a row that is now invalid counts as gone', async () => {
    const { accept, plan, payout } = openDraftJournal();
    await accept(payroll(mary, peter));
    const broken = payroll({ ...mary, amount: '0.00' }, peter);
    expect((await plan(broken)).plan.gone).toMatchObject({ unsent: 1, sent: 0 });
    await accept(broken);
    expect(payout('E1')).toMatchObject({ state: 'held', hold: 'file' });
  });

  test('a row that is back brings its payout back, and it is asked for again', async () => {
    const { accept, plan, payout } = openDraftJournal();
    await accept(payroll(mary, peter));
    await accept(payroll(mary));
    const { plan: planned } = await plan(payroll(mary, peter));
    expect(fatesOf(planned)).toEqual({ 'carries-on': 1, 'brought-back': 1 });
    expect(toSend(planned)).toBe('KES 300000');
    await accept(payroll(mary, peter));
    expect(payout('E2')).toMatchObject({ state: 'planned', hold: '' });
  });

  test('a retry file is a part of its batch and drops nothing', async () => {
    const { accept, plan, lead, payout } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'failed');
    const { reference } = payout('E1');
    const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
    const ours = 'payrun_batch,payrun_key,payrun_attempt,payrun_reference,payrun_reason';
    const retry = `${head},${ours}\nE1,Mary Wanjiku,KE,KES,1000.00,+254712000009,payroll,E1,1,${reference},failed\n`;
    const { plan: planned } = await plan(retry);
    expect(fatesOf(planned)).toEqual({ 'new-attempt': 1 });
    expect(planned.gone).toEqual({ unsent: 0, sent: 0, first: [] });
    expect((await accept(retry)).held).toBe(0);
    expect(payout('E2').state).toBe('planned');
  });

  test('a file that makes its keys otherwise is refused whole, in either direction', async () => {
    const people = [mary, peter];
    for (const [first, second, advice] of [
      [people, people.map(withoutId), 'Put the column back'],
      [people.map(withoutId), people, 'Remove the column'],
    ] as const) {
      const { accept, plan } = openDraftJournal();
      await accept(payroll(...first));
      const { plan: planned, problems } = await plan(payroll(...second));
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^0: key-kind-changed .*${advice}`))]);
      expect(planned).toMatchObject({ valid: 0, blocking: 1, spoilt: true, totals: [] });
    }
  });
});

describe('the guard against paying again', () => {
  const other = { batch: 'bonus' };

  test('sees the same payee, amount and currency in another batch', async () => {
    const { accept, plan, lead } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'paid');
    const again = payroll({ ...mary, id: 'X1' }, { ...peter, id: 'X2', amount: '2000.01' });
    const { plan: planned } = await plan(again, other);
    expect(codesOf(planned)).toEqual(['repeats']);
    const [{ message } = { message: '' }] = planned.guards;
    expect(message).toMatch(/^1 of 2 payments repeats one/);
    expect(message).toMatch(
      /line 2: Mary Wanjiku \S*0001 KES 1,?000.00, in batch payroll on 12 November 2026/,
    );
    expect(message).toContain('--allow-repeats 1');
    expect(message).not.toContain('+254712000001');
  });

  test('names the batch first where a file has only got another name', async () => {
    const { accept, plan, lead } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'paid');
    const { plan: renamed } = await plan(payroll(mary, peter), other);
    const [{ message } = { message: '' }] = renamed.guards;
    expect(message).toMatch(/^All 2 payments of this file are those of batch payroll:/);
    expect(message).toMatch(/carry on with --batch payroll\. Only if .* a second time: --allow-repeats 2\.$/);
  });

  test.each<[PayoutState, string[]]>([
    ['planned', ['repeats']],
    ['ready', ['repeats']],
    ['held', ['repeats']],
    ['submitting', ['repeats']],
    ['submitted', ['repeats']],
    ['unclear', ['repeats']],
    ['paid', ['repeats']],
    ['failed', []],
    ['refused', []],
    ['cancelled', []],
    ['returned', []],
  ])('a payout that is %s in another batch refuses by %j', async (state, guards) => {
    const { accept, plan, lead } = openDraftJournal();
    await accept(payroll(mary));
    await lead('E1', state);
    expect(codesOf((await plan(payroll(mary), other)).plan)).toEqual(guards);
  });

  test('lets at most as many through as --allow-repeats says', async () => {
    const { accept, plan } = openDraftJournal();
    await accept(payroll(mary, peter));
    const again = payroll(mary, peter);
    expect(codesOf((await plan(again, { ...other, allowRepeats: 1 })).plan)).toEqual(['repeats']);
    expect(codesOf((await plan(again, { ...other, allowRepeats: 2 })).plan)).toEqual([]);
  });

  test('forgets what was paid before the window, and never what is still to be sent', async () => {
    const { accept, plan, lead, passDays } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'paid');
    passDays(4.9);
    expect((await plan(payroll(mary, peter), other)).plan.guards[0]?.message).toMatch(/^All 2 payments/);
    passDays(0.2);
    expect((await plan(payroll(mary, peter), other)).plan.guards[0]?.message).toMatch(/^1 of 2/);
  });

  test('sees it in the same batch too, by a payout whose row is gone', async () => {
    const { accept, plan, lead } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'paid');
    const relabelled = payroll({ ...mary, id: 'E9' }, peter);
    expect(codesOf((await plan(relabelled)).plan)).toEqual(['repeats']);
    // Two payments of one amount to one payee that both stand in the file are two payments.
    expect(codesOf((await plan(payroll(mary, { ...mary, id: 'E9' }, peter))).plan)).toEqual([]);
  });

  test('sees a name whose payout is gone where the key is the account', async () => {
    const { accept, plan, lead } = openDraftJournal();
    const [one, two] = [withoutId(mary), withoutId(peter)];
    await accept(payroll(one, two));
    await lead('KE:momo:+254712000001', 'paid');
    const elsewhere = { ...one, name: 'WANJIKU Mary', phone: '+254712000009', amount: '1700.00' };
    expect(codesOf((await plan(payroll(elsewhere, two))).plan)).toEqual(['repeats']);
    expect(codesOf((await plan(payroll(one, elsewhere, two))).plan)).toEqual([]);
    expect(codesOf((await plan(payroll({ ...elsewhere, name: 'Brian Kiptoo' }, two))).plan)).toEqual([]);
  });

  test('does not mind a row that will not be sent', async () => {
    const { accept, plan, lead } = openDraftJournal();
    await accept(payroll(mary), other);
    await accept(payroll(mary), { allowRepeats: 1 });
    await lead('E1', 'paid');
    expect(codesOf((await plan(payroll(mary))).plan)).toEqual([]);
  });
});

describe('an old batch', () => {
  test('takes no file but says which period it may be', async () => {
    const { accept, plan, lead, passDays } = openDraftJournal();
    await accept(payroll(mary, peter));
    await lead('E1', 'paid');
    await lead('E2', 'paid');
    expect(codesOf((await plan(payroll(mary, peter))).plan)).toEqual([]);
    passDays(28);
    const brian: Person = { id: 'E6', name: 'Brian Kiptoo', phone: '+254712000006', amount: '6000.00' };
    const text = payroll(mary, peter, amina, brian);
    const { plan: planned } = await plan(text);
    expect(planned.guards).toEqual([
      {
        code: 'old-batch',
        message:
          'Batch payroll was paid on 12 November 2026: 2 of these 4 rows were paid then, 2 are new. A new period: --batch payroll-2026-12. The same period: --same-batch.',
      },
    ]);
    expect(codesOf((await plan(text, { sameBatch: true })).plan)).toEqual([]);
  });

  test('is not old while nothing was sent of it', async () => {
    const { accept, plan, passDays } = openDraftJournal();
    await accept(payroll(mary));
    passDays(28);
    expect(codesOf((await plan(payroll(mary))).plan)).toEqual([]);
  });

  test.each([
    ['payroll-2026-11', 'payroll-2026-12'],
    ['salaries 2026.11.12', 'salaries-2026-12'],
    ['2026-11', '2026-12'],
    ['payroll-2026-12', 'payroll-2026-12-10'],
  ])('that is called %s is followed by %s', async (batch, next) => {
    const { accept, plan, lead, passDays } = openDraftJournal();
    await accept(payroll(mary), { batch });
    await lead('E1', 'paid', { batch });
    passDays(28);
    expect((await plan(payroll(mary), { batch })).plan.guards[0]?.message).toContain(
      `--batch ${next}. The same`,
    );
  });
});

test('a batch stays in the environment it was begun in', async () => {
  const { accept, plan } = openDraftJournal();
  await accept(payroll(mary));
  const { plan: planned } = await plan(payroll(mary), {
    environment: knownEnvironment('https://pay.example.com/api/b2b other'),
  });
  expect(codesOf(planned)).toEqual(['environment']);
  expect(planned.guards[0]?.message).toMatch(
    /sandbox somebody.*https:\/\/pay\.example\.com\/api\/b2b now.*other now.*payrun rebind/,
  );
  expect(codesOf((await plan(payroll(mary), { environment: undefined })).plan)).toEqual([]);
});

test('guards are all reported at once', async () => {
  const { accept, plan, lead, passDays } = openDraftJournal();
  await accept(payroll(mary));
  await lead('E1', 'paid');
  passDays(28);
  await accept(payroll(peter), { batch: 'bonus' });
  const { plan: planned } = await plan(payroll(mary, peter), { environment: knownEnvironment('elsewhere') });
  expect(codesOf(planned)).toEqual(['environment', 'old-batch', 'repeats']);
});

describe('the digest', () => {
  test('is of the intention: payees, amounts, names, policy, batch and environment', async () => {
    const { plan } = openDraftJournal();
    const digest = async (text: string, options = {}) => (await plan(text, options)).plan.digest;
    const usual = await digest(payroll(mary, peter, amina));
    expect(usual).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest(payroll(amina, mary, peter))).toBe(usual);
    expect(await digest(payroll(mary, peter, { ...amina, narration: 'November' }))).toBe(usual);
    expect(await digest(payroll(mary, peter, amina), { policies: { onClose: 'hold' } })).toBe(usual);
    const others = [
      await digest(payroll(moved, peter, amina)),
      await digest(payroll(dearer, peter, amina)),
      await digest(payroll(renamed, peter, amina)),
      await digest(payroll(peter, amina)),
      await digest(payroll({ ...mary, id: 'E9' }, peter, amina)),
      await digest(payroll(mary, peter, amina), { policies: { onClose: 'pay' } }),
      await digest(payroll(mary, peter, amina), { environment: knownEnvironment('elsewhere') }),
      await digest(payroll(mary, peter, amina), { environment: undefined }),
      await digest(payroll(mary, peter, amina), { batch: 'bonus' }),
      await digest(payroll(...[mary, peter, amina].map(withoutId))),
    ];
    expect(new Set([usual, ...others]).size).toBe(others.length + 1);
  });

  test('does not depend on the order of policies', async () => {
    const { plan } = openDraftJournal();
    const digest = async (policies: Record<string, unknown>) =>
      (await plan(payroll(mary), { policies })).plan.digest;
    expect(await digest({ a: 1, b: 2 })).toBe(await digest({ b: 2, a: 1 }));
  });

  test('is the same whatever was paid, failed or held meanwhile', async () => {
    const { accept, plan, lead } = openDraftJournal();
    const text = payroll(mary, peter, amina);
    const before = (await plan(text)).plan.digest;
    await accept(text);
    expect((await plan(text)).plan.digest).toBe(before);
    await lead('E1', 'paid');
    await lead('E2', 'failed');
    await lead('E3', 'held');
    expect((await plan(text)).plan.digest).toBe(before);
    const corrected = payroll(mary, { ...peter, phone: '+254712000008' }, amina);
    const intended = (await plan(corrected)).plan.digest;
    await accept(corrected);
    expect((await plan(corrected)).plan.digest).toBe(intended);
  });
});

describe('the difference to the previous batch of the same people', () => {
  const grace: Person = { id: 'E4', name: 'Grace Njeri', phone: '+254712000004', amount: '4000.00' };
  const hassan: Person = { id: 'E5', name: 'Hassan Abdi', phone: '+254712000005', amount: '5000.00' };
  const brian: Person = { id: 'E6', name: 'Brian Kiptoo', phone: '+254712000006', amount: '6000.00' };
  const october = { batch: 'october' };

  test.each([
    ['by their ids', (person: Person) => person],
    ['by their names, where there are no ids', withoutId],
  ])('names who joined, left, moved and whose amount changed, %s', async (_, as) => {
    const { accept, plan, passDays } = openDraftJournal();
    await accept(payroll(...[mary, peter, amina, grace, hassan].map(as)), october);
    passDays(30);
    const november = [
      { ...mary, amount: '1250.00' },
      { ...peter, amount: '2500.01' },
      { ...amina, phone: '+254712000009' },
      hassan,
      brian,
    ];
    const { diff } = (await plan(payroll(...november.map(as)))).plan;
    expect(diff).toMatchObject({
      previousBatch: 'october',
      joined: { count: 1, first: [{ line: 6, name: 'Brian Kiptoo', after: { amountMinor: 600_000n } }] },
      left: {
        count: 1,
        first: [{ line: undefined, name: 'Grace Njeri', before: { amountMinor: 400_000n } }],
      },
      accountChanged: {
        count: 1,
        first: [{ line: 4, before: { number: '+254712000003' }, after: { number: '+254712000009' } }],
      },
      amountChanged: {
        count: 1,
        first: [{ line: 3, before: { amountMinor: 200_000n }, after: { amountMinor: 250_001n } }],
      },
      oneAccount: { count: 0, first: [] },
    });
    const strict = (await plan(payroll(...november.map(as)), { noticePercent: 10 })).plan.diff;
    expect(strict?.amountChanged.count).toBe(2);
  });

  test('names a person who is paid to what was the account of another', async () => {
    const { accept, plan, passDays } = openDraftJournal();
    await accept(payroll(mary, peter, amina), october);
    passDays(30);
    const { diff } = (await plan(payroll(mary, peter, { ...amina, phone: mary.phone }))).plan;
    expect(diff?.oneAccount).toEqual({
      count: 1,
      first: [{ line: 4, name: 'Amina Hassan', before: 'Mary Wanjiku', after: 'Amina Hassan' }],
    });
    expect(diff?.accountChanged.count).toBe(1);
  });

  test('is nothing where all is as it was, and left out where other people were paid', async () => {
    const { accept, plan, passDays } = openDraftJournal();
    await accept(payroll(mary, peter, amina), october);
    passDays(30);
    const { diff } = (await plan(payroll(amina, mary, peter))).plan;
    const none = { count: 0, first: [] };
    expect(diff).toMatchObject({
      joined: none,
      left: none,
      accountChanged: none,
      amountChanged: none,
      oneAccount: none,
    });
    expect((await plan(payroll(grace, hassan, brian))).plan.diff).toBeUndefined();
  });

  test('is taken with the newest such batch', async () => {
    const { accept, plan, passDays } = openDraftJournal();
    await accept(payroll(mary, peter), { batch: 'september' });
    passDays(30);
    await accept(payroll(mary, peter), october);
    passDays(20);
    await accept(payroll(grace, hassan), { batch: 'interns' });
    passDays(10);
    expect((await plan(payroll(mary, peter))).plan.diff?.previousBatch).toBe('october');
  });
});

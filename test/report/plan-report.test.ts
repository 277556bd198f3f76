import { describe, expect, test } from 'vitest';
import { planReport } from '../../src/report/plan-report.ts';
import { serviceReport } from '../../src/report/service-report.ts';
import { knownEnvironment } from '../support/known-environment.ts';
import { plannedFile } from './planned-file.ts';

const setting = {
  file: 'payroll.csv',
  kind: 'LIVE',
  remembers: true,
  commands: { run: 'payrun run payroll.csv', plan: 'payrun plan payroll.csv', skipInvalid: '' },
} as const;

describe('a plan that a person is shown', () => {
  test('says what to do next as a plan, and leaves it to the question inside a run', async () => {
    const planned = {
      ...(await plannedFile()),
      environment: knownEnvironment('https://pay.example/api/b2b me'),
    };
    const asPlan = planReport(planned, setting);
    expect(asPlan).toMatch(/Nothing was sent\.\nNext: payrun run payroll\.csv$/);
    const asked = planReport(planned, { ...setting, shown: 'before-question' });
    expect(asked).toMatch(/^LIVE {2}https:\/\/pay\.example\/api\/b2b me\n/);
    expect(asked).toMatch(/Nothing was sent yet\.$/);
    expect(asked).not.toContain('Next:');
  });

  test('a run that refuses has refused; a plan says that it would', async () => {
    const planned = await plannedFile();
    const guards = [{ code: 'limit' as const, message: 'too much' }];
    const refused = { ...planned, plan: { ...planned.plan, guards }, exit: 6 as const };
    expect(planReport(refused, setting)).toContain('A run would refuse to pay this');
    expect(planReport(refused, { ...setting, shown: 'refused' })).toMatch(/\nRefused: see REFUSED above\.$/);
  });

  test('says what was sent before, and its amounts add up to the file', async () => {
    const planned = await plannedFile();
    const [total] = planned.plan.totals;
    if (!total) throw new Error('a file has a total');
    const totals = [
      {
        ...total,
        rows: 10,
        fileMinor: 1000_00n,
        paidBeforeRows: 1,
        paidBeforeMinor: 100_00n,
        onTheWayRows: 2,
        onTheWayMinor: 200_00n,
        toSendRows: 3,
        toSendMinor: 300_00n,
      },
    ];
    expect(planReport({ ...planned, plan: { ...planned.plan, totals } }, setting)).toContain(
      [
        'Payments:',
        '  goes now                                          3  KES   300.00',
        '  paid before                                       1  KES   100.00',
        '  sent before, on the way or unknown                2  KES   200.00',
        '  not sent by this run (held, ended or cancelled)   4  KES   400.00',
        '  in the file                                      10  KES 1,000.00',
      ].join('\n'),
    );
  });

  test('one row and many are told apart', async () => {
    const planned = await plannedFile();
    const fates = { ...planned.plan.fates, new: 0, replaced: 1, 'new-attempt': 2 };
    expect(planReport({ ...planned, plan: { ...planned.plan, fates } }, setting)).toContain(
      '1 changed and not paid before, 2 corrected after they failed',
    );
  });

  test('an account that changed is seen to differ, though its last digits agree', async () => {
    const planned = await plannedFile();
    const none = { count: 0, first: [] };
    const account = (number: string) => ({ bankCode: '', number });
    const changed = {
      line: 2,
      name: 'Mary Wanjiku',
      before: account('+254712340001'),
      after: account('+254799340001'),
    };
    const diff = {
      previousBatch: 'october',
      previousMs: 0,
      noticePercent: 25,
      joined: none,
      left: none,
      accountChanged: { count: 1, first: [changed] },
      amountChanged: none,
      oneAccount: none,
    };
    const text = planReport({ ...planned, plan: { ...planned.plan, diff } }, setting);
    expect(text).toContain('Mary Wanjiku, …12••0001 → …99••0001');
  });
});

describe('what the service said', () => {
  const names = {
    counts: { match: 3, close: 1, mismatch: 0, unchecked: 0, 'no-account': 1 },
    first: [],
    held: [{ currency: 'KES', rows: 2, amountMinor: 231_000_00n }],
    unanswered: 0,
  };

  test('how much will be held for its names is said', () => {
    expect(serviceReport({ funds: [], payees: { known: 1, new: 4 }, names, aboveLimit: [] })).toContain(
      'of this KES 231,000.00 in 2 payments will be held: names',
    );
  });

  test('what other batches are about to take from a wallet is named', () => {
    const wallet = {
      wallet: 'KES',
      currency: 'KES',
      balanceMinor: 1000_00n,
      neededMinor: 900_00n,
      elsewhereMinor: 400_00n,
      reserveMinor: 0n,
      estimated: false,
    };
    expect(
      serviceReport({ funds: [wallet], payees: { known: 1, new: 0 }, names: undefined, aboveLimit: [] }),
    ).toContain('needed KES 900.00, of it KES 400.00 by other batches that wait');
  });

  test('names that nobody asked for are not passed over in silence', () => {
    const view = { funds: [], names: undefined, aboveLimit: [] };
    expect(serviceReport({ ...view, payees: { known: 1, new: 2 } })).toContain('names: not asked now');
    expect(serviceReport({ ...view, payees: { known: 0, new: 0 } })).toBe('');
  });

  test('where nothing is left to send nobody is counted', () => {
    const nobody = { match: 0, close: 0, mismatch: 0, unchecked: 0, 'no-account': 0 };
    const none = { counts: nobody, first: [], held: [], unanswered: 0 };
    expect(serviceReport({ funds: [], payees: { known: 0, new: 0 }, names: none, aboveLimit: [] })).toBe('');
  });

  test('names that got no answer are counted, and said to be asked again', () => {
    const silent = { ...names, unanswered: 2 };
    expect(
      serviceReport({ funds: [], payees: { known: 1, new: 4 }, names: silent, aboveLimit: [] }),
    ).toContain('2 names got no answer now and will be asked again before anything is sent');
  });
});

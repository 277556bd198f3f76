import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { calls } from '../../support/failed-attempt.ts';
import {
  enrolStaff,
  openPayroll,
  type Payroll,
  phoneOf,
  type RunWishes,
  staff,
} from '../../support/pay-run.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { isRead, type Shown } from '../../support/shown-otherwise.ts';
import {
  type Interference,
  isPage,
  isPayout,
  type SeenCall,
  watchService,
} from '../../support/watched-service.ts';

/** What so many people get, the first of them left out. */
function upTo(people: number): RunWishes {
  const amounts = Array.from({ length: people - 1 }, (_, place) => BigInt(1_002 + place) * 100n);
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  return {
    limits: { confirmTotal: new Map<string, bigint>(), maxTotal: new Map([['KES', total]]) },
    limitsNeeded: true,
  };
}

const isOf = (shown: Shown, amount: number) =>
  new RegExp(`"(?:amount|receiverAmount)":"?${amount}\\b`).test(JSON.stringify(shown));
const hasFailed = (amount: number) => calls((_id, shown) => (isOf(shown, amount) ? 'FAILED' : undefined));

/** The first is held for its name, the others go out. */
async function beginNovember(people: number) {
  const service = await watchService(await startPayrollService('on'));
  const payroll = openPayroll(service);
  await enrolStaff(service, staff(people).slice(1));
  await service.enrol([{ number: phoneOf(1), name: 'Somebody Quite Different' }]);
  return { service, payroll };
}

/** And then somebody has seen that its name is right. */
async function payAll(payroll: Payroll, people: number, wishes: RunWishes = {}): Promise<void> {
  await payroll.run(payroll.write('november.csv', staff(people - 1)), wishes);
  await payroll.run(payroll.write('november.csv', staff(people)), wishes);
  await payroll.decide('november', (run) => ({
    choice: { kind: 'states', states: ['held'] },
    rule: (payout) => release(payout, 'named', run, 'seen'),
    repeats: undefined,
  }));
}

function statusesOf(people: number, others: Readonly<Record<string, string>>): string[] {
  return staff(people).map(({ paymentId = '' }) => `${paymentId} ${others[paymentId] ?? 'paid'}`);
}

describe('What has ended is read again before more is sent', () => {
  test('what had failed and was paid after all leaves no room for others: nothing is sent beyond what was confirmed', async () => {
    const { service, payroll } = await beginNovember(3);
    service.interfere(hasFailed(1_002));
    await payAll(payroll, 3, upTo(3));
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 failed', 'P003 paid']);
    service.interfere();

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(6);
    expect(payroll.statuses('november')).toEqual(['P001 not_sent', 'P002 paid', 'P003 paid']);
    expect((await service.payouts()).map(({ number }) => number)).not.toContain(phoneOf(1));
  });

  test('what came back makes room for others, and is called returned', async () => {
    const { service, payroll } = await beginNovember(3);
    await payAll(payroll, 3, upTo(3));
    expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid', 'P003 paid']);
    service.interfere(hasFailed(1_002));

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 returned', 'P003 paid']);
  });
});

/** Every page shows the ten newest, each time from another one on. */
function roundAndRound(): (call: SeenCall) => Interference | undefined {
  let ten: readonly Shown[] | undefined;
  let turn = 0;
  const turned = (text: string) => {
    const reply = JSON.parse(text) as { data: readonly Shown[] };
    ten ??= reply.data.length === 10 ? reply.data : undefined;
    turn += 1;
    const data = ten ? ten.map((_, place) => ten?.[(place + turn) % ten.length]) : reply.data;
    return JSON.stringify({ ...reply, data });
  };
  const notAnyMore = { kind: 'answer', status: 404, body: { success: false, message: 'no' } } as const;
  return (call) => {
    if (!isPage(call)) return undefined;
    return turn < 200 ? { kind: 'change', reply: turned } : notAnyMore;
  };
}

describe('Where somebody waits for money and many were paid before', () => {
  const people = 31;

  async function resumedAfter(interfere?: (call: SeenCall) => Interference | undefined) {
    const { service, payroll } = await beginNovember(people);
    await payAll(payroll, people);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, { P001: 'held' }));
    service.interfere(interfere);
    const begun = service.calls.length;
    // A page that came too late on a busy machine would be read one by one, and those reads are counted.
    const resumed = await payroll.resume('november', { settings: { timeoutMs: 30_000 } });
    const seen = service.calls.slice(begun);
    const sent = seen.findIndex(isPayout);
    expect(sent).toBeGreaterThan(0);
    return { service, payroll, resumed, before: seen.slice(0, sent), after: seen.slice(sent) };
  }

  test('these are read ten at a call before the send, and one by one only after it', async () => {
    const { payroll, resumed, before, after } = await resumedAfter();

    expect(resumed.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, {}));
    expect(before.filter(isPage).length).toBeGreaterThanOrEqual(3);
    expect(before.filter(isPage).length).toBeLessThan(10);
    // Whatever a page has missed.
    expect(before.filter(isRead).length).toBeLessThan(5);
    const reads = [...before, ...after].filter(isRead).map(({ path }) => path);
    expect(new Set(reads).size).toBeGreaterThanOrEqual(people - 1);
  });

  test('one that came back is called returned before the send', async () => {
    const returned = hasFailed(1_005);
    const { payroll, resumed, before } = await resumedAfter(returned);

    expect(resumed.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, { P005: 'returned' }));
    const reads = before.filter(isRead).length;
    expect(reads).toBeGreaterThan(0);
    // Not because all were read so.
    expect(reads).toBeLessThan(8);
  });

  test('one that came back is found although the pages of the list still call it paid', async () => {
    const returned = hasFailed(1_005);
    const { payroll, resumed, before } = await resumedAfter((call) =>
      isPage(call) ? undefined : returned(call),
    );

    expect(resumed.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, { P005: 'returned' }));
    expect(before.filter(isRead).length).toBeLessThan(5);
  });

  test('a reading that was interrupted is made again by the next resume', async () => {
    const { service, payroll } = await beginNovember(people);
    await payAll(payroll, people);
    const controller = new AbortController();
    const returned = hasFailed(1_030);
    let reads = 0;
    service.interfere((call) => {
      if (isRead(call) && ++reads === 3) controller.abort();
      return isPage(call) ? undefined : returned(call);
    });
    await payroll.resume('november', { signal: controller.signal, settings: { concurrency: 1 } });
    expect(payroll.statuses('november')).toEqual(statusesOf(people, {}));

    await payroll.resume('november');

    expect(payroll.statuses('november')).toEqual(statusesOf(people, { P030: 'returned' }));
  });

  test('one that came back is found although the sends are stopped', async () => {
    const { service, payroll } = await beginNovember(people);
    await payAll(payroll, people);
    const returned = hasFailed(1_005);
    service.interfere((call) => {
      if (isPayout(call)) return { kind: 'answer', status: 401, body: { success: false, message: 'no' } };
      return isPage(call) ? undefined : returned(call);
    });

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(5);
    expect(payroll.statuses('november')).toContain('P005 returned');
  });

  test('it makes room for others although the pages of the list still call it paid', async () => {
    const { service, payroll } = await beginNovember(people);
    await payAll(payroll, people, upTo(people));
    const returned = hasFailed(1_005);
    service.interfere((call) => (isPage(call) ? undefined : returned(call)));

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, { P005: 'returned' }));
  });

  test('a list that goes round in circles is left, and everybody is paid', async () => {
    const { payroll, resumed, before } = await resumedAfter(roundAndRound());

    expect(resumed.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, {}));
    expect(before.filter(isPage).length).toBeLessThan(60);
  });

  test('a list that is not answered is not asked again for each of them', async () => {
    const { payroll, resumed, before } = await resumedAfter((call) =>
      isPage(call) ? { kind: 'answer', status: 404, body: { success: false, message: 'no' } } : undefined,
    );

    expect(resumed.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(statusesOf(people, {}));
    expect(before.filter(isRead).length).toBeGreaterThanOrEqual(people - 1);
  });
});

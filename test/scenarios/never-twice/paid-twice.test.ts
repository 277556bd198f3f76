import { describe, expect, test } from 'vitest';
import { retry } from '../../../src/decisions/retry.ts';
import { calls, reads } from '../../support/failed-attempt.ts';
import {
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
  type Ran,
} from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type Interference, isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const nextDay = { clock: hastyClock({ shiftMs: 25 * 60 * 60 * 1000 }) };

async function retryAll(payroll: Payroll): Promise<void> {
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => retry(payout, { name: 'november', keyKind: 'paymentId' }, run, 'once more'),
    repeats: undefined,
  }));
}

describe('what was paid twice', () => {
  test('by two attempts is said first and ends with 3, now and by every later run', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    const file = payroll.write('november.csv', [employee(1)]);
    service.interfere(({ path }) => (path.startsWith('/transactions') ? reads('FAILED') : undefined));
    expect((await payroll.run(file)).exit).toBe(3);
    const [first] = await service.payouts();
    service.interfere(calls((id) => (id === first?.transactionId ? 'FAILED' : undefined)));
    await retryAll(payroll);
    expect((await payroll.resume('november')).exit).toBe(0);
    service.interfere();

    const later = await payroll.resume('november', nextDay);
    const again = await payroll.run(file);

    for (const { exit, summary } of [later, again] satisfies Ran[]) {
      expect(exit).toBe(3);
      expect(summary?.paidTwice).toMatchObject([{ key: 'P001' }]);
    }
    expect(payroll.results('november')[0]?.['payrun_reason']).toContain(first?.transactionId);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
  });

  test('is not what a list shows twice', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    const twice: Interference = {
      kind: 'change',
      reply: (text) => {
        const reply = JSON.parse(text) as { data: unknown[] };
        return JSON.stringify({ ...reply, data: reply.data.flatMap((each) => [each, each]) });
      },
    };
    let lost = 0;
    service.interfere((call) => {
      if (isLookUp(call)) return twice;
      if (!isPayout(call) || lost > 0) return undefined;
      lost += 1;
      return { kind: 'lose-reply' };
    });

    const ran = await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));

    expect(ran.summary?.paidTwice).toEqual([]);
    expect(ran.exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
  });
});

describe('failed is only what failed under all of its transactions', () => {
  test('another one that stands under the reference and was successful has paid it', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    const file = payroll.write('november.csv', [employee(1)]);
    service.interfere(calls(() => 'PENDING'));
    expect((await payroll.run(file, { settings: { settleForMs: 100 } })).exit).toBe(4);
    const [first] = await service.payouts();
    const { body } = service.payoutCalls()[0] ?? {};
    await service.caller.post('/fiat/payout', JSON.parse(body ?? '{}'));
    service.interfere(calls((id) => (id === first?.transactionId ? 'FAILED' : undefined)));

    const ran = await payroll.run(file);

    expect(ran.exit).toBe(0);
    const [row] = payroll.results('november');
    expect(row).toMatchObject({ payrun_status: 'paid' });
    const [, second] = await service.payouts();
    expect(row?.['payrun_transaction']).toBe(second?.transactionId);
  });

  test.each(dedupeModes)(
    'an earlier attempt that pays after all is the payment, and nothing more is sent (dedupe %s)',
    async (dedupe) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      await enrolStaff(service, [employee(1)]);
      const file = payroll.write('november.csv', [employee(1)]);
      service.interfere(({ path }) => (path.startsWith('/transactions') ? reads('FAILED') : undefined));
      await payroll.run(file);
      await retryAll(payroll);
      service.interfere();

      const resumed = await payroll.resume('november');

      expect(resumed.exit).toBe(0);
      expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '1' });
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    },
  );
});

describe('one transaction pays one payment', () => {
  test('the service names one for two of them: the second is looked up, and paid by its own', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    const rows = [employee(1), employee(1, { paymentId: 'P002' })];
    await enrolStaff(service, rows);
    let named: string | undefined;
    let lies = 0;
    service.interfere((call) => {
      if (call.path.startsWith('/transactions')) {
        return { kind: 'change', reply: (text) => text.replaceAll(/"externalReference":"[^"]*",?/g, '') };
      }
      if (!isPayout(call)) return undefined;
      if (named === undefined) {
        return {
          kind: 'change',
          reply: (text) => {
            named = text;
            return text;
          },
        };
      }
      lies += 1;
      return lies === 1 ? { kind: 'answer', status: 200, body: JSON.parse(named) as unknown } : undefined;
    });

    const ran = await payroll.run(payroll.write('november.csv', rows), {
      settings: { concurrency: 1 },
      allowShared: 5,
    });

    expect(ran.exit).toBe(0);
    const transactions = payroll.results('november').map((row) => row['payrun_transaction']);
    expect(new Set(transactions).size).toBe(2);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
  });
});

describe('a refusal', () => {
  test('that no look-up could confirm at once is still a refusal: it is not sent again', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    let refusedReference: string | undefined;
    let unanswered = 0;
    service.interfere((call) => {
      if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1002) {
        refusedReference = call.reference;
        const body = { success: false, message: 'Not today', errorCode: 'E-PAY.S-99' };
        return { kind: 'answer', status: 400, body };
      }
      if (!isLookUp(call) || call.reference !== refusedReference || unanswered >= 3) return undefined;
      unanswered += 1;
      return { kind: 'answer', status: 503, body: {} };
    });

    await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));

    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 refused']);
    expect(service.payoutCalls().filter(({ reference }) => reference === refusedReference)).toHaveLength(1);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

/** A list that shows nothing, whatever the service holds. */
const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

const hidesReferences: Interference = {
  kind: 'change',
  reply: (text) => text.replaceAll(/"externalReference":"[^"]*",?/g, ''),
};

describe('what cannot be told is not sent', () => {
  test('an earlier attempt that the list shows no more is read by itself before the next goes out', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    service.interfere(({ path }) => (path.startsWith('/transactions') ? reads('FAILED') : undefined));
    await payroll.run(payroll.write('november.csv', [employee(1)]));
    const [first] = await service.payouts();
    await retryAll(payroll);
    service.interfere((call) =>
      isLookUp(call) && call.reference === first?.reference ? showsNothing : undefined,
    );

    const resumed = await payroll.resume('november');

    expect(resumed.exit).toBe(0);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '1' });
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });

  test('after the journal was lost, a search that is not answered is no search: nothing goes out', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    const rows = [employee(1), employee(2)];
    await enrolStaff(service, rows);
    const file = payroll.write('november.csv', rows);
    expect((await payroll.run(file)).exit).toBe(0);
    const known = new Set((await service.payouts()).map(({ reference }) => reference));
    await payroll.store.forget();
    service.interfere((call) => {
      if (isLookUp(call) && !known.has(call.reference ?? ''))
        return { kind: 'answer', status: 503, body: {} };
      return call.path.startsWith('/transactions') ? hidesReferences : undefined;
    });

    const lost = await payroll.run(file);

    expect([5, 69]).toContain(lost.exit);
    service.interfere(({ path }) => (path.startsWith('/transactions') ? hidesReferences : undefined));
    expect((await payroll.run(file)).exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
  });

  test('an answer that asks to try later is looked up before it is sent again, for it may not be true', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    let lies = 0;
    const sent: string[] = [];
    service.interfere((call) => {
      if (!isPayout(call)) return undefined;
      sent.push(call.reference ?? '');
      lies += 1;
      // Done, and answered as if it were not.
      return lies === 2 ? { kind: 'change', status: 429, reply: () => '{}' } : undefined;
    });

    const ran = await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));

    expect(ran.exit).toBe(0);
    expect(new Set(sent).size).toBe(sent.length);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
  });

  test('a refusal that the service holds all the same is no refusal', async () => {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    let lies = 0;
    service.interfere((call) => {
      if (!isPayout(call)) return undefined;
      lies += 1;
      const body = JSON.stringify({ success: false, message: 'Not today', errorCode: 'E-PAY.S-99' });
      return lies === 2 ? { kind: 'change', status: 400, reply: () => body } : undefined;
    });

    const ran = await payroll.run(payroll.write('november.csv', [employee(1), employee(2)]));

    expect(ran.exit).toBe(0);
    expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 paid']);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
  });

  test('a lone first payout that met a wrong key goes out once the key is right', async () => {
    const service = await watchService(await startPayrollService());
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1)]);
    const file = payroll.write('november.csv', [employee(1)]);
    service.interfere((call) =>
      isPayout(call) ? { kind: 'answer', status: 401, body: { success: false } } : undefined,
    );
    expect((await payroll.run(file)).exit).toBe(5);
    service.interfere();

    expect((await payroll.run(file)).exit).toBe(0);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
  });
});

describe('two under one reference', () => {
  /** The reply to the first send is lost and no look-up shows it, so that it is sent again: the service holds two. */
  async function twoUnderOne() {
    const service = await watchService(await startPayrollService('off'));
    const payroll = openPayroll(service);
    await enrolStaff(service, [employee(1), employee(2)]);
    const file = payroll.write('november.csv', [employee(2), employee(1)]);
    const forced = new Map<string, string>();
    let reference: string | undefined;
    let sends = 0;
    service.interfere((call) => {
      if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1001) {
        reference = call.reference;
        sends += 1;
        return sends === 1 ? { kind: 'lose-reply' } : undefined;
      }
      if (isLookUp(call) && call.reference === reference && sends === 1) return showsNothing;
      return calls((id) => forced.get(id))(call);
    });
    return { service, payroll, file, forced };
  }

  test('is said where the second is found, and one that comes back leaves the other paid', async () => {
    const { service, payroll, file, forced } = await twoUnderOne();
    const ran = await payroll.run(file);
    expect(ran.exit).toBe(3);
    expect(ran.summary?.paidTwice).toHaveLength(1);
    const row = () => payroll.results('november').find((each) => each['paymentId'] === 'P001');
    const before = row()?.['payrun_transaction'] ?? '';
    forced.set(before, 'FAILED');

    const later = await payroll.resume('november', nextDay);

    expect(later.exit).toBe(3);
    expect(row()).toMatchObject({ payrun_status: 'paid' });
    expect(row()?.['payrun_transaction']).not.toBe(before);
    expect(await service.sums()).toHaveLength(3);
  });
});

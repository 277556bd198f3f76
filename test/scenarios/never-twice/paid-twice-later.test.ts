import { describe, expect, test } from 'vitest';
import { auditService } from '../../../src/audit/audit-service.ts';
import { systemClock } from '../../../src/clock.ts';
import { AuditFindings } from '../../../src/domain/payout/audit-findings.ts';
import { readBatch } from '../../../src/journal/batch-record.ts';
import { chainTrouble } from '../../../src/journal/event-chain.ts';
import { createJournal } from '../../../src/journal/journal.ts';
import { payoutQueries } from '../../../src/journal/payouts/payout-queries.ts';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { connectService } from '../../../src/service/client.ts';
import { calls, firstAttemptFailed, tryAgain } from '../../support/failed-attempt.ts';
import {
  employee,
  enrolStaff,
  hastyClock,
  openPayroll,
  type Payroll,
  phoneOf,
} from '../../support/pay-run.ts';
import {
  type Dedupe,
  dedupeModesOf,
  type PayrollService,
  startPayrollService,
} from '../../support/payroll-service.ts';
import { type Interference, isLookUp, isPayout, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const showsNothing: Interference = {
  kind: 'change',
  reply: (text) => JSON.stringify({ ...(JSON.parse(text) as object), data: [] }),
};

const afterDays = (count: number) => ({ clock: hastyClock({ shiftMs: count * 25 * 60 * 60 * 1000 }) });

describe.each(dedupeModes)('what turns out to be paid a second time, with dedupe %s', (dedupe) => {
  test('by the attempt before the row was corrected is said PAID TWICE, and stays said', async () => {
    const { service, payroll, first } = await firstAttemptFailed(dedupe);
    const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
    service.interfere(calls((id) => (id === first.transactionId ? 'FAILED' : undefined)));
    expect((await payroll.run(file)).exit).toBe(0);
    const [corrected] = payroll.results('november');
    expect(corrected).toMatchObject({ payrun_status: 'paid', payrun_attempt: '2', payrun_reason: '' });
    service.interfere();

    await expectPaidTwice(payroll, file, [first.transactionId, corrected?.['payrun_transaction'] ?? '']);

    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1100.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('by the second attempt, after the first was found to have paid: PAID TWICE, for the audit too', async () => {
    const { service, payroll, file, first } = await firstAttemptFailed(dedupe);
    await tryAgain(payroll);
    let isSent = false;
    service.interfere((call) => {
      isSent ||= isPayout(call);
      return calls((id) => (isSent && id === first.transactionId ? 'SUCCESSFUL' : 'FAILED'))(call);
    });
    expect((await payroll.resume('november')).exit).toBe(0);
    expect(payroll.results('november')[0]).toMatchObject({ payrun_status: 'paid', payrun_attempt: '1' });
    expect(await auditedTwice(service, payroll)).toEqual([]);
    service.interfere();
    const ids = await bothHavePaid(service);

    expect(await auditedTwice(service, payroll)).toEqual([expect.stringContaining(ids.join(', '))]);
    await expectPaidTwice(payroll, file, ids);

    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('where both attempts were called failed and both have paid, is said PAID TWICE at once', async () => {
    const { service, payroll, file } = await firstAttemptFailed(dedupe);
    await tryAgain(payroll);
    expect((await payroll.resume('november')).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 failed']);
    service.interfere();
    const ids = await bothHavePaid(service);

    await expectPaidTwice(payroll, file, ids);

    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(1)} 1001.00`]);
    expect(await service.books()).toEqual([]);
  });

  test('and then comes back leaves the other one as the payment, and the log says which', async () => {
    const { service, payroll, first } = await firstAttemptFailed(dedupe);
    await tryAgain(payroll);
    service.interfere(calls((id) => (id === first.transactionId ? 'FAILED' : undefined)));
    expect((await payroll.resume('november')).exit).toBe(0);
    const second = payroll.results('november')[0]?.['payrun_transaction'] ?? '';
    service.interfere();
    expect((await payroll.resume('november', afterDays(1))).exit).toBe(3);
    service.interfere(calls((id) => (id === second ? 'FAILED' : undefined)));

    const later = await payroll.resume('november', afterDays(2));

    const [kept, sent] = await service.payouts();
    expect([kept?.transactionId, sent?.transactionId]).toEqual([first.transactionId, second]);
    expect(payroll.results('november')[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_attempt: '1',
      payrun_transaction: first.transactionId,
      payrun_reference: kept?.reference,
    });
    const message = `payment P001: transaction ${second} came back; ${first.transactionId} has paid it`;
    expect(later.events).toContainEqual({ kind: 'alarm', message });
    expect(await logged(payroll, '%came back%')).toEqual([message]);
    expect(await payroll.ask(chainTrouble)).toBeUndefined();
    expect(service.payoutCalls()).toHaveLength(2);
    expect(await service.books()).toEqual([]);
  });

  test('by the attempt before the row was corrected is named where the corrected one comes back, and not sent again', async () => {
    const { service, payroll, first } = await firstAttemptFailed(dedupe);
    const file = payroll.write('november.csv', [employee(1, { amount: '1100.00' })]);
    service.interfere(calls((id) => (id === first.transactionId ? 'FAILED' : undefined)));
    expect((await payroll.run(file)).exit).toBe(0);
    const second = payroll.results('november')[0]?.['payrun_transaction'] ?? '';
    service.interfere(calls((id) => (id === second ? 'FAILED' : undefined)));

    expect((await payroll.resume('november', afterDays(1))).exit).toBe(3);

    const paid = `attempt 1, sent before the row was changed, was paid by ${first.transactionId}`;
    const [row] = payroll.results('november');
    expect(row).toMatchObject({
      payrun_status: 'returned',
      payrun_attempt: '2',
      payrun_reason: `it was paid and came back; ${paid}`,
    });
    await tryAgain(payroll);
    expect((await payroll.resume('november')).exit).toBe(3);
    expect(payroll.statuses('november')).toEqual(['P001 held']);
    expect(service.payoutCalls()).toHaveLength(2);
    const [kept, sent] = await service.payouts();
    expect([kept?.transactionId, sent?.transactionId]).toEqual([first.transactionId, second]);
    expect(await service.books()).toEqual([]);
  });
});

describe('a payout whose reply was lost and that was sent again', () => {
  test('is said PAID TWICE once the other under its reference has paid too, and stays said', async () => {
    const { service, payroll, file, showAll } = await sentAgain('off');
    expect((await payroll.run(file, { settings: { settleForMs: 200 } })).exit).toBe(4);
    const row = payroll.results('november').find((each) => each['paymentId'] === 'P001');
    expect(row).toMatchObject({ payrun_status: 'paid', payrun_code: 'watched' });
    const held = (await service.payouts()).filter(({ reference }) => reference === row?.['payrun_reference']);
    expect(held).toHaveLength(2);
    showAll();

    const ids = held.map(({ transactionId }) => transactionId);
    await expectPaidTwice(payroll, file, ids);

    const [one, other] = [`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`];
    expect(await service.sums()).toEqual([one, one, other]);
    expect(await service.books()).toEqual([]);
  });

  test('is paid once, and never said otherwise, where the service refuses a used reference', async () => {
    const { service, payroll, file, showAll } = await sentAgain('on');
    await payroll.run(file);
    showAll();

    const later = await payroll.resume('november', afterDays(1));

    expect(later.exit).toBe(0);
    expect(later.summary?.paidTwice).toEqual([]);
    expect(await logged(payroll, '%PAID TWICE:%')).toEqual([]);
    expect(service.payoutCalls()).toHaveLength(3);
    expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`, `${phoneOf(2)} 1002.00`]);
    expect(await service.books()).toEqual([]);
  });
});

/** Until all is shown, what the lost reply was about is pending wherever the second send made a transaction as well. */
async function sentAgain(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  await enrolStaff(service, [employee(1), employee(2)]);
  const file = payroll.write('november.csv', [employee(2), employee(1)]);
  let reference: string | undefined;
  let sends = 0;
  let second = '';
  let hidesFirst = true;
  service.interfere((call) => {
    if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1001) {
      reference = call.reference;
      sends += 1;
      if (sends === 1) return { kind: 'lose-reply' };
      return {
        kind: 'change',
        reply: (text) => {
          second = (JSON.parse(text) as { transactionId?: string }).transactionId ?? '';
          return text;
        },
      };
    }
    if (isLookUp(call) && call.reference === reference && sends === 1) return showsNothing;
    if (!hidesFirst || second === '' || reference === undefined) return undefined;
    return calls((id, { externalReference }) => {
      const isOurs = (call.reference ?? externalReference) === reference;
      return isOurs && id !== second ? 'PENDING' : undefined;
    })(call);
  });
  const showAll = () => {
    hidesFirst = false;
  };
  return { service, payroll, file, showAll };
}

/** Their ids, once the second has come through as well. */
async function bothHavePaid(service: PayrollService): Promise<string[]> {
  await expect.poll(() => service.sums()).toHaveLength(2);
  return (await service.payouts()).map(({ transactionId }) => transactionId);
}

/** At once, a day later and by the same command: exit 3, both transactions, and one event in a log that holds. */
async function expectPaidTwice(
  payroll: Payroll,
  file: string,
  transactions: readonly string[],
): Promise<void> {
  const later = await payroll.resume('november', afterDays(1));
  const [twice] = later.summary?.paidTwice ?? [];
  expect([...(twice?.transactions ?? [])].sort()).toEqual([...transactions].sort());
  const said = `PAID TWICE by the transactions ${twice?.transactions.join(', ')}`;
  expect(later.events).toContainEqual({ kind: 'alarm', message: `payment P001: ${said}` });
  for (const ran of [later, await payroll.resume('november', afterDays(2)), await payroll.run(file)]) {
    expect(ran.exit).toBe(3);
    expect(ran.summary?.paidTwice).toMatchObject([{ key: 'P001', transactions: twice?.transactions }]);
    const row = payroll.results('november').find((each) => each['paymentId'] === 'P001');
    expect(row).toMatchObject({
      payrun_status: 'paid',
      payrun_code: 'paid-twice',
      payrun_paid_twice: twice?.transactions.join(' '),
      payrun_reason: said,
    });
  }
  expect(await logged(payroll, '%PAID TWICE%')).toEqual([expect.stringContaining(said)]);
  expect(await payroll.ask(chainTrouble)).toBeUndefined();
}

function logged(payroll: Payroll, pattern: string): Promise<string[]> {
  return payroll.ask((db) =>
    db.prepare<[string], string>('SELECT why FROM events WHERE why LIKE ? ORDER BY seq').pluck().all(pattern),
  );
}

/** What `audit --service` calls paid twice, asking the service alone. */
async function auditedTwice(service: PayrollService, payroll: Payroll): Promise<string[]> {
  const db = await payroll.store.open();
  const { url: baseUrl, apiKey, publicKey } = service;
  const connection = connectService({ baseUrl, apiKey, publicKey, version: 'test' });
  try {
    const batch = readBatch(db, 'november');
    if (!batch) throw new Error('there is no batch november');
    const findings = new AuditFindings();
    const readPayout = createJournal(db, systemClock, { run: 'audit', operator: 'tester' }).read;
    const payouts = payoutQueries(db, batch.id);
    await auditService({ service: connection, payouts, batch, concurrency: 1, findings, readPayout });
    return findings.worstFirst().flatMap(({ kind, message }) => (kind === 'paid-twice' ? [message] : []));
  } finally {
    await connection.close();
    await closeJournal(db);
  }
}

import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, type Payroll } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import {
  type Interference,
  isLookUp,
  isPayout,
  type WatchedService,
  watchService,
} from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const refused: Interference = {
  kind: 'answer',
  status: 400,
  body: { success: false, message: 'Payout refused by the provider.', errorCode: 'E-API-P.S-42' },
};

describe.each(dedupeModes)(
  'a payout that was lost, then refused, and that no look-up can tell, with dedupe %s',
  (dedupe) => {
    test('is unclear, and sent once more when a person releases it: its refusal is not the last word', async () => {
      const { service, payroll, rows, file, reference } = await openCase(dedupe);
      expect((await payroll.run(file)).exit).toBe(4);
      expect(payroll.statuses('november')).toEqual(['P002 paid', 'P001 unknown']);
      expect(payroll.results('november')[1]?.['payrun_reason']).toContain('no look-up can decide it');
      expect(sendsOf(service, reference())).toBe(2);
      await releaseLost(payroll);
      service.interfere();

      const resumed = await payroll.resume('november');

      expect(resumed.exit).toBe(0);
      expect(resumed.events).not.toContainEqual(expect.objectContaining({ to: 'refused' }));
      expect(payroll.statuses('november')).toEqual(['P002 paid', 'P001 paid']);
      expect(sendsOf(service, reference())).toBe(3);
      await expectPaidOnce(service, rows);
    });

    test('is sent no more than that once where the service refuses it again: then it is refused', async () => {
      const { service, payroll, rows, file, reference } = await openCase(dedupe);
      expect((await payroll.run(file)).exit).toBe(4);
      await releaseLost(payroll);
      service.interfere((call) => (isPayout(call) ? refused : undefined));

      const resumed = await payroll.resume('november');

      expect(resumed.summary?.sends).toBe(1);
      expect(resumed.exit).toBe(3);
      expect(payroll.statuses('november')).toEqual(['P002 paid', 'P001 refused']);
      expect(payroll.results('november')[1]?.['payrun_reason']).toContain('refused by the provider');
      expect(sendsOf(service, reference())).toBe(3);
      await expectPaidOnce(service, rows.slice(0, 1));
    });
  },
);

/** P001: its first send is lost, its second refused, and from then on a look-up shows the payout of P002 alone. */
async function openCase(dedupe: Dedupe) {
  const service = await watchService(await startPayrollService(dedupe));
  const payroll = openPayroll(service);
  const rows = [employee(2), employee(1)];
  await enrolStaff(service, rows);
  let reference: string | undefined;
  let others = '';
  let sends = 0;
  service.interfere((call) => {
    if (isPayout(call) && (JSON.parse(call.body) as { amount: number }).amount === 1001) {
      reference = call.reference;
      sends += 1;
      return sends === 1 ? { kind: 'lose-request' } : refused;
    }
    if (!isLookUp(call)) return undefined;
    if (call.reference === reference && sends === 2) return { kind: 'change', reply: () => others };
    return { kind: 'change', reply: (text) => keepIfFound(text) };
  });
  return { service, payroll, rows, file: payroll.write('november.csv', rows), reference: () => reference };

  function keepIfFound(text: string): string {
    if ((JSON.parse(text) as { data: unknown[] }).data.length > 0) others = text;
    return text;
  }
}

async function releaseLost(payroll: Payroll): Promise<void> {
  await payroll.decide('november', (run) => ({
    choice: { kind: 'named', ids: ['P001'] },
    rule: (payout) => release(payout, 'named', run, 'the provider is up again'),
    repeats: undefined,
  }));
}

function sendsOf(service: WatchedService, reference: string | undefined): number {
  return service.payoutCalls().filter((call) => call.reference === reference).length;
}

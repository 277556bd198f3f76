import { describe, expect, test } from 'vitest';
import { release } from '../../../src/decisions/release.ts';
import type { RunEvent } from '../../../src/pipeline/run/run-events.ts';
import { expectPaidOnce } from '../../support/paid-once.ts';
import { employee, enrolStaff, openPayroll, phoneOf, staff } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

describe.each(dedupeModes)(
  'one external account that the service names for several payees at once, with dedupe %s',
  (dedupe) => {
    test('stands for the one it was made for; the others are held, and once released paid to their own', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(3);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      let first: string | undefined;
      service.interfere(({ method, path }) => {
        if (method !== 'POST' || path !== '/external-accounts') return undefined;
        const reply = (text: string) => {
          first ??= text;
          return first;
        };
        return { kind: 'change', reply };
      });

      for (const ran of [await payroll.run(file), await payroll.run(file)]) {
        expect(ran).toMatchObject({ exit: 3, code: '', summary: { stopped: undefined } });
        expect(ran.summary?.statuses).toMatchObject({ paid: 1, held: 2 });
      }

      const held = payroll.results('november').filter((row) => row['payrun_status'] === 'held');
      for (const { payrun_reason: reason } of held)
        expect(reason).toContain('already stands for another payee');
      const ids = held.map((row) => row['paymentId'] ?? '');
      await expectPaidOnce(
        service,
        rows.filter(({ paymentId = '' }) => !ids.includes(paymentId)),
      );
      await payroll.decide('november', (run) => ({
        choice: { kind: 'named', ids },
        rule: (payout) => release(payout, 'named', run, 'the service has mended it'),
        repeats: undefined,
      }));
      service.interfere();
      expect((await payroll.resume('november')).exit).toBe(0);
      await expectPaidOnce(service, rows);
    });

    test.each([
      ['has it as another payee’s', "'KE:momo:+254700999999', NULL", 'already stands for another payee'],
      ['wants it at another operator', "payouts.payee, 'airtel'", 'was changed'],
    ])('is held where another batch %s by the time that it is saved', async (_, taken, why) => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(2);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      const kept = 'SELECT payee, wanted_operator FROM payees WHERE external_account_id = ?';
      let claimed: unknown;
      let made = '';
      const elsewhere = `INSERT INTO payees
          (environment, currency, external_account_id, wanted_branch, payee, wanted_operator)
        SELECT environment, 'KES', ?, '', ${taken} FROM batches JOIN payouts ON payouts.batch = batches.id
        WHERE payouts.key = 'P001'`;
      // The other batch has it before the answer is here.
      const takeIt = async () => {
        await expect
          .poll(async () => {
            const { data } = (await service.caller.get('/external-accounts')).body;
            made = (data as { externalAccountId: string }[])[0]?.externalAccountId ?? '';
            return made;
          })
          .not.toBe('');
        await payroll.ask((db) => db.prepare(elsewhere).run(made));
        claimed = await payroll.ask((db) => db.prepare(kept).all(made));
      };
      let isTaken = false;
      service.interfere(({ method, path }) => {
        if (method !== 'POST' || path !== '/external-accounts' || isTaken) return undefined;
        isTaken = true;
        return { kind: 'answer-later', until: takeIt() };
      });
      const ran = await payroll.run(file, { settings: { concurrency: 1, timeoutMs: 20_000 } });

      expect(ran.exit).toBe(3);
      expect(payroll.statuses('november')).toEqual(['P001 held', 'P002 paid']);
      expect(payroll.results('november')[0]?.['payrun_reason']).toContain(why);
      expect(await payroll.ask((db) => db.prepare(kept).all(made))).toEqual(claimed);
      await expectPaidOnce(service, rows.slice(1));
    });

    test('is not paid where an interrupt came before it was read back, and no list shows it', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(1);
      await enrolStaff(service, rows);
      const file = payroll.write('november.csv', rows);
      const stop = new AbortController();
      const stranger = { success: true, message: 'External account created.', data: { id: 'STRANGER' } };
      const isMaking = ({ method, path }: { method: string; path: string }) =>
        method === 'POST' && path === '/external-accounts';
      service.interfere((call) =>
        isMaking(call) ? { kind: 'answer', status: 200, body: stranger } : undefined,
      );
      const onEvent = (event: RunEvent) => {
        if (event.kind === 'stage' && event.stage === 'payees') stop.abort();
      };
      expect((await payroll.run(file, { signal: stop.signal, onEvent })).exit).not.toBe(0);

      service.interfere((call) => (isMaking(call) ? { kind: 'answer', status: 500, body: {} } : undefined));
      expect((await payroll.resume('november')).exit).not.toBe(0);
      expect(service.payoutCalls()).toEqual([]);

      service.interfere();
      expect((await payroll.resume('november')).exit).toBe(0);
      await expectPaidOnce(service, rows);
    });

    test.each([
      ['shows', 'once it was named'],
      ['does not show', 'at all'],
    ])(
      'leads nobody’s money astray where the wrong one is answered first and the list %s it %s',
      async (shows) => {
        const service = await watchService(await startPayrollService(dedupe));
        const payroll = openPayroll(service);
        const rows = [employee(2), employee(1)];
        await enrolStaff(service, rows);
        const { body } = await service.caller.post('/external-accounts', {
          country: 'KE',
          currency: 'KES',
          type: 'momo',
          payload: { firstName: 'A', lastName: 'B', phoneNumber: phoneOf(1), destination: 'MoMo' },
        });
        const answer = { success: true, message: 'External account created.', data: { id: body.data.id } };
        let isNamed = false;
        service.interfere(({ method, path }) => {
          if (!path.startsWith('/external-accounts')) return undefined;
          if (method === 'GET') {
            const isShown = isNamed && shows === 'shows';
            const empty = (text: string) => JSON.stringify({ ...JSON.parse(text), data: [] });
            return isShown ? undefined : { kind: 'change', reply: empty };
          }
          isNamed = true;
          return { kind: 'answer', status: 200, body: answer };
        });

        const ran = await payroll.run(payroll.write('november.csv', rows), { settings: { concurrency: 1 } });

        expect(ran.exit).toBe(3);
        expect(payroll.statuses('november')).toEqual(['P002 held', 'P001 held']);
        expect(await service.payouts()).toEqual([]);
      },
    );

    test('is noticed where only one payee was given it: what was made is read back before it is used', async () => {
      const service = await watchService(await startPayrollService(dedupe));
      const payroll = openPayroll(service);
      const rows = staff(2);
      await enrolStaff(service, rows);
      // The account was made, and another payee's number stands in it.
      service.interfere(({ method, path }) =>
        method === 'GET' && path.startsWith('/external-accounts')
          ? { kind: 'change', reply: (text) => text.replaceAll(phoneOf(2), phoneOf(7)) }
          : undefined,
      );

      const ran = await payroll.run(payroll.write('november.csv', rows));

      expect(ran.exit).toBe(3);
      expect(payroll.statuses('november')).toEqual(['P001 paid', 'P002 held']);
      expect(await service.sums()).toEqual([`${phoneOf(1)} 1001.00`]);
    });
  },
);

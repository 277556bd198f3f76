import { describe, expect, test } from 'vitest';
import { type Cells, enrolStaff, openPayroll } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const atBank = (bankCode: string, changes: Cells): Cells => ({
  accountName: 'Amina Otieno',
  country: 'KE',
  currency: 'KES',
  amount: '7000.00',
  accountNumber: '0123456789',
  bankCode,
  ...changes,
});

describe.each(dedupeModes)('one account number at two banks, with dedupe %s', (dedupe) => {
  test('is two payees, with an external account each, and each is paid at its own bank', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    const rows = [
      atBank('68', { paymentId: 'A', accountName: 'Amina Otieno', amount: '7000.00' }),
      atBank('01', { paymentId: 'B', accountName: 'Brian Mwangi', amount: '8000.00' }),
    ];
    await enrolStaff(service, rows);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    const accounts = payroll.results('november').map((row) => row['payrun_account']);
    expect(new Set(accounts).size).toBe(2);
    const seen = await service.payouts();
    expect(
      seen.map(({ bankCode, number, amount, accountName }) => [bankCode, number, amount, accountName]).sort(),
    ).toEqual([
      ['01', '0123456789', '8000.00', 'Brian Mwangi'],
      ['68', '0123456789', '7000.00', 'Amina Otieno'],
    ]);
    expect(await service.books()).toEqual([]);
  });

  test('is no duplicate even where the payee is the key, and the second bank’s account is never borrowed', async () => {
    const service = await startPayrollService(dedupe);
    const payroll = openPayroll(service);
    // The service already stores the number at the other bank.
    await service.caller.post('/external-accounts', {
      country: 'KE',
      currency: 'KES',
      type: 'bank',
      payload: {
        accountName: 'Brian Mwangi',
        accountNumber: '0123456789',
        code: '01',
        destination: 'Bank Account',
      },
    });
    const rows = [atBank('68', {}), atBank('11', { accountName: 'Cynthia Chebet', amount: '9000.00' })];
    await enrolStaff(service, rows);

    expect((await payroll.run(payroll.write('november.csv', rows))).exit).toBe(0);

    const stored = (await service.caller.get('/external-accounts')).body.data as {
      payoutMethod: { code: string };
    }[];
    expect(stored.map(({ payoutMethod }) => payoutMethod.code).sort()).toEqual(['01', '11', '68']);
    const seen = (await service.payouts()).map(({ bankCode, amount }) => `${bankCode} ${amount}`);
    expect(seen.sort()).toEqual(['11 9000.00', '68 7000.00']);
    expect(await service.books()).toEqual([]);
  });
});

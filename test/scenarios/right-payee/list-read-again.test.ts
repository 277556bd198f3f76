import { describe, expect, test } from 'vitest';
import { employee, enrolStaff, openPayroll, phoneOf } from '../../support/pay-run.ts';
import { dedupeModesOf, startPayrollService } from '../../support/payroll-service.ts';
import { type SeenCall, watchService } from '../../support/watched-service.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

interface Shown {
  readonly externalAccountId: string;
  readonly payoutMethod: Readonly<Record<string, string>>;
}

const accounts = '/external-accounts';
const isList = ({ method, path }: SeenCall) => method === 'GET' && path === accounts;
const isMaking = ({ method, path }: SeenCall) => method === 'POST' && path === accounts;

function listWith(change: (shown: readonly Shown[]) => readonly Shown[]) {
  return {
    kind: 'change' as const,
    reply: (text: string) => {
      const body = JSON.parse(text) as { data: Shown[] };
      return JSON.stringify({ ...body, data: change(body.data) });
    },
  };
}

describe.each(dedupeModes)('a list that is read again, with dedupe %s', (dedupe) => {
  /** Two whose accounts cannot be made make a run read the list again, twice; then comes one who has an account. */
  async function readAgain(lists: readonly ((own: Shown) => readonly Shown[])[]) {
    const service = await watchService(await startPayrollService(dedupe));
    const payroll = openPayroll(service);
    const rows = [employee(2), employee(3), { ...employee(1), amount: '77.00' }];
    await enrolStaff(service, [...rows, employee(9)]);
    const oneByOne = { settings: { concurrency: 1, settleForMs: 300 } };
    expect((await payroll.run(payroll.write('october.csv', [employee(1)]), oneByOne)).exit).toBe(0);
    const own = payroll.results('october')[0]?.['payrun_account'];
    let isMade = false;
    let reads = 0;
    service.interfere((call) => {
      if (isMaking(call)) isMade = true;
      if (isMaking(call)) return { kind: 'lose-request' };
      if (!isList(call) || !isMade) return undefined;
      const list = lists[Math.min(reads, lists.length - 1)];
      reads += 1;
      return listWith((shown) =>
        shown.flatMap((each) => (each.externalAccountId === own ? (list?.(each) ?? []) : [each])),
      );
    });
    const sent = service.payoutCalls().length;
    await payroll.run(payroll.write('november.csv', rows), oneByOne);
    expect(reads).toBeGreaterThanOrEqual(lists.length);
    return { row: payroll.results('november')[2], sends: service.payoutCalls().length - sent };
  }

  const moved = (own: Shown): Shown => ({
    ...own,
    payoutMethod: { ...own.payoutMethod, accountNumber: phoneOf(9) },
  });

  test.each([
    ['moved to another number', (own: Shown) => [moved(own)]],
    ['listed with two numbers', (own: Shown) => [own, moved(own)]],
  ])('and shows an account %s: it is nobody’s, though the next list leaves it out', async (_, second) => {
    const { row, sends } = await readAgain([second, () => []]);
    expect(row).toMatchObject({ payrun_status: 'held' });
    expect(sends).toBe(0);
  });

  test('and shows an account as it was: it is paid, though the next list leaves it out', async () => {
    const { row, sends } = await readAgain([(own) => [own], () => []]);
    expect(row).toMatchObject({ payrun_status: 'paid' });
    expect(sends).toBe(1);
  });
});

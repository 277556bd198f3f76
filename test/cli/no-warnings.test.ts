import { expect, test } from 'vitest';
import { openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { watchService } from '../support/watched-service.ts';

test('thirty-two calls at once that are told to slow down bring no warning of Node to the terminal', async () => {
  const service = await watchService(await startPayrollService());
  const payroll = openPayroll(service);
  payroll.write('november.csv', staff(32));
  // The first call about each payee is refused: all of them wait for their turn together.
  const refused = new Set<string>();
  service.interfere((call) => {
    if (!call.path.startsWith('/utilities/account/resolve') || refused.has(call.body)) return undefined;
    refused.add(call.body);
    return { kind: 'answer', status: 429, body: {} };
  });

  // Nobody confirms the total, so that it ends once the names are known.
  const ran = await payroll.payrun(['run', 'november.csv', '--concurrency', '32']);

  expect(refused.size).toBe(32);
  expect(ran.stderr).not.toContain('Warning');
  expect(ran.stderr).not.toContain('node:');
  expect(ran.exit).toBe(6);
  expect(service.payoutCalls()).toEqual([]);
});

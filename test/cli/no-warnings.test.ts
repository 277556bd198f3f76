import { expect, test } from 'vitest';
import { fastFlags, openPayroll, staff } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { watchService } from '../support/watched-service.ts';

test('thirty-two calls at once that are told to slow down bring no warning of Node to the terminal', async () => {
  const service = await watchService(await startPayrollService());
  const payroll = openPayroll(service);
  payroll.write('november.csv', staff(40));
  // All that are under way at once are refused, so that all of them wait for their turn together.
  let refused = 0;
  service.interfere((call) => {
    if (!call.path.startsWith('/utilities/account/resolve') || refused >= 32) return undefined;
    refused += 1;
    return { kind: 'answer', status: 429, body: {} };
  });

  const ran = await payroll.payrun([
    ...['run', 'november.csv', '--yes', '--max-total', 'KES=100000', '--concurrency', '32'],
    ...['--on-mismatch', 'pay', '--on-unchecked', 'pay', '--on-close', 'pay', ...fastFlags],
  ]);

  expect(refused).toBe(32);
  expect(ran.stderr).not.toContain('Warning');
  expect(ran.stderr).not.toContain('node:');
  expect(ran.exit).toBe(0);
});

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts';
import { type Dedupe, type PayrollService, speakTo } from './payroll-service.ts';
import { spawnPayrun } from './run-payrun.ts';

/** The embedded service as a process of its own, which lives on whatever becomes of payrun. It ends with its test. */
export async function spawnPayrollService(
  dedupe: Dedupe,
  flags: readonly string[] = [],
): Promise<PayrollService> {
  const child = spawnPayrun([
    'sandbox',
    '--json',
    '--port',
    '0',
    '--memory',
    '--settle-after',
    '50ms',
    ...flags,
  ]);
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(close);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const service = await speakTo({ ...(JSON.parse(line) as Omit<Sandbox, 'close'>), close }, dedupe);
  await service.faults('');
  return service;
}

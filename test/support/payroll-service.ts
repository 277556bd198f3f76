import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts';
import { drawnWithDedupe, isWholeWanted, nameOfFile, seedOfRun } from './drawn-tests.ts';
import { type Answer, callSandbox, type SandboxCaller } from './sandbox-caller.ts';
import { type SeenPayout, seenPayouts } from './seen-payout.ts';

/**
 * Whether the service refuses a reference that was used: every promise must hold either way, and each time in the one mode in
 * which nothing else would stop a second payment. In the other it comes where this file was drawn for it; over Postgres, where
 * the same scenarios come once more, only with PAYRUN_TEST_BOTH=1.
 */
export function dedupeModesOf(file: string): readonly Dedupe[] {
  const isOnPostgres = process.env['PAYRUN_TEST_STORE'] === 'postgres';
  const isWhole = process.env['PAYRUN_TEST_BOTH'] !== undefined || (!isOnPostgres && isWholeWanted());
  if (isWhole) return ['on', 'off'];
  return !isOnPostgres && drawnWithDedupe(seedOfRun()).includes(nameOfFile(file)) ? ['on', 'off'] : ['off'];
}

/** For what is about whom the money goes to, and not how often: the one mode in which nothing else would stop it. */
export const withoutDedupe = ['off'] as const;

export type Dedupe = 'on' | 'off';

export interface PayrollService extends Sandbox {
  /** Plain calls, for doing things behind payrun's back. */
  readonly caller: SandboxCaller;
  /** Below /_sandbox/. Throws where the sandbox does not do as told. */
  control(method: string, path: string, body?: unknown): Promise<Answer['body']>;
  /** Changes the faults; the chosen dedupe stays. */
  faults(plan: string, seed?: string): Promise<void>;
  enrol(people: readonly { number: string; name: string; bankCode?: string }[]): Promise<void>;
  /** Every payout that the service accepted, in the order in which it did. */
  payouts(): Promise<SeenPayout[]>;
  /** `+254712000001 1000.00` of every payout in a status, sorted. */
  sums(status?: string): Promise<string[]>;
  /** What is wrong with its books; nothing, if all is well. */
  books(): Promise<unknown[]>;
}

/** The embedded service in this process. It ends with its test. */
export async function startPayrollService(
  dedupe: Dedupe = 'on',
  options: SandboxOptions = {},
): Promise<PayrollService> {
  const sandbox = await startSandbox({ settleAfterMs: 50, returnAfterMs: 60_000, ...options });
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await sandbox.close();
  };
  onTestFinished(close);
  const service = await speakTo({ ...sandbox, close }, dedupe);
  await service.faults('');
  return service;
}

/** The same for a sandbox that was started elsewhere. */
export async function speakTo(sandbox: Sandbox, dedupe: Dedupe): Promise<PayrollService> {
  const caller = await callSandbox(sandbox);
  const control: PayrollService['control'] = async (method, path, body) => {
    const answer = await caller.control(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const payouts = async (): Promise<SeenPayout[]> => {
    const { data } = await control('GET', 'transactions');
    return seenPayouts(data as Record<string, string>[]);
  };
  return {
    ...sandbox,
    caller,
    control,
    async faults(plan, seed = '1') {
      const whole = [`dedupe=${dedupe}`, plan].filter((part) => part !== '').join(',');
      await control('PUT', 'faults', { plan: whole, seed });
    },
    enrol: (people) => control('POST', 'people', people),
    payouts,
    async sums(status = 'SUCCESSFUL') {
      const all = await payouts();
      return all
        .filter((each) => each.status === status)
        .map((each) => `${each.number} ${each.amount}`)
        .sort();
    },
    books: async () => (await control('GET', 'books')).findings as unknown[],
  };
}

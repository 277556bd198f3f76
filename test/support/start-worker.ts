import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { chunksToDo } from '../../src/journal/chunks.ts';
import { enrolStaff, openPayroll, type Payroll, staff } from './pay-run.ts';
import { startPayrollService } from './payroll-service.ts';
import { spawnPayrun } from './run-payrun.ts';
import { watchService } from './watched-service.ts';

export interface Worker {
  said(): string;
  /** Its lines, each with the time at which it came, by the clock of the calls. */
  readonly lines: readonly { readonly atMs: number; readonly text: string }[];
  kill(signal: NodeJS.Signals): Promise<boolean>;
  ended(): Promise<number | null>;
  started(): Promise<void>;
}

/** A worker as on a machine of its own. It ends with its test. */
export function startWorker(payroll: Payroll, ...flags: readonly string[]): Worker {
  const workspace = join(payroll.folder, `machine-${randomUUID()}`);
  const lines: { atMs: number; text: string }[] = [];
  const said = () => lines.map(({ text }) => text).join('');
  const child = readyWorkspace(payroll).then((ready) => {
    cpSync(ready, workspace, { recursive: true });
    const tuned = flags.includes('--timeout') ? [] : ['--timeout', '2s', '--quiet-period', '4s'];
    const words = ['worker', ...tuned, ...flags];
    const started = spawnPayrun(words, {
      cwd: payroll.folder,
      env: { ...payroll.env, PAYRUN_WORKSPACE: workspace },
    });
    started.stdin.end();
    started.stdout.resume();
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines.push({ atMs: performance.now(), text });
    });
    onTestFinished(() => void started.kill('SIGKILL'));
    return started;
  });
  return {
    said,
    lines,
    kill: async (signal) => (await child).kill(signal),
    ended: async () => {
      const one = await child;
      return one.exitCode ?? new Promise<number | null>((resolve) => one.once('exit', resolve));
    },
    started: () => expect.poll(said, { timeout: 60_000 }).toContain('Working for batches'),
  };
}

const readyWorkspaces = new WeakMap<Payroll, Promise<string>>();

/** Made once, as `init` makes it: all machines of a payroll have one like it. */
function readyWorkspace(payroll: Payroll): Promise<string> {
  const workspace = join(payroll.folder, 'machine');
  const known =
    readyWorkspaces.get(payroll) ??
    payroll.payrun(['init'], { PAYRUN_WORKSPACE: workspace }).then(() => workspace);
  readyWorkspaces.set(payroll, known);
  return known;
}

/** A service without dedupe behind a door, people whom it knows, and a journal for workers. */
export async function payrollFor(people: number) {
  const service = await watchService(await startPayrollService('off'));
  const payroll = openPayroll(service);
  const rows = staff(people);
  await enrolStaff(service, rows);
  await payroll.store.make();
  return { service, payroll, rows, file: payroll.write('november.csv', rows) };
}

export async function startWorkers(payroll: Payroll, count: number, ...flags: readonly string[]) {
  const workers = Array.from({ length: count }, () => startWorker(payroll, ...flags));
  for (const worker of workers) await worker.started();
  return workers;
}

export const saidBy = (workers: readonly Worker[]) => workers.map(({ said }) => said()).join('\n');

/** Nothing is left for workers. */
export async function untilDone(payroll: Payroll): Promise<void> {
  const left = () => payroll.ask((db) => [...chunksToDo(db)]);
  await expect.poll(left, { timeout: 120_000, interval: 1_000 }).toEqual([]);
}

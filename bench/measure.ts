import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LeanCounts, LeanOptions } from './lean-service.ts';
import { makePayroll } from './make-payroll.ts';
import { type ProgramName, programOf } from './programs.ts';
import { startQueue } from './queue-servers.ts';
import { buildShim, runProgram, type Used } from './run-program.ts';
import { startService } from './start-service.ts';

/** Under which conditions a program works. */
export interface Scene {
  readonly rows: number;
  readonly concurrency: number;
  readonly service: LeanOptions;
  readonly fsyncMs?: number;
  /** Until the summary is there. */
  readonly isOverOnceSaid?: boolean;
}

export interface Measured extends LeanCounts, Used {
  readonly rowsPerSecond: number;
}

/** Far from everybody whom a group pays. */
export const seedFrom = 9_000_000;

export function openBench() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-bench-'));
  const shim = buildShim(folder);
  let runs = 0;

  async function payroll(rows: number, from = 0): Promise<string> {
    const path = join(folder, `people-${from}-${rows}.csv`);
    if (!existsSync(path)) await makePayroll(path, rows, from);
    return path;
  }

  /** An empty folder for one run. */
  function makeFolder(): string {
    runs += 1;
    const own = join(folder, `run-${runs}`);
    mkdirSync(own);
    return own;
  }

  async function measure(name: ProgramName, scene: Scene): Promise<Measured> {
    const program = programOf(name);
    const own = makeFolder();
    const service = await startService(scene.service);
    const queue = program.queue && (await startQueue(program.queue, own));
    try {
      const { origin } = service;
      const { concurrency, isOverOnceSaid: isTold } = scene;
      const place = { file: await payroll(scene.rows), origin, concurrency, folder: own, isTold };
      for (const command of program.before?.(place, await payroll(2, seedFrom)) ?? [])
        runProgram(command, { folder: own, origin, shim });
      await service.counts();
      const { fsyncMs, isOverOnceSaid } = scene;
      const used = runProgram(program.command(place), {
        folder: own,
        origin,
        shim,
        fsyncMs,
        isOverOnceSaid,
        env: queue?.env,
      });
      const counts = await service.counts();
      if (program.pays && counts.payouts < scene.rows)
        throw new Error(`${name} paid ${counts.payouts} of ${scene.rows}`);
      return { ...counts, ...used, rowsPerSecond: scene.rows / (used.wallMs / 1000) };
    } finally {
      queue?.stop();
      service.stop();
      // A server that was told to stop may still write.
      rmSync(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  }

  const close = () => rmSync(folder, { recursive: true, force: true });
  return { measure, payroll, makeFolder, shim, close };
}

export type Bench = ReturnType<typeof openBench>;

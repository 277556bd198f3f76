import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, seedFrom } from './measure.ts';
import { batchCommand, initOf, payRun, programOf } from './programs.ts';
import type { BarResult } from './report.ts';
import { runProgram } from './run-program.ts';
import { startService } from './start-service.ts';

const concurrency = 32;
const left = 10;
const stoppedEarly = [5];
const iterate = fileURLToPath(new URL('./programs/iterate-journal.mjs', import.meta.url));

/**
 * What a file of a million rows takes against one of ten thousand, and what is left to do after it: one round, for it takes
 * long. The service goes down shortly before the end, so that ten payouts are left to a resume.
 */
export async function millionBars(bench: Bench, rows: number, fewRows: number): Promise<BarResult[]> {
  const bar = barOf(rows);
  const few = await bench.measure('payrun', { rows: fewRows, concurrency, service: {} });
  const readMany = await bench.measure('validate', { rows, concurrency, service: {} });
  const readFew = await bench.measure('validate', { rows: fewRows, concurrency, service: {} });
  const folder = bench.makeFolder();
  const service = await startService({ payoutsUntilDown: rows - left });
  try {
    const { origin } = service;
    const place = { file: await bench.payroll(rows), origin, concurrency, folder };
    const under = { folder, origin, shim: bench.shim };
    runProgram(initOf(place), under);
    runProgram(payRun({ ...place, file: await bench.payroll(2, seedFrom) }, 'earlier'), under);
    const run = runProgram(payRun(place, 'measured'), { ...under, mayEndWith: stoppedEarly });
    const { payoutTimesMs } = await service.counts();
    await service.up();

    const resumedMs = Date.now();
    runProgram(batchCommand('resume', place), { ...under, mayEndWith: [0, 4] });
    const { firstLookUpMs } = await service.counts();
    const read = runProgram(programOf('csv-parse').command(place), under);
    const results = runProgram(batchCommand('results', place), under);
    const journal = runProgram([iterate, join(folder, 'workspace', 'journal.db')], under);
    return [
      bar(`peak memory of run against ${fewRows} rows`, 1.4, run.peakKb / few.peakKb),
      bar(`peak memory of validate against ${fewRows} rows`, 1.4, readMany.peakKb / readFew.peakKb),
      bar('time a row, the last tenth against the first', 1.15, lastAgainstFirst(payoutTimesMs)),
      bar(
        'resume with 10 left: first look-up against reading the file',
        0.1,
        (firstLookUpMs - resumedMs) / read.wallMs,
      ),
      bar('results against iterating the journal', 2.5, results.wallMs / journal.wallMs),
    ];
  } finally {
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function barOf(rows: number) {
  return (what: string, atMost: number, value: number): BarResult => ({
    group: 'large',
    what,
    rows,
    rounds: 1,
    wanted: `at most ${atMost}`,
    isMet: value <= atMost,
    spread: { median: value, least: value, most: value },
  });
}

/** By when each thousandth payout came. */
function lastAgainstFirst(timesMs: readonly number[]): number {
  const tenth = Math.floor(timesMs.length / 10);
  const spent = (from: number) => (timesMs[from + tenth] ?? Number.NaN) - (timesMs[from] ?? Number.NaN);
  return spent(timesMs.length - 1 - tenth) / spent(0);
}

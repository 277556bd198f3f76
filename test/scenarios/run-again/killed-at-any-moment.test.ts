import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { seededChance } from '../../support/chance.ts';
import { expectPaidOnce, expectResultsAgree } from '../../support/paid-once.ts';
import { type Cells, employee, enrolStaff, openPayroll, type Payroll } from '../../support/pay-run.ts';
import { type Dedupe, dedupeModesOf } from '../../support/payroll-service.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import { spawnPayrollService } from '../../support/service-process.ts';

const dedupeModes = dedupeModesOf(import.meta.url);

const killsWanted = 20;
const rowsOfBatch = 16;
const mostRunsOfBatch = 40;

describe('kill -9', () => {
  test(`at any moment, ${killsWanted} times and more, and the same command again pays every row once`, async () => {
    // Both at once: most of the time goes into waiting for a process to start.
    await Promise.all(dedupeModes.map(killUntilDone));
  });
});

async function killUntilDone(dedupe: Dedupe): Promise<void> {
  const service = await spawnPayrollService(dedupe);
  const payroll = openPayroll(service);
  const chance = seededChance(dedupe === 'on' ? 20261112 : 20261128);
  await service.faults('latency=15ms,late-landing=0.1,late-by=400ms,on=createPayout');
  const paid: Cells[] = [];
  const results: Record<string, string>[] = [];
  let kills = 0;

  // As many batches as it takes: each is killed again and again until one run comes to its end by itself.
  for (let batch = 1; kills < killsWanted; batch += 1) {
    const rows = Array.from({ length: rowsOfBatch }, (_, index) => employee(batch * 100 + index));
    await enrolStaff(service, rows);
    payroll.write(`week${batch}.csv`, rows);
    let exit: number | null = null;
    for (let run = 0; exit !== 0; run += 1) {
      expect(run, 'runs of one batch').toBeLessThan(mostRunsOfBatch);
      exit = await runAndKill(payroll, `week${batch}.csv`, kills < killsWanted ? chance : undefined);
      if (exit === null) kills += 1;
    }
    paid.push(...rows);
    results.push(...payroll.results(`week${batch}`));
  }

  expect(kills).toBeGreaterThanOrEqual(killsWanted);
  await expectResultsAgree(service, results);
  await expectPaidOnce(service, paid);
}

/** Null when it was killed; else how it ended by itself. */
async function runAndKill(
  payroll: Payroll,
  file: string,
  chance: (() => number) | undefined,
): Promise<number | null> {
  const flags = [
    '--timeout',
    '300ms',
    '--quiet-period',
    '600ms',
    '--resends',
    '10',
    '--settle-for',
    '5s',
    '--rate',
    '40',
  ];
  await payroll.store.make();
  const child = spawnPayrun(['run', file, '--yes', '--max-total', 'KES=90000', ...flags], {
    cwd: payroll.folder,
    env: payroll.env,
  });
  child.stdin.end();
  child.stdout.resume();
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (chance) {
    // From the first line on, the work has begun. Some are killed while the program still loads.
    if (chance() > 0.1) await Promise.race([once(child.stderr, 'data'), ended]);
    await Promise.race([pause(chance() * 1_000), ended]);
    child.kill('SIGKILL');
  }
  const [exit] = await ended;
  if (exit !== null && exit !== 0 && exit !== 4 && exit !== 5) throw new Error(`exit ${exit}: ${complaint}`);
  return exit;
}

import type { InferredOptionTypes } from 'yargs';
import { systemClock } from '../../clock.ts';
import { type ExitCode, exitCode, worstExit } from '../../errors.ts';
import type { Payrun } from '../../index.ts';
import { batchCheckReport, batchListDocument, batchListReport } from '../../report/batch-list.ts';
import { statusDocument } from '../../report/status-document.ts';
import { statusReport } from '../../report/status-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { durationFlag } from '../flags/duration-flag.ts';
import { batchOrAll, jsonFlag, switchFlag, textFlag } from '../flags/flag-kinds.ts';
import { nextBatchCommand, runFileCommand } from '../flags/next-batch-command.ts';
import { usageError } from '../flags/usage-error.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, withPayrun } from '../setup/payrun-of.ts';
import { stopSignal } from '../terminal/interrupts.ts';
import { printText } from '../terminal/print.ts';
import { watchBatch } from '../terminal/watch-batch.ts';
import type { Command } from './command.ts';

const options = {
  ...workspaceFlags,
  watch: switchFlag('Show the batch again and again until it has ended, or Ctrl-C'),
  check: switchFlag('For monitors: exit 4 or 3 where a batch has not ended or needs a person, else 0'),
  'pending-for': textFlag('With --check: what has not ended counts only after this time, such as 24h'),
  json: jsonFlag,
};

type Flags = InferredOptionTypes<typeof options> & { batch: string | undefined };

export const statusCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', batchOrAll).options(options),
  handler: async (flags) => {
    const pendingForMs = pendingFor(flags);
    if (flags.watch && flags.batch === undefined)
      throw usageError('Say which batch to watch: payrun status BATCH --watch');
    if (flags.watch && (flags.json || flags.check))
      throw usageError('--watch goes with neither --json nor --check.');
    const opened = await payrunOf(flags);
    return withPayrun(opened, (payrun) => {
      const { batch } = flags;
      if (flags.check) return check(payrun, opened.word, pendingForMs, flags);
      if (batch === undefined) return showAll(payrun, opened.word, flags);
      return flags.watch ? watch(payrun, opened.word, batch) : showOne(payrun, opened.word, batch, flags);
    });
  },
};

function pendingFor(flags: Flags): number | undefined {
  if (flags['pending-for'] === undefined) return undefined;
  if (!flags.check) throw usageError('--pending-for goes with --check.');
  return durationFlag('--pending-for', flags['pending-for']);
}

/** Says with its own exit code what a run of the batch would have ended with. */
async function showOne(payrun: Payrun, word: string, batch: string, flags: Flags): Promise<void> {
  const status = await payrun.status(batch);
  const report = {
    ...status,
    command: (name: string, ...more: readonly string[]) => nextBatchCommand(name, batch, flags, ...more),
    runFile: runFileCommand(status.readWith, flags),
  };
  if (flags.json) await printText(jsonText(statusDocument(report)));
  else await printText(`${word}  ${report.environment}\n${statusReport(report)}`);
  process.exitCode = status.exit;
}

async function showAll(payrun: Payrun, word: string, flags: Flags): Promise<void> {
  const batches = await payrun.batches();
  const nowMs = systemClock.nowMs();
  if (flags.json) await printText(jsonText(batchListDocument(batches, nowMs)));
  else await printText(`${word}\n${batchListReport(batches, { nowMs, width: columns() })}`);
  const isPaidTwice = batches.some(({ paidTwice }) => paidTwice.length > 0);
  process.exitCode = isPaidTwice ? exitCode.someNotPaid : exitCode.ok;
}

/** The worst batch gives the exit code. */
async function check(
  payrun: Payrun,
  word: string,
  pendingForMs: number | undefined,
  flags: Flags,
): Promise<void> {
  const batches = await payrun.batches({ batch: flags.batch, pendingForMs });
  const nowMs = systemClock.nowMs();
  const exit = batches.reduce<ExitCode>((worst, batch) => worstExit(worst, batch.exit), exitCode.ok);
  if (flags.json) await printText(jsonText({ ...batchListDocument(batches, nowMs), exit }));
  else await printText(`${word}\n${batchCheckReport(batches, nowMs)}`);
  process.exitCode = exit;
}

async function watch(payrun: Payrun, word: string, batch: string): Promise<void> {
  const leave = new AbortController();
  void stopSignal().then(() => leave.abort());
  process.exitCode = await watchBatch({
    read: async () => (await payrun.batches({ batch }))[0],
    show: (listed) =>
      `${word}\n${batchListReport([listed], { nowMs: systemClock.nowMs(), width: columns() })}`,
    stdout: process.stdout,
    clock: systemClock,
    signal: leave.signal,
  });
}

function columns(): number {
  return process.stdout.columns ?? 110;
}

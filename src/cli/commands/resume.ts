import type { InferredOptionTypes } from 'yargs';
import { type ExitCode, exitCode, PayrunError, worstExit } from '../../errors.ts';
import type { ResumeOptions } from '../../index.ts';
import type { Log } from '../../logger.ts';
import { runDocument } from '../../report/run-document.ts';
import { runReport } from '../../report/run-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { logPath } from '../../workspace.ts';
import { amountFlags } from '../flags/amount-flags.ts';
import { listFlag, textFlag } from '../flags/flag-kinds.ts';
import { commandsAfterRun, commandToRebind } from '../flags/next-batch-command.ts';
import { deadlineFlag, runFlags, runSettings } from '../flags/run-flags.ts';
import { usageError } from '../flags/usage-error.ts';
import { workspaceFlags } from '../flags/workspace-flags.ts';
import { payrunOf, requireService, withPayrun } from '../setup/payrun-of.ts';
import { requireWorkspace } from '../setup/require-workspace.ts';
import { firstLine } from '../terminal/first-line.ts';
import { asInterrupted, watchInterrupts } from '../terminal/interrupts.ts';
import { printPieces, printText } from '../terminal/print.ts';
import { openProgress, toAll, withoutStages } from '../terminal/progress.ts';
import { sayNotice } from '../terminal/say-notice.ts';
import type { Command } from './command.ts';

const choices = ['hold'] as const;

/** A resume asks for nothing, so that it may only be stricter than what was confirmed. */
const options = {
  ...workspaceFlags,
  ...runFlags,
  'on-close': { choices, describe: 'Hold payouts if the name is nearly the account’s name' },
  'on-mismatch': { choices, describe: 'Hold payouts if the name is not the account’s name' },
  'on-unchecked': { choices, describe: 'Hold payouts if the service cannot check the name' },
  'limit-payout': listFlag('Also hold payouts above this: KES=100000'),
  'max-total': listFlag('Send no more than this over all runs: KES=2000000'),
  results: textFlag('Path of the results, if their folder is gone'),
};

type Flags = InferredOptionTypes<typeof options> & { batch: string | undefined };

export const resumeCommand: Command<Flags> = {
  builder: (yargs) => yargs.positional('batch', textFlag('Name of the batch')).options(options),
  handler: async (flags) => {
    const stricter = stricterOf(flags);
    const opened = await payrunOf(flags, runSettings(flags));
    const deadlineMs = deadlineFlag(flags);
    return withPayrun(opened, async (payrun) => {
      const all = flags.batch === undefined;
      const batches = flags.batch === undefined ? await payrun.unfinished() : [flags.batch];
      if (flags.batch !== undefined) await payrun.requireBatch(flags.batch);
      requireService(opened);
      if (batches.length === 0) return;
      requireWorkspace(opened, flags);
      firstLine(opened.word, flags).say();
      const { openLog } = await import('../../logger.ts');
      const progress = openProgress(flags, { stream: process.stderr, pulse: opened.pulse });
      const interrupts = watchInterrupts(deadlineMs, progress.say);
      const log = openLog(logPath(payrun.workspace), { command: 'resume' });
      let worst: ExitCode = exitCode.ok;
      try {
        for (const batch of batches) {
          if (interrupts.signal.aborted) break;
          const resume = async () => {
            progress.goOn();
            const summary = await payrun.resume(batch, {
              ...stricter,
              rebindCommand: commandToRebind(flags),
              onEvent: toAll(progress.onEvent, withoutStages(log.onEvent)),
              signal: interrupts.signal,
            });
            progress.pause();
            const { exit, statuses } = summary;
            log.end({ batch, exit: interrupts.exit() ?? exit, statuses });
            if (flags.json) await printPieces([`${jsonText(runDocument(summary))}\n`]);
            else if (!flags.quiet || summary.exit !== exitCode.ok)
              await printText(runReport(summary, commandsAfterRun(summary, flags, opened.config)));
            return summary.exit;
          };
          worst = worstExit(worst, await resumeOne(batch, resume, log, { all, json: flags.json }));
        }
        process.exitCode = interrupts.exit() ?? worst;
      } catch (error) {
        throw asInterrupted(error, interrupts);
      } finally {
        progress.close();
        interrupts.close();
        log.close();
      }
    });
  },
};

function stricterOf(flags: Flags): Pick<ResumeOptions, 'tighten' | 'maxTotal' | 'resultsPath'> {
  if (flags.results !== undefined && flags.batch === undefined)
    throw usageError('--results is of one batch: name it.');
  return {
    tighten: {
      onClose: flags['on-close'],
      onMismatch: flags['on-mismatch'],
      onUnchecked: flags['on-unchecked'],
      limitPayout: amountFlags('--limit-payout', flags['limit-payout']),
    },
    maxTotal: amountFlags('--max-total', flags['max-total']),
    resultsPath: flags.results,
  };
}

/**
 * Without a name all are gone through. What stops one of them is said and stops none of the others, unless the journal
 * itself cannot be written. One that another run holds is passed over: its end is that run's to tell.
 */
async function resumeOne(
  batch: string,
  resume: () => Promise<ExitCode>,
  log: Pick<Log, 'failed'>,
  { all, json }: { readonly all: boolean; readonly json: boolean },
): Promise<ExitCode> {
  try {
    return await resume();
  } catch (error) {
    log.failed(error, { batch });
    if (!all || !(error instanceof PayrunError) || error.code === 'journal-write-failed') throw error;
    const { code, message, exit } = error;
    const isLocked = exit === exitCode.locked;
    if (json) await printPieces([`${jsonText({ batch, error: { code, message, exit } })}\n`]);
    const what = isLocked ? 'Passed over batch' : 'Batch';
    sayNotice(`${what} ${batch}: ${message}`);
    return isLocked ? exitCode.ok : exit;
  }
}

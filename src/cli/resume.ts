import type { CommandModule } from 'yargs';
import { systemClock } from '../clock.ts';
import { type ExitCode, exitCode, PayrunError, worstExit } from '../errors.ts';
import { type BatchRecord, batchesToResume } from '../journal/batch-record.ts';
import { openLog } from '../logger.ts';
import { readProfile } from '../pipeline/inspect-service.ts';
import { resumeBatch } from '../pipeline/resume-batch.ts';
import { runDocument } from '../report/run-document.ts';
import { runReport } from '../report/run-report.ts';
import { jsonText } from '../report/terminal-text.ts';
import { logPath } from '../workspace.ts';
import { commandsAfterRun } from './commands-after-run.ts';
import { connect, environmentKind, environmentWord, noService } from './connect.ts';
import { durationFlag } from './duration-flag.ts';
import { watchInterrupts } from './interrupts.ts';
import { knownBatch, openKnownJournal } from './open-known-journal.ts';
import { operatorName } from './operator.ts';
import { printPieces, printText } from './print.ts';
import { progressListener, toAll } from './progress.ts';
import { type RunFlags, rateFlag, runSettings, tightened, withRunFlags } from './run-flags.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from './workspace-flags.ts';

interface Flags extends RunFlags, WorkspaceFlags {
  batch: string | undefined;
}

export const resumeCommand: CommandModule<object, Flags> = {
  command: 'resume [batch]',
  describe: 'Go on with a batch, or with all that are unfinished',
  builder: (yargs) =>
    withRunFlags(withWorkspaceFlags(yargs)).positional('batch', {
      type: 'string',
      describe: 'Name of the batch',
    }),
  handler: async (flags) => {
    const { db, workspace: path, config } = openKnownJournal(flags);
    const kind = environmentKind(flags.sandbox, config);
    if (kind === undefined) throw noService();
    const all = flags.batch === undefined;
    const batches = all ? batchesToResume(db, systemClock.nowMs()) : [knownBatch(db, flags.batch ?? '')];
    if (batches.length === 0) return void db.close();
    if (!flags.quiet) process.stderr.write(`${environmentWord[kind]}\n`);
    const deadlineMs = flags.deadline === undefined ? undefined : durationFlag('--deadline', flags.deadline);
    const interrupts = watchInterrupts(deadlineMs);
    const log = openLog(logPath(path), { command: 'resume' });
    const tuning = runSettings(flags, config, tightened({}, {}));
    const connection = await connect(flags.sandbox, path, config, {
      ...tuning,
      ratePerSecond: rateFlag(flags, config),
    });
    let worst: ExitCode = exitCode.ok;
    try {
      const { environment } = await readProfile(connection.service, connection.place);
      for (const batch of batches) {
        if (interrupts.signal.aborted) break;
        const exit = await resumeOne(
          batch,
          async () => {
            const summary = await resumeBatch(
              {
                db,
                workspace: path,
                clock: systemClock,
                service: connection.service,
                environment,
                settings: runSettings(flags, config, tightened(batch.policy, {})),
                operator: operatorName(),
                timeZone: config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
                onEvent: toAll(progressListener(flags), log.onEvent),
                signal: interrupts.signal,
              },
              batch,
            );
            if (flags.json) await printPieces([`${jsonText(runDocument(summary))}\n`]);
            else if (!flags.quiet || summary.exit !== exitCode.ok)
              await printText(runReport(summary, commandsAfterRun(summary.batch, flags)));
            return summary.exit;
          },
          all,
        );
        worst = worstExit(worst, exit);
      }
      process.exitCode = interrupts.exit() ?? worst;
    } finally {
      interrupts.close();
      log.close();
      await connection.close();
      db.close();
    }
  },
};

/** Without a name all are gone through: one that another run holds, or of another environment, is passed over. */
async function resumeOne(
  batch: BatchRecord,
  resume: () => Promise<ExitCode>,
  all: boolean,
): Promise<ExitCode> {
  try {
    return await resume();
  } catch (error) {
    const passed =
      error instanceof PayrunError && (error.exit === exitCode.locked || error.code === 'wrong-environment');
    if (!all || !passed) throw error;
    process.stderr.write(`Passed over batch ${batch.name}: ${error.message}\n`);
    return exitCode.ok;
  }
}

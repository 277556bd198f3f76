import { existsSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { environmentText } from '../../domain/environment/environment.ts';
import { ResultTally } from '../../domain/payout/result-tally.ts';
import { exitCode } from '../../errors.ts';
import { type BatchRecord, readBatch } from '../../journal/batch-record.ts';
import type { JournalDatabase } from '../../journal/open-journal.ts';
import { askPayouts } from '../../journal/payouts/payout-queries.ts';
import { openResultRows } from '../../journal/payouts/result-rows.ts';
import { askStatus, batchNames } from '../../journal/payouts/status-queries.ts';
import { exitOfBatch } from '../../pipeline/finish-run.ts';
import { batchListDocument, batchListReport } from '../../report/batch-list.ts';
import { statusDocument } from '../../report/status-document.ts';
import { type StatusReport, statusReport } from '../../report/status-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { nextBatchCommand } from '../flags/next-batch-command.ts';
import { runFileCommand } from '../flags/run-file-command.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { environmentWord } from '../setup/connect.ts';
import { type KnownJournal, knownBatch, openKnownJournal } from '../setup/open-known-journal.ts';
import { printText } from '../terminal/print.ts';

interface Flags extends WorkspaceFlags {
  batch: string | undefined;
  json: boolean;
}

export const statusCommand: CommandModule<object, Flags> = {
  command: 'status [batch]',
  describe: 'Show how far a batch has come, or all of them. No network',
  builder: (yargs) =>
    withWorkspaceFlags(
      yargs.positional('batch', { type: 'string', describe: 'Name of the batch; none: all of them' }),
    ).option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' }),
  handler: async (flags) => {
    const journal = openKnownJournal(flags);
    try {
      if (flags.batch === undefined) await showAll(journal, flags);
      else await showOne(journal, knownBatch(journal.db, flags.batch), flags);
    } finally {
      journal.db.close();
    }
  },
};

/** Says with its own exit code what a run of the batch would have ended with. */
async function showOne({ db, kind, config }: KnownJournal, batch: BatchRecord, flags: Flags): Promise<void> {
  const report = reportOf(db, batch, config.timezone, flags);
  if (flags.json) await printText(jsonText(statusDocument(report)));
  else await printText(`${environmentWord[kind]}  ${report.environment}\n${statusReport(report)}`);
  process.exitCode = exitOfBatch(report, report.paidTwice);
}

const unclearShown = 20;

function reportOf(
  db: JournalDatabase,
  batch: BatchRecord,
  timeZone: string | undefined,
  flags: Flags,
): StatusReport {
  // No run is under way here, so whatever was paid was paid before.
  const rows = openResultRows(db, batch.id, '');
  const tally = new ResultTally();
  for (const page of rows.pages()) for (const row of page) tally.add(row);
  const questions = askStatus(db, batch.id);
  return {
    ...tally.sums,
    batch: batch.name,
    environment: environmentText(batch.environment),
    begunMs: batch.createdMs,
    lastSendMs: batch.lastSendMs,
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    resultsPath: existsSync(batch.resultsPath) ? batch.resultsPath : undefined,
    retryPath: Object.keys(rows.retryDigests()).find((path) => existsSync(path)),
    chainEnd: rows.chainEnd(),
    paidTwice: askPayouts(db, batch.id).paidTwice(),
    held: questions.heldGroups(),
    unclear: questions.unclear(unclearShown),
    command: (name, ...more) => nextBatchCommand(name, batch.name, flags, ...more),
    runFile: runFileCommand(db, batch.name, flags),
  };
}

async function showAll({ db, kind }: KnownJournal, flags: Flags): Promise<void> {
  const batches = batchNames(db)
    .map((name) => readBatch(db, name))
    .filter((batch) => batch !== undefined)
    .map(({ id, name, environment }) => ({
      name,
      environment: environmentText(environment),
      payouts: askPayouts(db, id).statuses(),
      invalidRows: askStatus(db, id).invalidRows(),
      watched: askPayouts(db, id).watchedCount(),
      paidTwice: askPayouts(db, id).paidTwice(),
    }));
  if (flags.json) await printText(jsonText(batchListDocument(batches)));
  else await printText(`${environmentWord[kind]}\n${batchListReport(batches)}`);
  const isPaidTwice = batches.some(({ paidTwice }) => paidTwice.length > 0);
  process.exitCode = isPaidTwice ? exitCode.someNotPaid : exitCode.ok;
}

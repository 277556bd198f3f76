import type { CommandModule } from 'yargs';
import { auditResults } from '../../audit/audit-results.ts';
import { type AuditedSum, auditService } from '../../audit/audit-service.ts';
import { systemClock } from '../../clock.ts';
import { otherEnvironment } from '../../domain/environment/other-environment.ts';
import { AuditFindings } from '../../domain/payout/audit-findings.ts';
import { exitCode, PayrunError } from '../../errors.ts';
import { type BatchRecord, readBatch } from '../../journal/batch-record.ts';
import { createJournal } from '../../journal/journal.ts';
import { auditJournal } from '../../journal/payouts/audit-journal.ts';
import { openPayoutLog } from '../../journal/payouts/payout-log.ts';
import { askPayouts } from '../../journal/payouts/payout-queries.ts';
import { openResultRows } from '../../journal/payouts/result-rows.ts';
import { batchNames } from '../../journal/payouts/status-queries.ts';
import { refuseOtherEnvironment } from '../../pipeline/environment/refuse-other-environment.ts';
import { readProfile } from '../../pipeline/plan/inspect-service.ts';
import { auditDocument, auditReport } from '../../report/audit-report.ts';
import { jsonText } from '../../report/terminal-text.ts';
import { commandToRebind } from '../flags/command-to-rebind.ts';
import { refuseRepeated } from '../flags/refuse-repeated-flags.ts';
import { type WorkspaceFlags, withWorkspaceFlags } from '../flags/workspace-flags.ts';
import { connect, environmentWord } from '../setup/connect.ts';
import { type KnownJournal, knownBatch, openKnownJournal } from '../setup/open-known-journal.ts';
import { operatorName } from '../setup/operator.ts';
import { printText } from '../terminal/print.ts';

interface Flags extends WorkspaceFlags {
  batch: string | undefined;
  results: string | undefined;
  service: boolean;
  json: boolean;
}

export const auditCommand: CommandModule<object, Flags> = {
  command: 'audit [batch]',
  describe: 'Verify the journal; with --results a file of it, with --service every payout',
  builder: (yargs) =>
    withWorkspaceFlags(
      yargs.positional('batch', { type: 'string', describe: 'Name of the batch; none: all of them' }),
    )
      .option('results', { type: 'string', describe: 'Whether this results file is what the journal says' })
      .option('service', {
        type: 'boolean',
        default: false,
        describe: 'Compare every payout with what the service holds',
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' }),
  handler: async (flags) => {
    refuseRepeated(flags, 'results');
    const opened = openKnownJournal(flags);
    try {
      const batches = chosenBatches(opened, flags);
      const findings = new AuditFindings();
      const journal = auditJournal(opened.db, batches, findings);
      const results = await auditFile(opened, batches, flags, findings);
      const sums = flags.service ? await askService(opened, batches, flags, findings) : undefined;
      const audit = {
        batches: batches.map(({ name }) => name),
        journal,
        results,
        sums,
        count: findings.count,
        findings: findings.worstFirst(),
      };
      const exit = findings.count === 0 ? exitCode.ok : exitCode.someNotPaid;
      if (flags.json) await printText(jsonText(auditDocument(audit, exit)));
      else await printText(`${environmentWord[opened.kind]}\n${auditReport(audit)}`);
      process.exitCode = exit;
    } finally {
      opened.db.close();
    }
  },
};

function chosenBatches({ db }: KnownJournal, flags: Flags): BatchRecord[] {
  if (flags.batch !== undefined) return [knownBatch(db, flags.batch)];
  if (flags.results !== undefined) {
    throw new PayrunError(
      'usage',
      exitCode.usage,
      'Say whose results these are: payrun audit BATCH --results FILE',
    );
  }
  return batchNames(db)
    .map((name) => readBatch(db, name))
    .filter((batch) => batch !== undefined);
}

async function auditFile(
  { db }: KnownJournal,
  [batch]: readonly BatchRecord[],
  { results: path }: Flags,
  findings: AuditFindings,
): Promise<{ path: string; rows: number } | undefined> {
  if (path === undefined || !batch) return undefined;
  const rows = openResultRows(db, batch.id, '');
  return { path, ...(await auditResults({ path, rows, log: openPayoutLog(db), findings })) };
}

async function askService(
  { db, workspace, config }: KnownJournal,
  batches: readonly BatchRecord[],
  flags: Flags,
  findings: AuditFindings,
): Promise<AuditedSum[]> {
  const concurrency = config.concurrency ?? 8;
  const connection = await connect(flags.sandbox, workspace, config, {
    concurrency,
    ratePerSecond: config.rate,
  });
  try {
    const { environment } = await readProfile(connection.service, connection);
    const journal = createJournal(db, systemClock, { run: 'audit', operator: operatorName() });
    const sums: AuditedSum[] = [];
    for (const batch of batches) {
      // One that was named must be answerable; among all, those of another account are passed over, and said.
      if (flags.batch !== undefined) refuseOtherEnvironment(batch, environment, commandToRebind(flags));
      const other = otherEnvironment(batch, environment, commandToRebind(flags));
      if (other !== undefined) {
        findings.add('not-checked', other);
        continue;
      }
      const payouts = askPayouts(db, batch.id);
      const parts = {
        service: connection.service,
        payouts,
        batch,
        concurrency,
        findings,
        readPayout: journal.read,
      };
      sums.push(...(await auditService(parts)));
    }
    return sums;
  } finally {
    await connection.close();
  }
}

import { auditResults } from '../audit/audit-results.ts';
import { type AuditedSum, auditService } from '../audit/audit-service.ts';
import type { Environment } from '../domain/environment/environment.ts';
import { otherEnvironment, type RebindCommand } from '../domain/environment/other-environment.ts';
import { AuditFindings } from '../domain/payout/audit-findings.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { auditJournal } from '../journal/payouts/audit-journal.ts';
import { openPayoutLog } from '../journal/payouts/payout-log.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { openResultRows } from '../journal/payouts/result-rows.ts';
import { refuseOtherEnvironment } from '../pipeline/environment/refuse-other-environment.ts';
import type { Audit } from '../report/audit-report.ts';
import type { Service } from '../service/client.ts';

export interface AuditParts {
  readonly db: JournalDatabase;
  readonly journal: Journal;
  readonly concurrency: number;
  /** A results file of the one batch. */
  readonly results: string | undefined;
  /** Undefined where the service is not asked. */
  readonly account: { readonly service: Service; readonly environment: Environment } | undefined;
  /** The one batch was named: then it must be answerable. */
  readonly isNamed: boolean;
  readonly rebindCommand: RebindCommand | undefined;
}

/** Journal, results and service held against each other. Changes nothing anywhere. */
export async function auditBatches(parts: AuditParts, batches: readonly BatchRecord[]): Promise<Audit> {
  const { db, results: path, account } = parts;
  const findings = new AuditFindings();
  const journal = auditJournal(db, batches, findings);
  const [batch] = batches;
  const rows = batch && path !== undefined ? openResultRows(db, batch.id, '') : undefined;
  const results =
    rows && path !== undefined
      ? { path, ...(await auditResults({ path, rows, log: openPayoutLog(db), findings })) }
      : undefined;
  const sums: AuditedSum[] = [];
  for (const each of account ? batches : []) sums.push(...(await askAbout(parts, each, findings)));
  return {
    batches: batches.map(({ name }) => name),
    journal,
    results,
    sums: account ? sums : undefined,
    count: findings.count,
    findings: findings.worstFirst(),
  };
}

/** One that was named must be answerable; among all, those of another account are passed over, and said. */
async function askAbout(
  { db, journal, concurrency, account, isNamed, rebindCommand }: AuditParts,
  batch: BatchRecord,
  findings: AuditFindings,
): Promise<AuditedSum[]> {
  if (!account) return [];
  const { service, environment } = account;
  if (isNamed) refuseOtherEnvironment(batch, environment, rebindCommand);
  const other = otherEnvironment(batch, environment, rebindCommand);
  if (other !== undefined) {
    findings.add('not-checked', other);
    return [];
  }
  const payouts = payoutQueries(db, batch.id);
  return auditService({ service, payouts, batch, concurrency, findings, readPayout: journal.read });
}

import type { Writable } from 'node:stream';
import type { Environment } from '../domain/environment/environment.ts';
import type { RebindCommand } from '../domain/environment/other-environment.ts';
import type { RememberedNames } from '../journal/released-names.ts';
import type { PlacedReport } from '../pipeline/results/place-report.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';
import type { Audit } from '../report/audit-report.ts';
import type { ListedBatch } from '../report/batch-list.ts';
import type { LogOfBatch } from '../report/log-report.ts';
import type { BatchStatus } from './batch-status.ts';
import type { OpenWorkspace } from './open-workspace.ts';
import type { BatchListOptions } from './payrun-options.ts';

/** What was done, from the journal; an audit may ask the service too. */
export function lookingBack(opened: OpenWorkspace) {
  const { workspace, settings, clock, operator, known, account, batchOf } = opened;
  return {
    /** All batches, the newest first, or a named one, by counts alone. Asks no service. */
    async batches(given: BatchListOptions = {}): Promise<ListedBatch[]> {
      const { listBatches } = await import('./batch-status.ts');
      const { allBatches } = await import('../journal/batch-record.ts');
      const db = await known();
      const batches = given.batch === undefined ? allBatches(db) : [(await batchOf(given.batch)).batch];
      return listBatches(db, batches, clock.nowMs(), given.pendingForMs);
    },

    /** How far a batch has come. Asks no service. */
    async status(batch: string): Promise<BatchStatus> {
      const { statusOfBatch, workOnBatch } = await import('./batch-status.ts');
      const { db, batch: record } = await batchOf(batch);
      return { ...statusOfBatch(db, record, settings.timeZone), work: await workOnBatch(db, record.id) };
    },

    /** Who did what to a batch, or to one payment of it. Asks no service. The value lives until `close`. */
    async log(batch: string, payment?: string): Promise<LogOfBatch> {
      const { logOfBatch } = await import('./log-of-batch.ts');
      const { db, batch: record } = await batchOf(batch);
      return logOfBatch(db, record, payment, settings.timeZone);
    },

    /** Writes the results of a batch again, and says where; with `to` they go there and nothing is written to disk. */
    async results(
      batch: string,
      { to, onEvent = ignore }: { readonly to?: Writable; readonly onEvent?: OnEvent } = {},
    ): Promise<string> {
      const { printResults, writeResults } = await import('../pipeline/8-write-results.ts');
      const { openResultRows } = await import('../journal/payouts/result-rows.ts');
      const { lockBatchIn } = await import('../journal/batch-lock.ts');
      const { createJournal } = await import('../journal/journal.ts');
      const { db, batch: record } = await batchOf(batch);
      const rows = openResultRows(db, record.id, '');
      const { timeZone } = settings;
      if (to) {
        await printResults({ rows, timeZone }, to);
        return '';
      }
      const lock = await lockBatchIn({ db, workspace }, record.name, clock);
      try {
        const writing = createJournal(db, clock, { run: 'results', operator });
        return (await writeResults({ rows, journal: writing, timeZone, onEvent })).resultsPath;
      } finally {
        lock.release();
      }
    },

    /**
     * Writes a page about a batch beside its results, and says where. Asks no service: whether what looks like one is a sandbox that
     * runs by itself, the caller may know.
     */
    async report(
      batch: string,
      { isSandbox = () => false }: { readonly isSandbox?: (environment: Environment) => boolean } = {},
    ): Promise<PlacedReport> {
      const { reportBatch } = await import('./batch-report.ts');
      const { db, batch: record } = await batchOf(batch);
      const { timeZone, noticePercent } = settings;
      return reportBatch({ db, workspace, clock, operator, timeZone, noticePercent, isSandbox }, record);
    },

    /** The pairs of names that people released, which are not held again. */
    async names(): Promise<RememberedNames[]> {
      return (await import('../journal/released-names.ts')).rememberedNames(await known());
    },

    /** Forgets pairs of names by their ids: all of them, or none. */
    async forgetNames(ids: readonly string[], reason: string): Promise<RememberedNames[]> {
      const { forgetRemembered } = await import('./remembered-names.ts');
      return forgetRemembered({ db: await known(), clock, operator }, ids, reason);
    },

    /** Verifies the journal; a results file against it; every payout against the service. Changes nothing. */
    async audit(
      given: {
        readonly batch?: string | undefined;
        readonly results?: string | undefined;
        readonly service?: boolean | undefined;
        readonly rebindCommand?: RebindCommand | undefined;
      } = {},
    ): Promise<Audit> {
      const { auditBatches } = await import('./audit.ts');
      const { createJournal } = await import('../journal/journal.ts');
      const { allBatches } = await import('../journal/batch-record.ts');
      const { knownBatch } = await import('../journal/known-batch.ts');
      const db = await known();
      const batches = given.batch === undefined ? allBatches(db) : [knownBatch(db, given.batch)];
      return auditBatches(
        {
          db,
          journal: createJournal(db, clock, { run: 'audit', operator }),
          concurrency: settings.concurrency,
          results: given.results,
          account: given.service ? await account() : undefined,
          isNamed: given.batch !== undefined,
          rebindCommand: given.rebindCommand,
        },
        batches,
      );
    },
  };
}

const ignore: OnEvent = () => undefined;

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../clock.ts';
import { checkConfig } from '../config.ts';
import { readConfig } from '../config-file.ts';
import type { ReleaseScope } from '../decisions/release.ts';
import type { ApprovalPolicies } from '../domain/approval/approval-policy.ts';
import type { Environment, EnvironmentKind } from '../domain/environment/environment.ts';
import type { RebindCommand } from '../domain/environment/other-environment.ts';
import { PayrunError } from '../errors.ts';
import type { BatchRecord } from '../journal/batch-record.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import type { RememberedNames } from '../journal/released-names.ts';
import type { DraftedFile } from '../pipeline/draft/drafted-file.ts';
import type { Rebound } from '../pipeline/environment/rebind-batch.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { PlacedReport } from '../pipeline/results/place-report.ts';
import type { OnEvent } from '../pipeline/run/run-events.ts';
import type { Consent } from '../pipeline/run/run-options.ts';
import type { RunResult } from '../pipeline/run-batch.ts';
import type { Audit } from '../report/audit-report.ts';
import type { ListedBatch } from '../report/batch-list.ts';
import type { LogOfBatch } from '../report/log-report.ts';
import { journalPath, makeWorkspace, workspaceExists } from '../workspace.ts';
import type { BatchStatus } from './batch-status.ts';
import { type Connection, connect, kindOf } from './connect.ts';
import type { Decided } from './decisions.ts';
import { draftOptionsOf, type FileOptions, type PlanOptions, planOptionsOf } from './file-options.ts';
import type {
  BatchListOptions,
  Claim,
  DecideOptions,
  DecisionOptions,
  PayrunOptions,
  RepeatOptions,
  ResumeOptions,
  RunOptions,
} from './payrun-options.ts';
import type { ServiceByHand } from './service-by-hand.ts';
import { settingsFrom, settingsOfConfig } from './settings.ts';

/**
 * payrun in a workspace, with one service or none. Journal and service are opened by the first call that needs them and
 * let go by `close`.
 */
export function openPayrun(options: PayrunOptions) {
  const { service: choice, clock = systemClock, operator = 'library', pulse } = options;
  const workspace = resolve(options.workspace);
  const inside = workspaceExists(workspace) ? workspace : undefined;
  const config = options.config ?? checkConfig(readConfig(undefined, inside));
  const settings = settingsFrom(settingsOfConfig(config), options.settings ?? {});
  const kind: EnvironmentKind = choice === undefined ? 'live' : kindOf(choice);
  const path = journalPath(workspace, kind);
  const opened: JournalDatabase[] = [];
  let journal: JournalDatabase | undefined;
  let connection: Promise<Connection> | undefined;

  const keep = (db: JournalDatabase): JournalDatabase => {
    opened.push(db);
    return db;
  };
  const openAt = async (): Promise<JournalDatabase> => {
    const { openJournal } = await import('../journal/open-journal.ts');
    makeWorkspace(workspace);
    journal ??= keep(openJournal(path));
    return journal;
  };
  /** What looks back must not begin an empty memory. */
  const known = async (): Promise<JournalDatabase> => {
    if (!workspaceExists(workspace) || !existsSync(path)) throw noJournal(workspace, kind);
    return openAt();
  };
  /** A plan makes no journal: where there is none, it knows no earlier payments. */
  const remembered = async (): Promise<JournalDatabase> => (existsSync(path) ? openAt() : emptyJournal());
  const emptyJournal = async (): Promise<JournalDatabase> =>
    keep((await import('../journal/open-journal.ts')).openEmptyJournal());

  const connected = (): Promise<Connection> => {
    if (choice === undefined) throw noService();
    connection ??= connect(
      choice,
      workspaceExists(workspace) ? workspace : undefined,
      settings,
      clock,
      pulse,
    );
    return connection;
  };
  const account = async (): Promise<Connection & { readonly environment: Environment }> => {
    const { readProfile } = await import('../pipeline/plan/inspect-service.ts');
    const asked = await connected();
    const { environment } = await readProfile(asked.service, asked);
    return { ...asked, environment };
  };
  const batchOf = async (name: string): Promise<{ db: JournalDatabase; batch: BatchRecord }> => {
    const db = await known();
    const { knownBatch } = await import('../journal/known-batch.ts');
    return { db, batch: knownBatch(db, name) };
  };
  const repeatsOf = ({ allowRepeats = 0 }: RepeatOptions) => ({
    sinceMs: clock.nowMs() - settings.repeatWindowMs,
    allowed: allowRepeats,
    timeZone: settings.timeZone,
  });
  const policiesOf = async (db: JournalDatabase): Promise<ApprovalPolicies> => {
    const { readApprovalPolicy } = await import('../journal/approval-log.ts');
    const { policyOfConfig } = await import('../domain/approval/approval-policy.ts');
    return { now: policyOfConfig(config), before: readApprovalPolicy(db) };
  };
  const consentTo = async (
    db: JournalDatabase,
    { plan, approvals = [] }: RunOptions,
  ): Promise<Consent | undefined> => {
    const policies = await policiesOf(db);
    if (plan === undefined && !policies.now && !policies.before) return undefined;
    const { consentOf } = await import('./consent.ts');
    return consentOf({ db, nowMs: clock.nowMs, policies, plan, approvals });
  };
  const decisionParts = (db: JournalDatabase, { onEvent = ignore, resultsCommand }: DecisionOptions) => ({
    db,
    workspace,
    clock,
    operator,
    timeZone: settings.timeZone,
    onEvent,
    resultsCommand,
  });

  return {
    kind,
    settings,
    workspace,

    /** Makes the workspace and its journal; whether they were there already. */
    async init(): Promise<boolean> {
      const isThere = existsSync(path);
      await openAt();
      return isThere;
    },

    /** Every problem of a file at once. Asks no service and no journal. The value lives until `close`. */
    async validate(source: string | Readable, given: FileOptions = {}): Promise<DraftedFile> {
      const { draftFile } = await import('../pipeline/draft-file.ts');
      const drafting = draftOptionsOf(given, settings, clock.nowMs());
      const checking = { batchOtherwise: 'unnamed', isOnlyChecked: true };
      return draftFile(await emptyJournal(), source, Object.assign(drafting, checking));
    },

    /** Whether there is a journal that remembers earlier payments. */
    remembers: (): boolean => existsSync(path),

    /** What paying a file would do. Writes nothing. The value lives until `close`. */
    async plan(source: string | Readable, given: PlanOptions = {}): Promise<PlannedFile> {
      const { planFile } = await import('../pipeline/plan-file.ts');
      const asked = choice === undefined ? undefined : await connected();
      return planFile(await remembered(), source, asked, planOptionsOf(given, settings, clock.nowMs()));
    },

    /** Who has to approve a plan before it is paid: by the configuration, and by what the journal has seen of it. */
    approvalPolicies: async (): Promise<ApprovalPolicies> => policiesOf(await remembered()),

    /** Pays a file: every sound row exactly once. The same call after any failure carries on. */
    async run(source: string | Readable, given: RunOptions = {}): Promise<RunResult> {
      const { runBatch } = await import('../pipeline/run-batch.ts');
      if (choice !== 'sandbox' && !workspaceExists(workspace)) throw noWorkspace(workspace);
      const db = await openAt();
      const asked = await connected();
      const planning = planOptionsOf(given, settings, clock.nowMs());
      const consent = await consentTo(db, given);
      return runBatch({ ...asked, db, workspace, clock }, source, {
        ...planning,
        settings: { ...settings, policy: planning.policy },
        limits: { confirmTotal: given.confirmTotal ?? new Map(), maxTotal: given.maxTotal ?? new Map() },
        limitsNeeded: given.limitsNeeded ?? (given.confirm === undefined && kind !== 'sandbox'),
        isTyped: given.isTyped,
        resultsPath: given.resultsPath,
        consent,
        operator,
        confirmRebind: given.confirmRebind,
        confirm: given.confirm ?? (async () => true),
        onEvent: given.onEvent ?? ignore,
        signal: given.signal ?? never,
      });
    },

    /** Names of the batches that a resume has something to do for. */
    async unfinished(): Promise<string[]> {
      const { batchesToResume } = await import('../journal/batch-record.ts');
      return batchesToResume(await known(), clock.nowMs()).map(({ name }) => name);
    },

    /** Refuses a name that the journal does not know, with the one that was probably meant. */
    async requireBatch(batch: string): Promise<void> {
      await batchOf(batch);
    },

    /** Goes on with a batch. Asks for nothing: all that it may send was confirmed when it was accepted. */
    async resume(batch: string, given: ResumeOptions = {}): Promise<RunSummary> {
      const { resumeBatch } = await import('../pipeline/resume-batch.ts');
      const { db, batch: record } = await batchOf(batch);
      const { service, environment } = await account();
      const { onEvent = ignore, signal = never, ...stricter } = given;
      const { timeZone } = settings;
      const parts = { db, workspace, clock, service, environment, settings, operator, timeZone };
      return resumeBatch({ ...parts, ...stricter, onEvent, signal }, record);
    },

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
      const { statusOfBatch } = await import('./batch-status.ts');
      const { db, batch: record } = await batchOf(batch);
      return statusOfBatch(db, record, settings.timeZone);
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
      const { lockBatch } = await import('../journal/batch-lock.ts');
      const { createJournal } = await import('../journal/journal.ts');
      const { db, batch: record } = await batchOf(batch);
      const rows = openResultRows(db, record.id, '');
      const { timeZone } = settings;
      if (to) {
        await printResults({ rows, timeZone }, to);
        return '';
      }
      const lock = await lockBatch(workspace, record.name, clock);
      try {
        const writing = createJournal(db, clock, { run: 'results', operator });
        return (await writeResults({ rows, journal: writing, timeZone, onEvent })).resultsPath;
      } finally {
        lock.release();
      }
    },

    /** Writes a page about a batch beside its results, and says where. Asks no service. */
    async report(batch: string): Promise<PlacedReport> {
      const { reportBatch } = await import('./batch-report.ts');
      const { db, batch: record } = await batchOf(batch);
      const { timeZone, noticePercent } = settings;
      return reportBatch({ db, workspace, clock, operator, timeZone, noticePercent }, record);
    },

    /** Lets held payouts pass the check that holds them: named ones, or all of a verdict. */
    async release(
      batch: string,
      given: DecisionOptions &
        RepeatOptions & { readonly scope?: Exclude<ReleaseScope, 'named'> | undefined },
    ): Promise<Decided> {
      const { carryThrough, releaseDecision } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const decision = releaseDecision(given.payments, given.scope ?? 'all', given.reason, repeatsOf(given));
      const { releaseAlone } = await import('./decide-alone.ts');
      const alone = releaseAlone(await policiesOf(db), decision);
      return carryThrough(decisionParts(db, given), record, alone, 'released');
    },

    /** Drops payouts that were not sent: named ones, or all of them. */
    async cancel(batch: string, given: DecisionOptions): Promise<Decided> {
      const { cancelDecision, carryThrough } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const decision = cancelDecision(given.payments, given.reason);
      return carryThrough(decisionParts(db, given), record, decision, 'cancelled');
    },

    /** Brings failed and refused payouts back; returned and cancelled ones where they are named. */
    async retry(batch: string, given: DecisionOptions & RepeatOptions): Promise<Decided> {
      const { carryThrough, retryDecision } = await import('./decisions.ts');
      const { db, batch: record } = await batchOf(batch);
      const { refuseRetryAlone } = await import('./decide-alone.ts');
      refuseRetryAlone(await policiesOf(db), record.name);
      const decision = retryDecision(record, given.payments, given.reason, repeatsOf(given));
      return carryThrough(decisionParts(db, given), record, decision, 'brought back');
    },

    /** Says whether an unclear payout was paid, and by which transaction, or that a pending one never was. */
    async decide(batch: string, payment: string, claim: Claim, given: DecideOptions): Promise<Decided> {
      const { carryThrough, paidDecision } = await import('./decisions.ts');
      const { notPaidDecision } = await import('./not-paid-decision.ts');
      const { refuseOtherEnvironment } = await import('../pipeline/environment/refuse-other-environment.ts');
      const { db, batch: record } = await batchOf(batch);
      const parts = decisionParts(db, given);
      const asked = async () => {
        const now = await account();
        refuseOtherEnvironment(record, now.environment, given.rebindCommand);
        return now;
      };
      const decision =
        claim === 'not-paid'
          ? notPaidDecision(
              {
                ...parts,
                service: choice && (await connected()).service,
                account: async () => (await asked()).service,
                pendingForMs: given.pendingForMs ?? settings.pendingForMs,
                confirm: given.confirm ?? (async () => true),
              },
              record,
              payment,
              given.reason,
            )
          : paidDecision(parts, record, payment, claim.paid, given.reason, asked);
      return carryThrough(parts, record, decision, 'decided');
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

    /** Binds a batch to its account again, after a new e-mail, key or address, once all that was sent is found there. */
    async rebind(batch: string, reason: string): Promise<Rebound & { readonly environment: Environment }> {
      const { rebindBatch } = await import('../pipeline/environment/rebind-batch.ts');
      const { db, batch: record } = await batchOf(batch);
      const { service, environment } = await account();
      const { concurrency } = settings;
      const parts = { db, workspace, clock, service, environment, concurrency, operator };
      return { ...(await rebindBatch(parts, record.name, reason)), environment };
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

    /** The endpoints of the service, a call at a time: all but the one that pays. */
    async serviceByHand(): Promise<ServiceByHand> {
      const { serviceByHand } = await import('./service-by-hand.ts');
      return serviceByHand(await connected());
    },

    /** A server that takes webhooks of the service as hints which hasten a read. The caller listens with it. */
    async webhookListener(secret: string, counts: { hints: number; strange: number; refused: number }) {
      const { createWebhookListener } = await import('../listen/webhook-listener.ts');
      const { openWebhookHints } = await import('../journal/webhook-hints.ts');
      const { createJournal } = await import('../journal/journal.ts');
      const db = await known();
      const writing = createJournal(db, clock, { run: 'listen', operator });
      return createWebhookListener(secret, openWebhookHints(db, writing, clock), counts);
    },

    /** Lets journal and service go. */
    async close(): Promise<void> {
      await (await connection)?.close();
      for (const db of opened) db.close();
    },
  };
}

export type Payrun = ReturnType<typeof openPayrun>;

const ignore: OnEvent = () => undefined;
const never = new AbortController().signal;

function noJournal(workspace: string, kind: EnvironmentKind): PayrunError {
  return new PayrunError(
    'no-journal',
    `There is no journal in ${workspace}${kind === 'sandbox' ? ' for the embedded sandbox' : ': for the embedded sandbox add --sandbox'}. Is it another workspace? Name it with --workspace.`,
  );
}

function noWorkspace(workspace: string): PayrunError {
  return new PayrunError(
    'workspace-missing',
    `There is no workspace at ${workspace}, so payrun would not know what was paid before. If this is the first time, make it with: payrun init --workspace ${workspace}\nOtherwise name the right one with --workspace.`,
  );
}

function noService(): PayrunError {
  return new PayrunError('credentials-missing', 'No service was given.');
}

import type { Readable } from 'node:stream';
import type { ApprovalPolicies } from '../domain/approval/approval-policy.ts';
import type { Environment, EnvironmentKind } from '../domain/environment/environment.ts';
import { PayrunError } from '../errors.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import type { DraftedFile } from '../pipeline/draft/drafted-file.ts';
import type { Rebound } from '../pipeline/environment/rebind-batch.ts';
import type { RunSummary } from '../pipeline/finish-run.ts';
import type { PlannedFile } from '../pipeline/plan/planned-file.ts';
import type { Consent } from '../pipeline/run/run-options.ts';
import type { RunResult } from '../pipeline/run-batch.ts';
import { workspaceExists } from '../workspace.ts';
import { closeWhenDone } from './close-when-done.ts';
import { deciding } from './deciding.ts';
import { draftOptionsOf, type FileOptions, type PlanOptions, planOptionsOf } from './file-options.ts';
import { lookingBack } from './looking-back.ts';
import type { MovedJournal } from './move-to-postgres.ts';
import { openWorkspace } from './open-workspace.ts';
import type { PayrunOptions, ResumeOptions, RunOptions, WorkOptions } from './payrun-options.ts';
import type { ServiceByHand } from './service-by-hand.ts';
import { runSettingsOf } from './settings.ts';

/**
 * payrun in a workspace, with one service or none. Journal and service are opened by the first call that needs them and
 * let go by `close`.
 */
export function openPayrun(options: PayrunOptions) {
  const opened = openWorkspace(options);
  const { choice, clock, operator, workspace, settings, kind } = opened;
  const { openAt, known, remembered, emptyJournal, connected, account, batchOf, policiesOf } = opened;

  const consentTo = async (
    db: JournalDatabase,
    { plan, approvals = [] }: RunOptions,
  ): Promise<Consent | undefined> => {
    const policies = await policiesOf(db);
    if (plan === undefined && !policies.now && !policies.before) return undefined;
    const { consentOf } = await import('./consent.ts');
    return consentOf({ db, nowMs: clock.nowMs, policies, kind, plan, approvals });
  };
  const calls = {
    kind,
    settings,
    workspace,
    /** Where the journal stands, for people. */
    journalPlace: opened.journalPlace,

    /** Makes the workspace and its journal; whether they were there already. */
    async init(): Promise<boolean> {
      const isThere = await opened.remembers();
      await opened.makeAt();
      return isThere;
    },

    /**
     * Opens the journal, as whatever pays does: one in the workspace is made where there is none, a shared one is not. The
     * service is then connected to, and a token asked for, while the caller goes on.
     */
    async prepare(): Promise<void> {
      await openAt();
      if (choice === undefined) return;
      // What is wrong with it is told by the call that needs it.
      void connected().then(
        ({ service }) => service.beReady(),
        () => undefined,
      );
    },

    /** Every problem of a file at once. Asks no service and no journal. The value lives until `close`. */
    async validate(source: string | Readable, given: FileOptions = {}): Promise<DraftedFile> {
      const { draftFile } = await import('../pipeline/draft-file.ts');
      const drafting = draftOptionsOf(given, settings, clock.nowMs());
      const checking = { batchOtherwise: 'unnamed', isOnlyChecked: true };
      return draftFile(await emptyJournal(), source, Object.assign(drafting, checking));
    },

    /** Whether there is a journal that remembers earlier payments. */
    remembers: opened.remembers,

    /** What paying a file would do. Writes nothing. The value lives until the next run, plan or report, or `close`. */
    async plan(source: string | Readable, given: PlanOptions = {}): Promise<PlannedFile> {
      const { planFile } = await import('../pipeline/plan-file.ts');
      const asked = choice === undefined ? undefined : await connected();
      return planFile(await remembered(), source, asked, planOptionsOf(given, settings, clock.nowMs()));
    },

    /** Who has to approve a plan before it is paid: by the configuration, and by what the journal has seen of it. */
    approvalPolicies: async (): Promise<ApprovalPolicies> => policiesOf(await remembered()),

    /**
     * Pays a file: every sound row exactly once. The same call after any failure carries on. One after the other: while a run or
     * plan of this handle is under way, another is refused (`handle-busy`).
     */
    async run(source: string | Readable, given: RunOptions = {}): Promise<RunResult> {
      const { runBatch } = await import('../pipeline/run-batch.ts');
      if (choice !== 'sandbox' && !workspaceExists(workspace)) throw noWorkspace(workspace);
      const db = await openAt();
      const asked = await connected();
      const planning = planOptionsOf(given, settings, clock.nowMs());
      const consent = await consentTo(db, given);
      return runBatch({ ...asked, db, workspace, clock }, source, {
        ...planning,
        settings: runSettingsOf(settings, planning.policy),
        limits: { confirmTotal: given.confirmTotal ?? new Map(), maxTotal: given.maxTotal ?? new Map() },
        limitsNeeded: given.limitsNeeded ?? (given.confirm === undefined && kind !== 'sandbox'),
        isTyped: given.isTyped,
        resultsPath: given.resultsPath,
        consent,
        workers: sharedAlone(given.workers, kind, options.journalUrl),
        chunk: given.chunk,
        ratePerSecond: settings.ratePerSecond,
        operator,
        confirmRebind: given.confirmRebind,
        confirm: given.confirm ?? (async () => true),
        onEvent: given.onEvent ?? ignore,
        signal: given.signal ?? never,
        until: given.until,
      });
    },

    /** Works on batches that were left to workers, beside any number of others, until the signal ends it. */
    async work(given: WorkOptions = {}): Promise<void> {
      const { sharePace } = await import('./share-pace.ts');
      const { workForAll } = await import('./work-for-all.ts');
      const { openDesk } = await import('./shared-place.ts');
      if (options.journalUrl === undefined || kind === 'sandbox') throw notShared(kind);
      const db = await opened.knownToPay();
      const desk = await openDesk(kind, options.journalUrl);
      const paceShare = sharePace(desk, clock);
      try {
        await connected(paceShare);
        const { service, environment } = await account();
        const { onEvent = ignore, onWork = ignore, signal = never } = given;
        const { ratePerSecond } = settings;
        const keepRate = paceShare.keep;
        const parts = { db, desk, clock, service, environment, settings, ratePerSecond, keepRate, operator };
        await workForAll({ ...parts, onEvent, onWork, signal });
      } finally {
        paceShare.end();
        await desk.leave();
      }
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
      const { onEvent = ignore, signal = never, ...stricter } = given;
      const { service, environment } = await account(signal);
      const { timeZone } = settings;
      const parts = { db, workspace, clock, service, environment, settings, operator, timeZone };
      return resumeBatch({ ...parts, ...stricter, onEvent, signal }, record);
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

    ...lookingBack(opened),
    ...deciding(opened),

    /** Takes the journal of the workspace to Postgres; from then on it is used there alone. */
    async moveJournal(url: string): Promise<MovedJournal> {
      const { moveToPostgres } = await import('./move-to-postgres.ts');
      return moveToPostgres({ workspace, kind, clock }, url);
    },
  };
  return closeWhenDone(calls, opened.close);
}

export type Payrun = ReturnType<typeof openPayrun>;

const ignore = () => undefined;
const never = new AbortController().signal;

function sharedAlone(
  workers: RunOptions['workers'],
  kind: EnvironmentKind,
  url: string | undefined,
): RunOptions['workers'] {
  if (workers !== undefined && (url === undefined || kind === 'sandbox')) throw notShared(kind);
  return workers;
}

function notShared(kind: EnvironmentKind): PayrunError {
  return new PayrunError(
    'journal-not-shared',
    kind === 'sandbox'
      ? 'Workers need a service that all of them reach; the embedded one belongs to its process. Start one with: payrun sandbox'
      : 'Workers share a journal in Postgres. Set PAYRUN_JOURNAL_URL (docs/shared-journal.md).',
  );
}

function noWorkspace(workspace: string): PayrunError {
  return new PayrunError(
    'workspace-missing',
    `There is no workspace at ${workspace}, so payrun would not know what was paid before. If this is the first time, make it with: payrun init --workspace ${workspace}\nOtherwise name the right one with --workspace.`,
  );
}

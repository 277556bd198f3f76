import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { type Environment, environmentChanges, environmentKey } from '../domain/environment/environment.ts';
import { fileColumns } from '../domain/file-columns.ts';
import type { Bounds } from '../domain/money/bounds.ts';
import { showMoney } from '../domain/money/format-money.ts';
import { policyDocument } from '../domain/policy.ts';
import { counted } from '../domain/text/counted.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { type BatchLock, lockBatch } from '../journal/batch-lock.ts';
import { readBatch } from '../journal/batch-record.ts';
import { bindBatch } from '../journal/bind-batch.ts';
import { acceptDraft } from '../journal/draft/accept-draft.ts';
import { askJournal } from '../journal/draft/plan-queries.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { openPayeeBook } from '../journal/known-payees.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import { askPayouts } from '../journal/payouts/payout-queries.ts';
import { sentBesides, waitingForPerson } from '../journal/payouts/wallet-totals.ts';
import { keepReadWith } from '../journal/read-with.ts';
import type { Service } from '../service/client.ts';
import { checkResultsPath } from './8-write-results.ts';
import type { DraftedFile } from './draft-file.ts';
import { accountTaken } from './environment/ask-account.ts';
import { type RebindQuestion, withRebind } from './environment/rebind-at-run.ts';
import { reboundFor } from './environment/rebind-batch.ts';
import { finishRun, type RunSummary } from './finish-run.ts';
import { exposureOf, sentStates } from './guards/exposure.ts';
import { boundsOf, type LimitFacts, type Limits, limitGuards } from './guards/limits.ts';
import type { KeptNames } from './payee/cached-name.ts';
import { type AskedService, type PlanFileOptions, type PlannedFile, planFile } from './plan-file.ts';
import { chooseResultsPath } from './results/choose-results-path.ts';
import { openRun } from './run/open-run.ts';
import type { RunSettings } from './run/run-context.ts';
import type { OnEvent } from './run/run-events.ts';
import { workBatch } from './run-stages.ts';

export interface RunBatchOptions extends Omit<PlanFileOptions, 'checkNames' | 'keepNames'> {
  readonly settings: RunSettings;
  readonly limits: Limits;
  /** Every currency needs a limit: no terminal to ask at, and real money. */
  readonly limitsNeeded: boolean;
  /** What `confirm` asks for is typed by a person: it is confirmed with that. */
  readonly isTyped?: boolean | undefined;
  readonly resultsPath: string | undefined;
  readonly operator: string;
  /** Undefined where nobody can be asked whether another account is the batch's own. */
  readonly confirmRebind?: ((question: RebindQuestion) => Promise<boolean>) | undefined;
  /** Asked once everything that can refuse has not. False: nothing is accepted and nothing sent. */
  readonly confirm: (planned: PlannedFile) => Promise<boolean>;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal;
}

export interface RunBatchParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: Service;
  readonly place: string;
  readonly publicKey: string;
  readonly prepare?: AskedService['prepare'];
}

/** How a run ended: paid as far as it could be, or refused before anything was sent. */
export type RunResult =
  | { readonly kind: 'ran'; readonly summary: RunSummary; readonly planned: PlannedFile }
  | { readonly kind: 'refused'; readonly planned: PlannedFile };

/**
 * Pays a file. The order is the point: lock, draft, problems, guards, names, confirmation; only then is the draft
 * accepted into its batch, in one transaction that asks merge and repeats once more. A refused or declined draft
 * leaves nothing that a resume could send.
 */
export async function runBatch(
  parts: RunBatchParts,
  source: string | Readable,
  options: RunBatchOptions,
): Promise<RunResult> {
  const journal = createJournal(parts.db, parts.clock, { run: randomUUID(), operator: options.operator });
  let lock: BatchLock | undefined;
  let startedMonotonicMs = 0;
  let resultsPath = '';
  try {
    const planned = await planFile(parts.db, source, parts, {
      ...options,
      // Before anything is written at the service, whoever watches: one that repeats names would confirm our own.
      checkNames: true,
      namesMayWait: true,
      keepNames: (environment) => keepNames(parts, journal, environment, options.settings),
      beforeMerge: async (drafted) => {
        lock = await lockBatch(parts.workspace, drafted.batch.name, parts.clock);
        // Not before the lock is ours: until then another run may still have sent.
        startedMonotonicMs = parts.clock.monotonicMs();
        resultsPath = resultsPathOf(parts.db, drafted, source, options);
        await checkResultsPath(resultsPath, drafted.batch.name, parts.place);
      },
    }).catch(notAccepted);
    const { guarded: limited, bounds } = await withLimits(parts, planned, options);
    const { planned: guarded, isRebound } = await withRebind(parts, limited, options);
    if (guarded.exit !== exitCode.ok) return { kind: 'refused', planned: guarded };
    tellHeldNames(guarded, options.onEvent);
    if (!(await options.confirm(guarded))) throw declined();
    const acceptance = await accept(
      parts,
      journal,
      guarded,
      { bounds, resultsPath, isRebound },
      options,
    ).catch(notAccepted);
    const context = await openRun(
      {
        ...parts,
        ...options,
        settings: { ...options.settings, policy: guarded.policy },
        journal,
        startedMonotonicMs,
        lock: held(lock),
      },
      {
        id: acceptance.batch,
        name: guarded.plan.batch,
        keyKind: guarded.plan.keyKind,
        environment: accountOf(guarded.environment),
      },
    );
    const summary = await finishRun(parts.db, context, options.timeZone, () =>
      workBatch(context, { reread: false, bounds }),
    );
    return { kind: 'ran', summary, planned: guarded };
  } finally {
    lock?.release();
  }
}

function accountOf(environment: Environment | undefined): Environment {
  assert(environment, 'nothing is accepted without the account that pays it');
  return environment;
}

function keepNames(
  { db, clock }: RunBatchParts,
  journal: Journal,
  environment: Environment,
  { namesMaxAgeMs }: RunSettings,
): KeptNames {
  const book = openPayeeBook(db, journal, environment);
  return { book, save: book.saveName, clock, maxAgeMs: namesMaxAgeMs };
}

/** For the log of a run that nobody watches: what will be held, before anything is sent. */
function tellHeldNames({ view }: PlannedFile, onEvent: OnEvent): void {
  for (const { currency, rows, amountMinor } of view?.names?.held ?? []) {
    const message = `${showMoney(amountMinor, currency)} in ${counted(rows, 'payment')} will be held for their names.`;
    onEvent({ kind: 'notice', message });
  }
}

function held(lock: BatchLock | undefined): BatchLock {
  assert(lock, 'a batch is never worked on without its lock');
  return lock;
}

/** Beside the batch's first file, unless a person wants it elsewhere. */
function resultsPathOf(
  db: JournalDatabase,
  { batch }: DraftedFile,
  source: string | Readable,
  { resultsPath: given, onEvent }: RunBatchOptions,
): string {
  const known = readBatch(db, batch.name);
  if (known) return chooseResultsPath(known, given, onEvent);
  if (given !== undefined) return resolve(given);
  const folder = typeof source === 'string' ? dirname(resolve(source)) : resolve('.');
  return join(folder, `${batch.name}.results.csv`);
}

/** Holds the plan against what was and is allowed, and says what is confirmed with it. */
async function withLimits(
  { db, service }: RunBatchParts,
  planned: PlannedFile,
  { limits, limitsNeeded: needed, isTyped = false }: RunBatchOptions,
): Promise<{ guarded: PlannedFile; bounds: Bounds }> {
  if (planned.exit === exitCode.fileInvalid) return { guarded: planned, bounds: new Map() };
  const { plan } = planned;
  const id = plan.knownBatch?.id ?? -1;
  const confirmed = readBatch(db, plan.batch)?.bounds ?? new Map();
  const sent = askPayouts(db, id).totals(sentStates);
  const matters = (currency: string) =>
    needed || limits.maxTotal.has(currency) || confirmed.get(currency)?.mostMinor !== undefined;
  const facts: LimitFacts = {
    plan,
    sent,
    sentBesides: sentBesides(db, id),
    waiting: waitingForPerson(db, id),
    exposure: await exposureOf(service, [...sent, ...plan.besides, ...plan.byWallet], matters),
    confirmed,
    needed,
    isTyped,
  };
  const bounds = boundsOf(limits, facts);
  const guards = [...plan.guards, ...limitGuards(limits, bounds, facts)];
  const exit = guards.length > 0 ? exitCode.guardRefused : planned.exit;
  return { guarded: { ...planned, plan: { ...plan, guards }, exit }, bounds };
}

/** What a person or a limit has let through, beside the plan. */
interface Confirmed {
  readonly bounds: Bounds;
  readonly resultsPath: string;
  readonly isRebound: boolean;
}

/** One transaction, which asks once more: another batch may have been accepted while a person was reading. */
function accept(
  parts: RunBatchParts,
  journal: Journal,
  { plan, drafted, environment: asked, isAccountShown, policy }: PlannedFile,
  { bounds, resultsPath, isRebound }: Confirmed,
  options: RunBatchOptions,
): Promise<ReturnType<typeof acceptDraft>> {
  const { db, clock } = parts;
  const questions = askJournal(db);
  const { header, facts } = drafted.reading;
  const environment = accountOf(asked);
  return journal.write(() => {
    const known = questions.findBatch(plan.batch);
    if (known) questions.decideFates(known);
    const { count } = questions.repeats(
      known?.id ?? -1,
      plan.keyKind,
      options.nowMs - options.repeatWindowMs,
      1,
    );
    if (count > options.allowRepeats) throw moved(count);
    if (known && environmentKey(known.environment) !== environmentKey(environment)) {
      const isChanged = environmentChanges(known.environment, environment).length > 0;
      assert(isRebound || !isChanged, 'a batch never changes its account unasked');
      const why = isChanged ? reboundFor('a yes at the terminal') : accountTaken;
      bindBatch(db, clock, journal.writer, known, environment, { why, keepsProof: isAccountShown });
    }
    const accepted = acceptDraft(
      db,
      clock,
      journal.writer,
      {
        name: plan.batch,
        pattern: drafted.batch.pattern,
        environment,
        keyKind: plan.keyKind,
        fileName: drafted.fileName,
        fileDigest: facts.digest ?? '',
        resultsPath,
        columns: header ? fileColumns(header) : [],
        delimiter: header?.delimiter ?? ',',
        policy: policyDocument(policy),
        limitPayout: policy.limitPayout,
        bounds,
      },
      known,
      drafted.isPart,
      plan.digest,
    );
    if (drafted.readWith) keepReadWith(db, accepted.batch, drafted.readWith);
    return accepted;
  });
}

/** A journal that cannot be written before anything was sent has a code of its own: no money moved. */
function notAccepted(error: unknown): never {
  if (!(error instanceof PayrunError) || error.code !== 'journal-write-failed') throw error;
  throw new PayrunError(
    'journal-not-writable',
    exitCode.cannotCreate,
    'The journal cannot be written. Nothing was accepted and nothing was sent. Make room or mend the disk, then run the same command again.',
    { cause: error },
  );
}

function declined(): PayrunError {
  return new PayrunError(
    'declined',
    exitCode.guardRefused,
    'Not confirmed: nothing was accepted and nothing was sent.',
  );
}

function moved(count: number): PayrunError {
  return new PayrunError(
    'plan-moved',
    exitCode.guardRefused,
    `Meanwhile ${count} of these payments were planned or sent in another batch. Nothing was sent; run the command again to see them.`,
  );
}

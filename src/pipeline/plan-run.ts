import type { Environment } from '../domain/environment/environment.ts';
import type { Bounds } from '../domain/money/bounds.ts';
import { exitCode } from '../errors.ts';
import type { Journal } from '../journal/journal.ts';
import { openKnownPayees } from '../journal/known-payees.ts';
import { payoutQueries } from '../journal/payouts/payout-queries.ts';
import { sentBesides, waitingForPerson } from '../journal/payouts/wallet-totals.ts';
import type { DraftedFile } from './draft/drafted-file.ts';
import { rebindAtRun } from './environment/rebind-at-run.ts';
import { exposureOf } from './guards/exposure.ts';
import { boundsOf, type LimitFacts, limitGuards } from './guards/limits.ts';
import type { PlannedNames } from './payee/cached-name.ts';
import type { ReadOnlyService } from './plan/inspect-service.ts';
import type { PlannedFile } from './plan/planned-file.ts';
import { readUntil } from './plan/read-until.ts';
import { planDraft } from './plan-file.ts';
import { createBackgroundWrites } from './run/background-writes.ts';
import type { RunSettings } from './run/run-context.ts';
import type { RunBatchOptions, RunBatchParts } from './run/run-options.ts';

/** What a run is about to do, and what is confirmed with it. */
export interface PlannedRun {
  readonly planned: PlannedFile;
  readonly bounds: Bounds;
  readonly isRebound: boolean;
}

/** A plan whose names were asked, held against the limits, and against the account that the batch belongs to. */
export async function planRun(
  parts: RunBatchParts,
  journal: Journal,
  drafted: DraftedFile,
  options: RunBatchOptions,
): Promise<PlannedRun> {
  const asking = { ...parts, service: readUntil(parts.service, options.signal) };
  const planned = await planDraft(parts.db, drafted, asking, {
    ...options,
    stopping: () => options.signal.aborted,
    // Before anything is written at the service, whoever watches: one that repeats names would confirm our own.
    checkNames: true,
    namesMayWait: true,
    keepNames: (environment) => keepNames(parts, journal, environment, options.settings),
  });
  const { guarded, bounds } = await withLimits(asking, planned, options);
  return { ...(await rebindAtRun(asking, guarded, options)), bounds };
}

function keepNames(
  { db, clock }: RunBatchParts,
  journal: Journal,
  environment: Environment,
  { namesMaxAgeMs }: RunSettings,
): PlannedNames {
  const book = openKnownPayees(db, journal, environment);
  // Before an account is made for any of them, all are on disk.
  const writes = createBackgroundWrites(journal);
  return { book, save: book.saveName, writes, clock, maxAgeMs: namesMaxAgeMs };
}

/** Holds the plan against what was and is allowed, and says what is confirmed with it. */
async function withLimits(
  { db, service }: Pick<RunBatchParts, 'db'> & { readonly service: ReadOnlyService },
  planned: PlannedFile,
  { limits, limitsNeeded: needed, isTyped = false, consent }: RunBatchOptions,
): Promise<{ guarded: PlannedFile; bounds: Bounds }> {
  if (planned.exit === exitCode.fileInvalid) return { guarded: planned, bounds: new Map() };
  const { plan } = planned;
  const id = plan.knownBatch?.id ?? -1;
  const confirmed = plan.knownBatch?.bounds ?? new Map();
  const sent = payoutQueries(db, id).sentTotals();
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
  const guards = [
    ...plan.guards,
    ...limitGuards(limits, bounds, facts),
    ...(consent?.refusals(planned) ?? []),
  ];
  const exit = guards.length > 0 ? exitCode.guardRefused : planned.exit;
  return { guarded: { ...planned, plan: { ...plan, guards }, exit }, bounds };
}

import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { formatMoney } from '../domain/money/format-money.ts';
import { counted } from '../domain/text/counted.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { lockBatchIn } from '../journal/batch-lock.ts';
import { readBatch } from '../journal/batch-record.ts';
import { handedCounts, handToWorkers } from '../journal/chunks.ts';
import { eventChain } from '../journal/event-chain.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { JournalLost, sharedOf } from '../journal/shared/shared-of.ts';
import type { Service } from '../service/client.ts';
import type { Ending } from '../service/end-soon-after.ts';
import { isOfDevices } from '../storage/is-of-devices.ts';
import { settlePayouts } from './7-settle-payouts.ts';
import { checkResultsPath } from './8-write-results.ts';
import { acceptPlan } from './accept-plan.ts';
import type { DraftedFile } from './draft/drafted-file.ts';
import { draftFile } from './draft-file.ts';
import { finishRun, type RunSummary } from './finish-run.ts';
import type { PlannedFile } from './plan/planned-file.ts';
import { planRun } from './plan-run.ts';
import { chooseResultsPath } from './results/choose-results-path.ts';
import { endedByStop } from './run/ended-by-stop.ts';
import { openRun, type RunParts } from './run/open-run.ts';
import type { RunContext } from './run/run-context.ts';
import type { OnEvent } from './run/run-events.ts';
import type { RunBatchOptions, RunBatchParts } from './run/run-options.ts';
import { stoppedFirst } from './run/stopped-first.ts';
import { runStages } from './run-stages.ts';
import { lookForForgottenSends } from './send/look-for-forgotten-sends.ts';
import { watchWorkers } from './watch-workers.ts';

/** What a stop may come before. */
const accepted = 'the file was accepted';

/** Workers end a chunk in a minute or two, even where calls hang. */
const drainedWithinMs = 180_000;

/** Why workers stop though the service can be asked. */
const stillAnswers: ReadonlySet<string> = new Set<PayrunError['code']>(['refused-in-a-row', 'limit']);

/** How a run ended: paid as far as it could be, or refused before anything was sent. */
export type RunResult =
  | { readonly kind: 'ran'; readonly summary: RunSummary; readonly planned: PlannedFile }
  | { readonly kind: 'refused'; readonly planned: PlannedFile };

/**
 * Pays a file. The order is the point: draft, lock, plan, confirmation; only then is the draft accepted into its batch, in
 * one transaction that asks merge and repeats once more; then the stages and the results. A refused or declined draft
 * leaves nothing that a resume could send.
 */
export async function runBatch(
  parts: RunBatchParts,
  source: string | Readable,
  options: RunBatchOptions,
): Promise<RunResult> {
  const { db, clock } = parts;
  const { signal } = options;
  const journal = createJournal(db, clock, { run: randomUUID(), operator: options.operator });
  // While the file is read. To ask the machine for its zone takes as long as a call: results will want it, and then one is under way.
  void parts.service.beReady().then(() => setImmediate(options.timeZone));
  const drafted = await draftFile(db, source, options).catch(orStopped(signal));
  try {
    return await payDraft(parts, journal, drafted, source, options);
  } finally {
    drafted.draft.release();
  }
}

async function payDraft(
  parts: RunBatchParts,
  journal: Journal,
  drafted: DraftedFile,
  source: string | Readable,
  options: RunBatchOptions,
): Promise<RunResult> {
  const { db, clock } = parts;
  const { signal } = options;
  const lock = await lockBatchIn(parts, drafted.batch.name, clock);
  // Not before the lock is ours: until then another run may still have sent.
  const startedMonotonicMs = clock.monotonicMs() + lock.graceMs;
  let ending: Ending<Service> | undefined;
  try {
    const resultsPath = resultsPathOf(db, drafted, source, options);
    await checkResultsPath(resultsPath, drafted.batch.name, parts.place);
    const run = await planRun(parts, journal, drafted, options).catch(orStopped(signal));
    const { planned, bounds } = run;
    // Also where it would be refused: what was not asked to the end may say anything.
    if (signal.aborted) throw stoppedFirst(accepted);
    if (planned.exit !== exitCode.ok) return { kind: 'refused', planned };
    tellHeldNames(planned, options.onEvent);
    if (!(await options.confirm(planned))) throw declined();
    const batch = await acceptPlan(parts, journal, { ...run, resultsPath }, options).catch(notAccepted);
    const settings = { ...options.settings, policy: planned.policy };
    const stop = options.until ? AbortSignal.any([signal, options.until]) : signal;
    ending = parts.service.endSoonAfter(stop);
    const running = {
      ...parts,
      ...options,
      service: ending.service,
      chunks: undefined,
      settings,
      journal,
      startedMonotonicMs,
      lock,
      signal: stop,
    };
    if (options.workers !== undefined)
      return { kind: 'ran', summary: await byWorkers(running, batch, options), planned };
    const context = await openRun(running, batch);
    const stopped = await runStages(context, { reread: false, bounds });
    const summary = await finishRun({ db, journal }, context, options.timeZone(), stopped);
    return { kind: 'ran', summary, planned };
  } finally {
    ending?.letGo();
    lock.release();
  }
}

/** The batch is with the workers from now on; the results are written when they are done with it, or at a wish. */
async function byWorkers(
  running: RunParts & RunBatchParts & { readonly lock: HeldBatch },
  batch: RunContext['batch'],
  { workers, chunk, ratePerSecond, ...options }: RunBatchOptions,
): Promise<RunSummary> {
  const timeZone = options.timeZone();
  const { db, journal, clock, lock, onEvent } = running;
  const shared = sharedOf(db);
  assert(shared, 'workers share a journal');
  const context = await openRun(running, batch);
  // Of the whole batch, before anybody sends a part of it: what one would find here, another could not know.
  await lookForForgottenSends(context).catch((error) => {
    if (!endedByStop(context, error)) throw error;
  });
  const { quietPeriodMs, resends, lookup, namesMaxAgeMs } = running.settings;
  const { lookUpEvery } = context.memory.batch;
  const { run } = journal.writer;
  const terms = { run, quietPeriodMs, resends, lookup, namesMaxAgeMs, lookUpEvery, ratePerSecond };
  if (context.stopping()) return finishRun(running, context, timeZone, undefined);
  await shared.inLongTurn(() => journal.write(() => handToWorkers(db, batch.id, terms, chunk)));
  lock.release();
  const afterEvent = eventChain(db).end().seq;
  const { unsent, left } = handedCounts(db, batch.id);
  // Where there is nothing to do for them nobody is left to wait for.
  const isWatched = workers === 'watched' || unsent + left === 0;
  const stopped = isWatched ? await watchWorkers({ db, shared, journal, context }) : undefined;
  const held = isWatched
    ? await lockBatchIn(running, batch.name, clock, drainedWithinMs).catch(unlessLocked)
    : undefined;
  if (!held) {
    const message = `Batch ${batch.name} is with the workers: payrun status ${batch.name} shows how far they are, payrun results ${batch.name} writes the results.`;
    onEvent({ kind: 'notice', message, answers: true });
    return finishRun(running, context, timeZone, undefined, { workers: 'at-it', afterEvent });
  }
  try {
    if (stopped && stillAnswers.has(stopped.code)) await settleOnce(context);
    return await finishRun(running, context, timeZone, stopped, { workers: 'back', afterEvent });
  } finally {
    held.release();
  }
}

/** What workers sent before they stopped they have not looked at since, and whoever watches is to know what was paid. */
async function settleOnce(context: RunContext): Promise<void> {
  try {
    await settlePayouts({ ...context, settings: { ...context.settings, settleForMs: 0 } });
  } catch (error) {
    // Why they stopped is what is told.
    if (!(error instanceof PayrunError) || error.code === 'journal-write-failed') throw error;
  }
}

function unlessLocked(error: unknown): undefined {
  if (!(error instanceof PayrunError) || error.code !== 'batch-locked') throw error;
}

/** For the log of a run that nobody watches: what will be held, before anything is sent. */
function tellHeldNames({ view }: PlannedFile, onEvent: OnEvent): void {
  for (const { currency, rows, amountMinor } of view?.names?.held ?? []) {
    const message = `${formatMoney(amountMinor, currency)} in ${counted(rows, 'payment')} will be held for their names.`;
    onEvent({ kind: 'notice', message });
  }
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
  const folder = typeof source === 'string' && !isOfDevices(source) ? dirname(resolve(source)) : resolve('.');
  return join(folder, `${batch.name}.results.csv`);
}

/** Whatever trouble a stop leads to before anything is accepted, it is the stop that is told. */
function orStopped(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (signal.aborted && error instanceof PayrunError) throw stoppedFirst(accepted);
    notAccepted(error);
  };
}

/** A journal that cannot be written before anything was sent has a code of its own: no money moved. */
function notAccepted(error: unknown): never {
  if (!(error instanceof PayrunError) || error.code !== 'journal-write-failed') throw error;
  if (error instanceof JournalLost) throw perhapsAccepted(error);
  throw new PayrunError(
    'journal-not-writable',
    'The journal cannot be written. Nothing was accepted and nothing was sent. Make room or fix the disk, then run the same command again.',
    { cause: error },
  );
}

/** Its commit may have been kept though nobody was told. */
function perhapsAccepted(error: JournalLost): PayrunError {
  return new PayrunError(
    'journal-write-failed',
    `${error.cause.message}: the shared journal is gone. Nothing was sent. Whether the file was accepted is not known: once Postgres is back, payrun status tells, and the same command carries on.`,
    { cause: error },
  );
}

function declined(): PayrunError {
  return new PayrunError('declined', 'Not confirmed: nothing was accepted and nothing was sent.');
}

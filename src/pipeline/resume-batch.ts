import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Environment } from '../domain/environment/environment.ts';
import { accountUnproven, type RebindCommand } from '../domain/environment/other-environment.ts';
import { tightenBounds } from '../domain/money/bounds.ts';
import type { Minor } from '../domain/money/money.ts';
import { policyFromDocument, type Tightening, tightenPolicy } from '../domain/policy.ts';
import { lockBatchIn } from '../journal/batch-lock.ts';
import { type BatchRecord, isRereadDue, noteReread, readBatch } from '../journal/batch-record.ts';
import { bindBatch } from '../journal/bind-batch.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { moveResultsPath } from '../journal/move-results-path.ts';
import type { Service } from '../service/client.ts';
import { checkResultsPath } from './8-write-results.ts';
import { accountTaken, knowAccount } from './environment/ask-account.ts';
import { refuseOtherEnvironment, wrongEnvironment } from './environment/refuse-other-environment.ts';
import { finishRun, type RunSummary } from './finish-run.ts';
import { readUntil } from './plan/read-until.ts';
import { chooseResultsPath } from './results/choose-results-path.ts';
import { openRun } from './run/open-run.ts';
import type { RunSettings } from './run/run-context.ts';
import type { OnEvent } from './run/run-events.ts';
import { stoppedFirst, unlessStopped } from './run/stopped-first.ts';
import { runStages } from './run-stages.ts';

export interface ResumeParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: Service;
  readonly environment: Environment;
  /** For a batch that was begun with another account. */
  readonly rebindCommand?: RebindCommand | undefined;
  readonly settings: Omit<RunSettings, 'policy'>;
  /** Makes this resume stricter than the batch's own policy and limits. */
  readonly tighten?: Tightening | undefined;
  readonly maxTotal?: ReadonlyMap<string, Minor> | undefined;
  /** Where the results go if the folder they went to is gone. */
  readonly resultsPath?: string | undefined;
  readonly operator: string;
  readonly timeZone: string;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal;
}

/**
 * Goes on with a batch that was accepted before. The same path as a run from there on; it asks for nothing, because
 * everything it may send was confirmed when it was accepted.
 */
export async function resumeBatch(parts: ResumeParts, known: BatchRecord): Promise<RunSummary> {
  const { db, clock, environment } = parts;
  refuseOtherEnvironment(known, environment, parts.rebindCommand);
  const lock = await lockBatchIn(parts, known.name, clock);
  const ending = parts.service.endSoonAfter(parts.signal);
  // Not before the lock is ours: until then another run may still have sent.
  const startedMonotonicMs = clock.monotonicMs() + lock.graceMs;
  try {
    // Read anew: another run may have accepted a file until now, under other limits.
    const found = readBatch(db, known.name) ?? known;
    refuseOtherEnvironment(found, environment, parts.rebindCommand);
    const journal = createJournal(db, clock, { run: randomUUID(), operator: parts.operator });
    const batch = await boundToAccount(parts, journal, found);
    const path = chooseResultsPath(batch, parts.resultsPath, parts.onEvent);
    await checkResultsPath(path, batch.name, batch.environment.place);
    if (path !== batch.resultsPath)
      await journal.write(() => moveResultsPath(db, clock, journal.writer, batch.id, path));
    const policy = tightenPolicy(policyFromDocument(batch.policy), parts.tighten ?? {});
    const settings = { ...parts.settings, policy };
    const context = await openRun(
      { ...parts, service: ending.service, settings, journal, startedMonotonicMs, lock },
      batch,
    );
    const bounds = tightenBounds(batch.bounds, parts.maxTotal ?? new Map());
    const reread = isRereadDue(db, batch.id, clock.nowMs());
    const stopped = await runStages(context, { reread, bounds, runLimit: parts.maxTotal });
    if (reread && !stopped && !context.stopping() && !context.memory.batch.isUntold)
      await journal.write(() => noteReread(db, batch.id, clock.nowMs()));
    return await finishRun({ db, journal }, context, parts.timeZone, stopped);
  } finally {
    ending.letGo();
    lock.release();
  }
}

/** A batch that an earlier version began learns here which account it belongs to. */
async function boundToAccount(
  { db, clock, service, environment, settings, signal }: ResumeParts,
  journal: Journal,
  batch: BatchRecord,
): Promise<BatchRecord> {
  const reads = readUntil(service, signal);
  const asked = knowAccount({ db, service: reads, concurrency: settings.concurrency }, batch);
  const before = 'the account of the batch was known';
  const known = await unlessStopped(asked, signal, before);
  if (known.kind === 'whole') return batch;
  // What was not asked to the end is missing.
  if (signal.aborted) throw stoppedFirst(before);
  if (known.kind === 'unproven') throw wrongEnvironment(accountUnproven(batch, known.missing));
  const saying = { why: accountTaken, keepsProof: known.shown };
  await journal.write(() => bindBatch(db, clock, journal.writer, batch, environment, saying));
  return { ...batch, environment };
}

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { tightenBounds } from '../domain/bounds.ts';
import type { Minor } from '../domain/money.ts';
import { policyFromDocument, type Tightening, tightenPolicy } from '../domain/policy.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { lockBatch } from '../journal/batch-lock.ts';
import { type BatchRecord, isRereadDue, readBatch } from '../journal/batch-record.ts';
import { writeFact } from '../journal/facts.ts';
import { createJournal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import { moveResults } from '../journal/results-home.ts';
import type { Service } from '../service/client.ts';
import { checkResultsPath } from './8-write-results.ts';
import { finishRun, type RunSummary } from './finish-run.ts';
import { openRun } from './open-run.ts';
import { chooseResultsPath } from './results-place.ts';
import type { RunSettings } from './run-context.ts';
import type { OnEvent } from './run-events.ts';
import { workBatch } from './work-batch.ts';

export interface ResumeParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: Service;
  readonly environment: string;
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
  const { db, clock, workspace, environment } = parts;
  if (known.environment !== environment) {
    throw new PayrunError(
      'wrong-environment',
      exitCode.guardRefused,
      `Batch ${known.name} was begun in ${known.environment}, this is ${environment}. Use the settings it was begun with.`,
    );
  }
  const lock = await lockBatch(workspace, known.name, clock);
  // Not before the lock is ours: until then another run may still have sent.
  const startedMonotonicMs = clock.monotonicMs();
  try {
    // Read anew: another run may have accepted a file until now, under other limits.
    const batch = readBatch(db, known.name) ?? known;
    const path = chooseResultsPath(batch, parts.resultsPath, parts.onEvent);
    await checkResultsPath(path, batch.name, batch.environment);
    const journal = createJournal(db, clock, { run: randomUUID(), operator: parts.operator });
    if (path !== batch.resultsPath)
      await journal.write(() => moveResults(db, clock, journal.writer, batch.id, path));
    const policy = tightenPolicy(policyFromDocument(batch.policy), parts.tighten ?? {});
    const settings = { ...parts.settings, policy };
    const context = await openRun({ ...parts, settings, journal, startedMonotonicMs, lock }, batch);
    const bounds = tightenBounds(batch.bounds, parts.maxTotal ?? new Map());
    const reread = isRereadDue(db, batch.id, clock.nowMs());
    return await finishRun(db, context, parts.timeZone, async () => {
      await workBatch(context, { reread, bounds });
      if (reread) await writeFact(db, journal, `reread:${batch.id}`, String(clock.nowMs()));
    });
  } finally {
    lock.release();
  }
}

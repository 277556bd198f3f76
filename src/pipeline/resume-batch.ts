import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { exitCode, PayrunError } from '../errors.ts';
import { lockBatch } from '../journal/batch-lock.ts';
import { type BatchRecord, isRereadDue } from '../journal/batch-record.ts';
import { writeFact } from '../journal/facts.ts';
import { createJournal } from '../journal/journal.ts';
import type { JournalDatabase } from '../journal/open-journal.ts';
import type { Service } from '../service/client.ts';
import { checkResultsPath } from './8-write-results.ts';
import { finishRun, type RunSummary } from './finish-run.ts';
import { openRun } from './open-run.ts';
import type { RunSettings } from './run-context.ts';
import type { OnEvent } from './run-events.ts';
import { workBatch } from './work-batch.ts';

export interface ResumeParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: Service;
  readonly environment: string;
  readonly settings: RunSettings;
  readonly operator: string;
  readonly timeZone: string;
  readonly onEvent: OnEvent;
  readonly signal: AbortSignal;
}

/**
 * Goes on with a batch that was accepted before. The same path as a run from there on; it asks for nothing, because
 * everything it may send was confirmed when it was accepted.
 */
export async function resumeBatch(parts: ResumeParts, batch: BatchRecord): Promise<RunSummary> {
  const { db, clock, workspace, environment } = parts;
  if (batch.environment !== environment) {
    throw new PayrunError(
      'wrong-environment',
      exitCode.guardRefused,
      `Batch ${batch.name} was begun in ${batch.environment}, this is ${environment}. Use the settings it was begun with.`,
    );
  }
  const lock = await lockBatch(workspace, batch.name, clock);
  // Not before the lock is ours: until then another run may still have sent.
  const startedMonotonicMs = clock.monotonicMs();
  try {
    await checkResultsPath(batch.resultsPath, batch.name, batch.environment);
    const journal = createJournal(db, clock, { run: randomUUID(), operator: parts.operator });
    const context = await openRun({ ...parts, journal, startedMonotonicMs, lock }, batch);
    const reread = isRereadDue(db, batch.id, clock.nowMs());
    return await finishRun(db, context, parts.timeZone, async () => {
      await workBatch(context, { reread });
      if (reread) await writeFact(db, journal, `reread:${batch.id}`, String(clock.nowMs()));
    });
  } finally {
    lock.release();
  }
}

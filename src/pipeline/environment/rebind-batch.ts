import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type Environment, environmentKey } from '../../domain/environment/environment.ts';
import { lockBatchIn } from '../../journal/batch-lock.ts';
import type { BatchRecord } from '../../journal/batch-record.ts';
import { readBatch } from '../../journal/batch-record.ts';
import { bindBatch } from '../../journal/bind-batch.ts';
import { createJournal } from '../../journal/journal.ts';
import type { JournalDatabase } from '../../journal/journal-database.ts';
import { payoutQueries } from '../../journal/payouts/payout-queries.ts';
import { askRunsOfSends } from '../../journal/payouts/runs-of-sends.ts';
import type { LookUpService } from '../look-up/look-up.ts';
import { findSentPayouts, type SentPayouts } from './find-sent-payouts.ts';

export interface RebindParts {
  readonly db: JournalDatabase;
  readonly workspace: string;
  readonly clock: Clock;
  readonly service: LookUpService;
  /** Of the settings of today. */
  readonly environment: Environment;
  readonly concurrency: number;
  readonly operator: string;
}

export interface Rebound {
  /** `same`: it belongs to this account already. `unproven`: nothing was changed. */
  readonly kind: 'rebound' | 'same' | 'unproven';
  /** As it was before. */
  readonly batch: BatchRecord;
  readonly sent: SentPayouts;
}

/** As the log says it. */
export function reboundFor(reason: string): string {
  return `rebound: ${reason}`;
}

/** A person may be watching: a run that is about to end is waited for. */
const lockWaitMs = 30_000;

/**
 * Binds a batch to the account of today, because a person says that it is the same one. That is believed only if this
 * account shows all that was ever sent of the batch: what it does not show, it could pay a second time. Sends nothing
 * and moves no payout.
 */
export async function rebindBatch(parts: RebindParts, name: string, reason: string): Promise<Rebound> {
  const { db, clock, environment } = parts;
  const lock = await lockBatchIn(parts, name, clock, lockWaitMs);
  try {
    const batch = readBatch(db, name);
    if (!batch) throw new Error(`there is no batch ${name}`);
    const nothing: SentPayouts = { found: 0, missing: 0, first: [] };
    if (environmentKey(batch.environment) === environmentKey(environment))
      return { kind: 'same', batch, sent: nothing };
    const writer = { run: `rebind ${randomUUID()}`, operator: parts.operator };
    const journal = createJournal(db, clock, writer);
    const sent = await findSentPayouts({
      ...parts,
      batch,
      payouts: payoutQueries(db, batch.id),
      sends: askRunsOfSends(db),
    });
    if (sent.missing > 0) return { kind: 'unproven', batch, sent };
    const saying = { why: reboundFor(reason), keepsProof: false };
    await journal.write(() => bindBatch(db, clock, writer, batch, environment, saying));
    return { kind: 'rebound', batch, sent };
  } finally {
    lock.release();
  }
}

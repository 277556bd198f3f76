import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { EnvironmentKind } from '../domain/environment/environment.ts';
import { AuditFindings } from '../domain/payout/audit-findings.ts';
import { PayrunError } from '../errors.ts';
import { lockBatch } from '../journal/batch-lock.ts';
import { allBatches } from '../journal/batch-record.ts';
import type { HeldBatch } from '../journal/held-batch.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { putValue, readValue } from '../journal/key-values.ts';
import { movedToFact } from '../journal/moved-to.ts';
import { openFile, openJournal } from '../journal/open-journal.ts';
import { auditJournal } from '../journal/payouts/audit-journal.ts';
import { connectPostgres, orUnreachable } from '../journal/shared/connect-postgres.ts';
import { mirroredTables } from '../journal/shared/mirrored-tables.ts';
import { moveJournal } from '../journal/shared/move-journal.ts';
import { closeJournal } from '../journal/shared/shared-of.ts';
import { placeOf, readSharedUrl, schemaOf } from '../journal/shared/shared-url.ts';
import { journalPath } from '../workspace.ts';
import { openShared } from './shared-place.ts';

export interface MovedJournal {
  readonly place: string;
  readonly batches: number;
  readonly payouts: number;
  readonly events: number;
  /** Of the last event, the same on both sides. */
  readonly hash: string;
}

/** Takes the journal of a workspace to Postgres. While it is under way, and from then on, the file itself is not paid from. */
export async function moveToPostgres(
  { workspace, kind, clock }: { workspace: string; kind: EnvironmentKind; clock: Clock },
  url: string,
): Promise<MovedJournal> {
  const path = journalPath(workspace, kind);
  if (!existsSync(path))
    throw new PayrunError(
      'no-journal',
      `There is no journal in ${workspace} to move. Is it another workspace? Name it with --workspace. A new one is made in Postgres with: payrun init${kind === 'sandbox' ? ' --sandbox' : ''}`,
    );
  const access = readSharedUrl(url);
  const schema = schemaOf(access, kind);
  const place = placeOf(access, schema);
  bringForward(path);
  const file = openFile(path);
  const locks: HeldBatch[] = [];
  const token = file.transaction(() => moveToken(file)).immediate();
  try {
    // Nobody accepts another batch from here on, and none that is known is worked on.
    file.exec('BEGIN IMMEDIATE');
    for (const { name } of allBatches(file)) locks.push(await lockBatch(workspace, name, clock));
    const audited = auditOf(file);
    const connection = await connectPostgres(access);
    try {
      await moveJournal({
        file,
        connection,
        schema,
        token,
        place,
        compare: async () => {
          const arrived = await openShared(kind, url, { mayMake: false, isArriving: true });
          assert(arrived, 'what was just made is there');
          const there = auditOf(arrived);
          await closeJournal(arrived);
          assert.deepEqual(there, audited, 'the journal that arrived is not the one that was sent');
        },
      });
    } catch (error) {
      throw orUnreachable(access, error);
    } finally {
      await connection.close();
    }
    const { batches, payouts, seq, hash } = audited;
    return { place, batches, payouts, events: seq, hash };
  } finally {
    for (const lock of locks) lock.release();
    file.close();
  }
}

/** The same for every try to move this journal. */
function moveToken(file: JournalDatabase): string {
  const known = readValue(file, tokenFact);
  if (known !== undefined) return known;
  const token = randomUUID();
  putValue(file, tokenFact, token);
  return token;
}

const tokenFact = 'move-token';

/** To this version, as any command would. One that was moved before is left as it is: perhaps that is to be finished. */
function bringForward(path: string): void {
  try {
    openJournal(path).close();
  } catch (error) {
    if (!(error instanceof PayrunError) || error.code !== 'journal-moved') throw error;
  }
}

/** What must be equal on both sides: what an audit finds, where the chain ends, and how much there is of everything. */
function auditOf(db: JournalDatabase) {
  const findings = new AuditFindings();
  const batches = allBatches(db);
  const { chain, payouts } = auditJournal(db, batches, findings);
  const rows = mirroredTables.map(({ name }) =>
    // The file knows by one fact more where it was moved to.
    db
      .prepare<[], number>(
        `SELECT count(*) FROM ${name}${name === 'facts' ? ` WHERE key <> '${movedToFact}'` : ''}`,
      )
      .pluck()
      .get(),
  );
  return { ...chain, payouts, batches: batches.length, findings: findings.worstFirst(), rows };
}

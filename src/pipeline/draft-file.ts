import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type PayrunColumn, retryMarks } from '../domain/row.ts';
import { readBatch } from '../journal/batch-record.ts';
import { type Draft, openDraft } from '../journal/draft/draft.ts';
import { draftQueries } from '../journal/draft/draft-queries.ts';
import { planQueries } from '../journal/draft/plan-queries.ts';
import type { JournalDatabase } from '../journal/journal-database.ts';
import { batchNames } from '../journal/payouts/status-queries.ts';
import { readWithOf } from '../journal/read-with.ts';
import { isOfDevices } from '../storage/is-of-devices.ts';
import { readRows } from './1-read-rows.ts';
import { type FileIdentity, takeIn, validateRows } from './2-validate-rows.ts';
import { chooseBatch, hasDate } from './draft/choose-batch.ts';
import type { DraftOptions } from './draft/draft-options.ts';
import type { DraftedFile } from './draft/drafted-file.ts';
import { lineRestorer, restoreBatchName } from './draft/restore-lines.ts';

/** How many batches a file can name before it is clear that it names several. */
const batchesNamed = 20;

/** Reads a file once into a draft beside the journal and judges every row. Nothing is sent, nothing is accepted. */
export async function draftFile(
  db: JournalDatabase,
  source: string | Readable,
  options: DraftOptions,
): Promise<DraftedFile> {
  const draft = openDraft(db, options.isOnlyChecked ?? false);
  try {
    return await judge(db, draft, source, options);
  } catch (error) {
    draft.close();
    throw error;
  }
}

async function judge(
  db: JournalDatabase,
  draft: Draft,
  source: string | Readable,
  options: DraftOptions,
): Promise<DraftedFile> {
  const { isOnlyChecked = false } = options;
  const questions = draftQueries(db, draft.isPresent);
  const fileName = typeof source === 'string' && !isOfDevices(source) ? basename(source) : '-';
  // By it a batch that an earlier day began is found, where the name has a date.
  const withDigest = !isOnlyChecked || hasDate(options.batch ?? '');
  const reading = await readRows(source, { ...options, withDigest });
  await takeIn(reading, draft);
  const { header, facts } = reading;
  const ours = header?.payrunColumns ?? [];
  const journal = planQueries(db);
  const isOurs = ours.includes('payrun_batch');
  const known = isOurs ? batchNames(db) : [];
  const batch = chooseBatch(journal, {
    ownBatches: isOurs ? draft.ownBatches(batchesNamed).map((own) => restoreBatchName(own, known)) : [],
    wanted: options.batch,
    otherwise: options.batchOtherwise,
    fileName,
    fileDigest: facts.digest ?? '',
    nowMs: options.nowMs,
    repeatWindowMs: options.repeatWindowMs,
    timeZone: options.timeZone,
  });
  draft.addProblems(batch.problems);
  const keyKind = header?.fieldColumns.paymentId === undefined ? 'payee' : 'paymentId';
  if (header) {
    const begun = readBatch(db, batch.name);
    const identity: FileIdentity = {
      batch: batch.name,
      keyKind,
      isOnlyChecked,
      isKnown: begun !== undefined,
      earlierKeys: begun && keyKind === 'payee' ? journal.earlierKeys(begun.id) : undefined,
      restore: begun && isOurs ? lineRestorer(db, begun, header, draft.linePages()) : undefined,
      readWith: begun && isOurs ? readWithOf(db, begun.id) : undefined,
    };
    await validateRows(draft, header, reading, identity, options);
  }
  const { map, defaults, decimal } = options;
  const { decimalCommaSeen, decimalPointSeen } = facts;
  const readWith = isOurs ? undefined : { map, defaults, decimal, decimalCommaSeen, decimalPointSeen };
  return { draft, questions, reading, readWith, fileName, batch, keyKind, isPart: isRetryFile(ours) };
}

/** By the columns that only a retry file has; a file that merely names its batch is a whole one. */
function isRetryFile(ours: readonly PayrunColumn[]): boolean {
  return retryMarks.every((column) => ours.includes(column)) && !ours.includes('payrun_status');
}

import { nearestText } from '../domain/text/nearest-text.ts';
import { PayrunError } from '../errors.ts';
import { type BatchRecord, readBatch } from './batch-record.ts';
import type { JournalDatabase } from './journal-database.ts';
import { batchNames } from './payouts/status-queries.ts';

/** The batch of a name; one that is not there is said with the name that was probably meant. */
export function knownBatch(db: JournalDatabase, name: string): BatchRecord {
  const batch = readBatch(db, name);
  if (batch) return batch;
  const names = batchNames(db);
  const meant = nearestText(name, names);
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'The journal holds none yet.'
        : `Known are: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' …' : ''}.`;
  throw new PayrunError('batch-unknown', `There is no batch "${name}". ${hint}`);
}

import type { Payout } from '../../domain/payout/payout.ts';
import type { JournalDatabase } from '../journal-database.ts';
import { namedColumns } from './payout-columns.ts';

const detailFields = [
  'reference',
  'accountName',
  'country',
  'destination',
  'number',
  'bankCode',
  'operator',
] as const satisfies readonly (keyof Payout)[];

/** Who is paid and where, which results say in the columns of the file. */
export type PayeeDetails = Pick<Payout, (typeof detailFields)[number]>;

/** By the references of payouts: for a page of rows one question. */
export function askPayeeDetails(db: JournalDatabase) {
  const select = db.prepare<[string], PayeeDetails>(
    `SELECT ${namedColumns(detailFields)} FROM payouts WHERE reference IN (SELECT value FROM json_each(?))`,
  );
  return (references: readonly string[]): ReadonlyMap<string, PayeeDetails> =>
    new Map(select.all(JSON.stringify(references)).map((details) => [details.reference, details]));
}

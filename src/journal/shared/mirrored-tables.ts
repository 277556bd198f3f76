/** A table of the journal, and what its rows are told apart by. */
export interface MirroredTable {
  readonly name: string;
  readonly key: readonly string[];
}

/** All that the journal keeps, in an order in which whatever is referred to comes first. */
export const mirroredTables: readonly MirroredTable[] = [
  { name: 'facts', key: ['key'] },
  { name: 'batches', key: ['id'] },
  { name: 'column_lists', key: ['id'] },
  { name: 'payouts', key: ['id'] },
  { name: 'batch_rows', key: ['batch', 'position'] },
  { name: 'payout_limits', key: ['payout'] },
  { name: 'known_transactions', key: ['payout', 'reference', 'transaction_id'] },
  { name: 'sends', key: ['id'] },
  { name: 'events', key: ['seq'] },
  { name: 'payees', key: ['environment', 'payee', 'currency'] },
  { name: 'resolved_names', key: ['environment', 'payee', 'currency'] },
  { name: 'released_names', key: ['environment', 'payee', 'expected', 'resolved'] },
  { name: 'hints', key: ['reference'] },
];

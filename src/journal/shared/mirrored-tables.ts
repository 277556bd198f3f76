/** A table of the journal, and what its rows are told apart by. */
export interface MirroredTable {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns that change with every step of a payout; the others, and what is found by them, nearly never do. */
  readonly moving?: readonly string[];
  /** Rows of it may go; of all others nothing is ever taken away. */
  readonly mayLose?: boolean | undefined;
  /** What whoever pays has to know of it, as a condition; all of it where none is given. */
  readonly toPay?: string | undefined;
}

/** What a copy is for: to ask it anything, or only to pay. The latter has no log and no rows of files, which is most of a journal. */
export type CopyKind = 'whole' | 'to-pay';

/** All that the journal keeps, in an order in which whatever is referred to comes first. */
export const mirroredTables: readonly MirroredTable[] = [
  { name: 'facts', key: ['key'], mayLose: true },
  { name: 'batches', key: ['id'], moving: ['last_send_ms'] },
  { name: 'column_lists', key: ['id'] },
  {
    name: 'payouts',
    key: ['id'],
    moving: [
      ...['state', 'external_account_id', 'verdict', 'resolved_name', 'resolved_ms', 'released', 'hold'],
      ...['transaction_id', 'ever_sent', 'unknown_sends', 'submitted_ms', 'settled_ms', 'last_attempt'],
      ...['code', 'details', 'paid_twice', 'watched', 'paid_amount'],
    ],
  },
  { name: 'batch_rows', key: ['batch', 'position'], toPay: 'false' },
  { name: 'payout_limits', key: ['payout'], mayLose: true },
  { name: 'known_transactions', key: ['payout', 'reference', 'transaction_id'] },
  {
    name: 'sends',
    key: ['id'],
    moving: ['ended_ms', 'outcome', 'code', 'transaction_id', 'error_code', 'words', 'unseen_ms'],
  },
  // The end of the chain, to go on from, and what concerns a whole batch.
  { name: 'events', key: ['seq'], toPay: 'payout IS NULL OR seq = (SELECT max(seq) FROM events)' },
  { name: 'payees', key: ['environment', 'payee', 'currency'], mayLose: true },
  { name: 'resolved_names', key: ['environment', 'payee', 'currency'], mayLose: true },
  { name: 'released_names', key: ['environment', 'payee', 'expected', 'resolved'], mayLose: true },
  { name: 'hints', key: ['reference'], mayLose: true },
];

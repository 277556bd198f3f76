import Database from 'better-sqlite3';

/** The least that results can take: every row of the batch with its payout, in the order of the file. */
const db = new Database(process.argv[2], { readonly: true });
let rows = 0;
for (const row of db
  .prepare(
    'SELECT * FROM batch_rows LEFT JOIN payouts ON payouts.id = batch_rows.payout ORDER BY batch_rows.batch, position',
  )
  .iterate())
  rows += row.line > 0 ? 1 : 0;
if (rows === 0) throw new Error('the journal is empty');

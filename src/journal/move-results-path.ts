import type { Clock } from '../clock.ts';
import { eventChain } from './event-chain.ts';
import type { Writer } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';

/** Inside a write of the journal: from now on the results of the batch go elsewhere, and the log says since when. */
export function moveResultsPath(
  db: JournalDatabase,
  clock: Clock,
  writer: Writer,
  batch: number,
  path: string,
): void {
  const old = db
    .prepare<[number], string>('SELECT results_path FROM batches WHERE id = ?')
    .pluck()
    .get(batch);
  if (old === path) return;
  db.prepare('UPDATE batches SET results_path = ? WHERE id = ?').run(path, batch);
  const why = `the results go to ${path}: the folder of ${old} is gone`;
  eventChain(db).append({ atMs: clock.nowMs(), batch, ...writer, from: 'batch', to: 'batch', why });
}

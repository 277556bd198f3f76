import { systemClock } from '../../src/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { openResultRows } from '../../src/journal/payouts/result-rows.ts';
import { writeResults } from '../../src/pipeline/8-write-results.ts';

/** Writes the results of the journal's first batch, in a process that a test can kill or put on a full disk. */
const [journalPath = ''] = process.argv.slice(2);
const db = openJournal(journalPath);
const journal = createJournal(db, systemClock, { run: 'run-1', operator: 'amina' });
console.log('begin');
try {
  await writeResults({
    rows: openResultRows(db, 1, 'run-1'),
    journal,
    timeZone: 'Africa/Nairobi',
    onEvent: () => {},
  });
  console.log('written');
} catch (error) {
  const { code, exit } = error as { code?: string; exit?: number };
  console.log(`${code} ${exit}`);
}

// Runs with limits instead of a person, and with events of one's own: node samples/library/watch-events.mjs [FILE] [WORKSPACE]
import { openPayrun, PayrunError } from 'payrun';

const [file = 'samples/payroll.csv', workspace = '.payrun'] = process.argv.slice(2);
const moves = new Map();
const payrun = openPayrun({ workspace, service: 'sandbox', operator: 'nightly job', settings: { concurrency: 4 } });
try {
  const result = await payrun.run(file, {
    batch: 'watched',
    allowRepeats: 1000,
    resultsPath: `${workspace}/watched.results.csv`,
    // Asked once everything that can refuse has not: false sends nothing.
    confirm: async ({ plan }) => plan.totals.every(({ toSendMinor }) => toSendMinor < 1_000_000_000n),
    onEvent: (event) => {
      if (event.kind === 'moved') moves.set(event.to, (moves.get(event.to) ?? 0) + 1);
      if (event.kind === 'alarm') console.error(event.message);
    },
  });
  console.log(`${result.kind}: ${[...moves].map(([state, count]) => `${count} ${state}`).join(', ')}`);
} catch (error) {
  if (!(error instanceof PayrunError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = error.exit;
} finally {
  await payrun.close();
}

// Pays a file on the embedded service and says what became of it: node samples/library/pay-a-file.mjs [FILE] [WORKSPACE]
import { basename } from 'node:path';
import { openPayrun } from 'payrun';

const [file = 'samples/payroll.csv', workspace = '.payrun'] = process.argv.slice(2);
const payrun = openPayrun({ workspace, service: 'sandbox', settings: { settleForMs: 5_000 } });
try {
  const result = await payrun.run(file, { resultsPath: `${workspace}/${basename(file, '.csv')}.results.csv` });
  if (result.kind === 'refused') {
    for (const guard of result.planned.plan.guards) console.error(`${guard.code}: ${guard.message}`);
    process.exitCode = result.planned.exit;
  } else {
    const { batch, statuses, resultsPath, exit } = result.summary;
    console.log(`${batch}: ${statuses.paid} paid, ${statuses.held} held, results in ${resultsPath}`);
    process.exitCode = exit;
  }
} finally {
  await payrun.close();
}

// Releases what is held for its name and goes on: node samples/library/decide.mjs BATCH [WORKSPACE]
import { openPayrun, PayrunError } from 'payrun';

const [batch = 'magic', workspace = '.payrun'] = process.argv.slice(2);
const payrun = openPayrun({ workspace, service: 'sandbox', operator: 'pay office', settings: { settleForMs: 5_000 } });
try {
  const before = await payrun.status(batch);
  console.log(`${before.statuses.held} held`);
  const decided = await payrun.release(batch, { scope: 'close', reason: 'the names differ by one letter' });
  console.log(`${decided.moved} released`);
  const { statuses } = await payrun.resume(batch);
  console.log(`${statuses.held} held now, ${statuses.paid} paid`);
} catch (error) {
  if (!(error instanceof PayrunError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  if (['no-journal', 'batch-unknown'].includes(error.code))
    console.error(`Pay a file first: node samples/library/pay-a-file.mjs samples/magic.csv ${workspace}`);
  process.exitCode = error.exit;
} finally {
  await payrun.close();
}

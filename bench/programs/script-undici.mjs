import pLimit from 'p-limit';
import { openClient } from './open-client.mjs';
import { payRow, readPayroll } from './read-payroll.mjs';

/** The script that people write, with a good client: read all, bounded calls, no journal. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const client = openClient(origin, concurrency);
const limit = pLimit(concurrency);
await Promise.all(readPayroll(file).map((row) => limit(() => payRow(row, 'script', client))));
await client.close();

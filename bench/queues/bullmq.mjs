import { Queue, Worker } from 'bullmq';
import { openClient } from '../programs/open-client.mjs';
import { payRow, readPayroll } from '../programs/read-payroll.mjs';

/** A job a row, on Redis. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const client = openClient(origin, concurrency);
const connection = { url: process.env.PAYRUN_BENCH_REDIS, maxRetriesPerRequest: null };
const queue = new Queue('payroll', { connection });
const rows = readPayroll(file);
let left = rows.length;
await new Promise((resolve, reject) => {
  const worker = new Worker('payroll', ({ data }) => payRow(data, 'bullmq', client), {
    connection,
    concurrency,
  });
  worker.on('failed', (_, error) => reject(error));
  worker.on('completed', () => {
    left -= 1;
    if (left === 0) resolve(worker.close());
  });
  queue.addBulk(rows.map((data) => ({ name: 'pay', data }))).catch(reject);
});
await queue.close();
await client.close();

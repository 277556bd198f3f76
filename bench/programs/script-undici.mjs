import pLimit from 'p-limit';
import { Pool } from 'undici';
import { headers, payRow, readPayroll } from './read-payroll.mjs';

/** The script that people write, with a good client: read all, bounded calls, no journal. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
const call = async (method, path, body) => {
  const reply = await pool.request({
    method,
    path: `/api/b2b${path}`,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return reply.body.json();
};
const client = { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
const limit = pLimit(concurrency);
await Promise.all(readPayroll(file).map((row) => limit(() => payRow(row, 'script', client))));
await pool.close();

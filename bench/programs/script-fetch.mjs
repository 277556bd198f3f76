import pLimit from 'p-limit';
import { headers, payRow, readPayroll } from './read-payroll.mjs';

/** The script that most people write. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const call = async (method, path, body) => {
  const reply = await fetch(`${origin}/api/b2b${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return reply.json();
};
const client = { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
const limit = pLimit(concurrency);
await Promise.all(readPayroll(file).map((row) => limit(() => payRow(row, 'fetch', client))));

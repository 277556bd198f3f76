import Database from 'better-sqlite3';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { headers, payRow, readPayroll } from './read-payroll.mjs';

/** A careful script: the same calls, and every step on disk in a commit of its own before the next. */
const { file, origin, concurrency, folder } = JSON.parse(process.argv[2]);
const db = new Database(`${folder}/steps.db`);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE steps (payment TEXT, step TEXT)');
const add = db.prepare('INSERT INTO steps VALUES (?, ?)');
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
const record = (step, row) => void add.run(row.paymentId, step);
await Promise.all(readPayroll(file).map((row) => limit(() => payRow(row, 'steps', client, record))));
await pool.close();
db.close();

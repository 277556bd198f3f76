import Database from 'better-sqlite3';
import pLimit from 'p-limit';
import { openClient } from './open-client.mjs';
import { payRow, readPayroll } from './read-payroll.mjs';

/** A careful script: the same calls, and every step on disk in a commit of its own before the next. */
const { file, origin, concurrency, folder } = JSON.parse(process.argv[2]);
const db = new Database(`${folder}/steps.db`);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE steps (payment TEXT, step TEXT)');
const add = db.prepare('INSERT INTO steps VALUES (?, ?)');
const client = openClient(origin, concurrency);
const limit = pLimit(concurrency);
const record = (step, row) => void add.run(row.paymentId, step);
await Promise.all(readPayroll(file).map((row) => limit(() => payRow(row, 'steps', client, record))));
await client.close();
db.close();

import { Pool } from 'undici';
import { callsOf, headers, readPayroll } from './read-payroll.mjs';

/** The limit of one thread and this client: the same calls with bodies made beforehand, replies read and not parsed. */
const { file, origin, concurrency } = JSON.parse(process.argv[2]);
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
const post = (path, body) => ({
  method: 'POST',
  path: `/api/b2b${path}`,
  headers,
  body: JSON.stringify(body),
});
const rows = readPayroll(file).map((row, place) => {
  const { account, resolve, payout } = callsOf(row, 'bare');
  const id = String(place).padStart(12, '0');
  return [
    post('/utilities/account/resolve', resolve),
    post('/external-accounts', account),
    post('/fiat/payout', payout(`acc${place}`)),
    { method: 'GET', path: `/api/b2b/transactions/tx${id}`, headers },
  ];
});
const left = rows.values();
const worker = async () => {
  for (const calls of left) {
    for (const call of calls) await (await pool.request(call)).body.dump();
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
await pool.close();

import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Pool } from 'undici';
import { callsOf, headers, readPayroll } from './read-payroll.mjs';

/**
 * The limit of a journaled run: the calls that payrun makes and the rows that it writes of them in the same tables, each intent
 * on disk before its payout leaves, and the results. Nothing is judged, asked again or decided, and whatever is not as expected
 * ends it: what payrun takes beyond this is what its checks take.
 */
const { file, origin, concurrency, folder } = JSON.parse(process.argv[2]);
const run = 'bare-journal';
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    pool.dispatch(
      { method, path: `/api/b2b${path}`, headers, body: body && JSON.stringify(body) },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

const db = new Database(`${folder}/workspace/journal.db`);
db.pragma('synchronous = FULL');
db.pragma('foreign_keys = ON');
db.pragma('wal_autocheckpoint = 4000');
const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
/** As long as what only records may wait. */
const patienceMs = 30;
let waiting = [];
let isDue = false;

function hurry() {
  if (isDue || waiting.length === 0) return;
  isDue = true;
  setImmediate(() => {
    const jobs = waiting;
    waiting = [];
    isDue = false;
    begin.run();
    for (const { write } of jobs) write();
    commit.run();
    for (const { done } of jobs) done?.();
  });
}

function onDisk(write) {
  return new Promise((done) => {
    waiting.push({ write, done });
    hurry();
  });
}

function recorded(write) {
  if (waiting.length === 0) setTimeout(hurry, patienceMs);
  waiting.push({ write });
}

const { environment } = db.prepare('SELECT environment FROM batches LIMIT 1').get();
let end = db.prepare('SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1').get();
const insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');

function moved({ id }, from, to, why) {
  const seq = end.seq + 1;
  const event = [seq, Date.now(), batch, id, run, run, from, to, why];
  end = { seq, hash: hash('sha256', JSON.stringify([end.hash, ...event])) };
  insertEvent.run(...event, end.hash);
}

async function each(items, step) {
  const left = items.values();
  const work = async () => {
    for (const item of left) await step(item);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

// The file, and its acceptance.
const insertBatch = db.prepare(`INSERT INTO batches
  (name, pattern, environment, key_kind, created_ms, file_name, file_digest, results_path, columns, delimiter, policy)
  VALUES (?, ?, ?, 'paymentId', ?, ?, '', '', '[]', ',', '{}')`);
const insertPayout =
  db.prepare(`INSERT INTO payouts (id, batch, key, attempt, reference, state, fingerprint, payee,
    account_name, folded_name, country, currency, amount, destination, number, bank_code, operator, branch_code,
    debit_currency, debit_country, narration, accepted_run, accepted_ms)
  VALUES (?, ?, ?, 1, ?, 'planned', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', ?, '', '', ?, ?)`);
const insertRow = db.prepare(
  'INSERT INTO batch_rows (batch, position, line, cells, payout, key) VALUES (?, ?, ?, ?, ?, ?)',
);
const { last } = db.prepare('SELECT max(id) AS last FROM payouts').get();
const acceptedMs = Date.now();
const payouts = readPayroll(file).map((row, place) => {
  const destination = row.phoneNumber === '' ? 'Bank Account' : 'MoMo';
  const number = row.phoneNumber || row.accountNumber;
  const payee = destination === 'MoMo' ? `KE:momo:${number}` : `KE:bank:${row.bankCode}:${number}`;
  const digest = hash('sha1', JSON.stringify([1, run, 'paymentId', row.paymentId, 1]));
  const reference = digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { id: last + place + 1, place, row, destination, number, payee, reference };
});
const batch = Number(insertBatch.run(run, run, environment, acceptedMs, file).lastInsertRowid);
db.transaction(() => {
  for (const { id, place, row, destination, number, payee, reference } of payouts) {
    const { paymentId, accountName, country, currency, bankCode } = row;
    const minor = Math.round(Number(row.amount) * 100);
    const fingerprint = hash('sha256', JSON.stringify([payee, minor, currency]));
    const about = [
      accountName,
      accountName.toUpperCase(),
      country,
      currency,
      minor,
      destination,
      number,
      bankCode,
    ];
    const accepted = [currency, run, acceptedMs];
    insertPayout.run(id, batch, paymentId, reference, fingerprint, payee, ...about, ...accepted);
    insertRow.run(batch, place, place + 2, JSON.stringify(Object.values(row)), id, paymentId);
  }
})();

// Names and accounts, and the accounts read back.
const insertName =
  db.prepare(`INSERT INTO resolved_names (environment, payee, currency, kind, name, at_ms, rail, repeats)
  VALUES (?, ?, ?, 'name', ?, ?, ?, 0)`);
const insertAccount = db.prepare(`INSERT INTO payees (environment, payee, currency, external_account_id, made)
  VALUES (?, ?, ?, ?, 1)`);
await each(payouts, async (payout) => {
  const { row, payee, destination } = payout;
  const { currency, bankCode } = row;
  const calls = callsOf(row, run);
  const named = await call('POST', '/utilities/account/resolve', calls.resolve);
  payout.name = named.data.accountName;
  expect(payout.name === row.accountName, 'another name');
  const rail = `${destination} ${currency} ${bankCode}`;
  recorded(() => insertName.run(environment, payee, currency, payout.name, Date.now(), rail));
  const made = await call('POST', '/external-accounts', calls.account);
  payout.account = made.data.id;
  payout.request = { ...calls.payout(payout.account), externalReference: payout.reference };
  recorded(() => insertAccount.run(environment, payee, currency, payout.account));
});
const { data: accounts } = await call('GET', '/external-accounts');
const numbers = new Map(accounts.map((each) => [each.externalAccountId, each.payoutMethod.accountNumber]));

// Sends.
const toSubmitting =
  db.prepare(`UPDATE payouts SET external_account_id = ?, verdict = 'match', resolved_name = ?,
  resolved_ms = ?, ever_sent = 1, state = 'submitting' WHERE id = ? AND state = 'planned'`);
const insertSend = db.prepare('INSERT INTO sends (payout, reference, run, begun_ms) VALUES (?, ?, ?, ?)');
const toSubmitted = db.prepare(`UPDATE payouts SET transaction_id = ?, submitted_ms = ?, state = 'submitted'
  WHERE id = ? AND state = 'submitting'`);
const endSend = db.prepare(
  "UPDATE sends SET ended_ms = ?, outcome = 'ok', code = 'accepted', transaction_id = ? WHERE id = ?",
);
const insertKnown = db.prepare('INSERT INTO known_transactions VALUES (?, ?, ?)');
const submitted = new Map();
await each(payouts, async (payout) => {
  const { id, name, number, account, reference } = payout;
  expect(numbers.get(account) === number, 'another account');
  await onDisk(() => {
    toSubmitting.run(account, name, Date.now(), id);
    moved(payout, 'planned', 'ready', 'name match');
    moved(payout, 'ready', 'submitting', 'first send');
    payout.send = insertSend.run(id, reference, run, Date.now()).lastInsertRowid;
  });
  const { transactionId } = await call('POST', '/fiat/payout', payout.request);
  payout.transactionId = transactionId;
  submitted.set(transactionId, payout);
  recorded(() => {
    toSubmitted.run(transactionId, Date.now(), id);
    endSend.run(Date.now(), transactionId, payout.send);
    insertKnown.run(id, reference, transactionId);
    moved(payout, 'submitting', 'submitted', '');
  });
});

// Read ten at a call; the service counts its transactions.
const toPaid = db.prepare(
  "UPDATE payouts SET settled_ms = ?, state = 'paid' WHERE id = ? AND state = 'submitted'",
);
const inPage = 10;
const pages = Array.from({ length: Math.ceil(payouts.length / inPage) }, (_, page) => (page + 1) * inPage);
await each(pages, async (before) => {
  const place = `tx${String(before).padStart(12, '0')}`;
  const page = await call('GET', `/transactions?limit=${inPage}&transactionId=${place}`);
  for (const { transactionId, status, externalReference } of page.data) {
    const payout = submitted.get(transactionId);
    if (!payout) continue;
    submitted.delete(transactionId);
    expect(status === 'SUCCESSFUL' && externalReference === payout.reference, 'not paid');
    recorded(() => {
      toPaid.run(Date.now(), payout.id);
      moved(payout, 'submitted', 'paid', 'the service says successful');
    });
  }
});
// Those of two people who were paid before stand in the pages too, and as many of ours behind them.
await each([...submitted.values()], async (payout) => {
  const { data } = await call('GET', `/transactions/${payout.transactionId}`);
  expect(data.status === 'SUCCESSFUL' && data.externalReference === payout.reference, 'not paid');
  recorded(() => {
    toPaid.run(Date.now(), payout.id);
    moved(payout, 'submitted', 'paid', 'the service says successful');
  });
});
await onDisk(() => {});

// Results.
const results = openSync(`${folder}/bare-journal.results.csv`, 'w');
const rowsAtOnce = 500;
const atMs = new Date(acceptedMs).toISOString();
for (let from = 0; from < payouts.length; from += rowsAtOnce) {
  const lines = payouts
    .slice(from, from + rowsAtOnce)
    .map(({ row, account, name, reference, transactionId }) => {
      const own = [run, row.paymentId, 'paid', '', row.amount, atMs, reference, transactionId, account];
      return `${[...Object.values(row), ...own, 'match', name, 1, atMs, atMs].join()}\n`;
    });
  writeSync(results, lines.join(''));
}
fsyncSync(results);
closeSync(results);
const { left } = db.prepare("SELECT count(*) AS left FROM payouts WHERE state <> 'paid'").get();
expect(left === 0, `${left} are not paid`);
db.close();
await pool.close();

function expect(isSo, otherwise) {
  if (!isSo) throw new Error(otherwise);
}

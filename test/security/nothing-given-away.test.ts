import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fastFlags, openPayroll, type Payroll } from '../support/pay-run.ts';
import { startPayrollService } from '../support/payroll-service.ts';
import { type Finished, spawnPayrun } from '../support/run-payrun.ts';
import { isPayout, type SeenCall, watchService } from '../support/watched-service.ts';

const numbers = ['712000101', '712000102', '712000103', '0123456789012'] as const;
const files = {
  'without ids, so that payments go by their payees': `accountName,country,currency,amount,phoneNumber,accountNumber,bankCode
Amina Otieno,KE,KES,1001.00,+254712000101,,
John Kamau,KE,KES,1002.00,+254712000102,,
Mary Wanjiku,KE,KES,1003.00,+254712000103,,
Daudi Barasa,KE,KES,1004.00,,0123456789012,68
`,
  'with numbers for ids': `paymentId,accountName,country,currency,amount,phoneNumber,accountNumber,bankCode
+254712000101,Amina Otieno,KE,KES,1001.00,+254712000101,,
254712000102,John Kamau,KE,KES,1002.00,+254712000102,,
0712000103,Mary Wanjiku,KE,KES,1003.00,+254712000103,,
0123456789012,Daudi Barasa,KE,KES,1004.00,,0123456789012,68
`,
};

/** Everything that a person, a log collector or a neighbour on the machine gets to see of a command. */
interface Shown extends Finished {
  readonly commandLine: string;
}

async function show(
  payroll: Payroll,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const child = spawnPayrun(args, { cwd: payroll.folder, env: { ...payroll.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  await once(child, 'spawn');
  const commandLine = existsSync('/proc')
    ? readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
    : args.join(' ');
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, stdout, stderr, commandLine };
}

/** Refuses with our own headers and the payee's number in its words, and lets the rest go wrong in other ways. */
function echoing(call: SeenCall, seen: SeenCall[]) {
  if (!isPayout(call)) return undefined;
  seen.push(call);
  const echo = `${call.token} for +254712000102, account 0123456789012`;
  if (seen.length === 1)
    return { kind: 'answer', status: 401, body: { success: false, message: echo } } as const;
  if (seen.length === 2) return { kind: 'answer', status: 502, body: `<html>${echo}</html>` } as const;
  if (seen.length === 3) return { kind: 'lose-reply' } as const;
  return {
    kind: 'answer',
    status: 400,
    body: { success: false, errorCode: `E-ECHO ${call.token}`, message: echo },
  } as const;
}

describe('a run that goes wrong in every way gives nothing away', () => {
  test.for(Object.entries(files))(
    'no secret and no whole number in what it says, logs or leaves behind; no secret in any journal column: a file %s',
    async ([, file]) => {
      const service = await startPayrollService('on');
      const watched = await watchService(service);
      const payroll = openPayroll(watched);
      payroll.write('pay.csv', file);
      const sent: SeenCall[] = [];
      watched.interfere((call) => echoing(call, sent));
      const plain = createServer((_, response) => void response.end('no TLS here'));
      plain.listen(0, '127.0.0.1');
      await once(plain, 'listening');
      onTestFinished(() => void plain.close());
      const { port } = plain.address() as AddressInfo;

      const paying = [
        'run',
        'pay.csv',
        '--yes',
        '--max-total',
        'KES=9000',
        '--on-mismatch',
        'pay',
        ...fastFlags,
      ];
      const wrongKey = { PAYRUN_API_KEY: 'wrong-key-of-a-person-1234567890' };
      const shown: Shown[] = [await show(payroll, [...paying, '--verbose'])];
      // One after the other: two runs of one batch at once, and the second would only say that.
      shown.push(await show(payroll, [...paying, '--json-lines'], wrongKey));
      shown.push(
        await show(payroll, [...paying, '--json'], { PAYRUN_BASE_URL: `https://127.0.0.1:${port}` }),
      );
      const { apiKey, webhookSecret } = service;
      for (const flags of [
        ['--api-key', apiKey],
        [`--api-key=${apiKey}`],
        ['--webhook-secret', webhookSecret],
      ]) {
        shown.push(await show(payroll, ['run', 'pay.csv', '--yes', ...flags]));
      }
      watched.interfere();
      shown.push(await show(payroll, ['resume', 'pay', '--json-lines', ...fastFlags]));
      shown.push(
        ...(await Promise.all([show(payroll, ['status', 'pay']), show(payroll, ['audit', '--service'])])),
      );

      expect(sent.length).toBeGreaterThan(3);
      const [first, wrong, noTls, ...flags] = shown.map(({ exit }) => exit);
      expect(first).not.toBe(0);
      expect([wrong, noTls, ...flags.slice(0, 3)]).toEqual([77, 69, 2, 2, 2]);

      const token = sent[0]?.token.replace(/^Bearer /, '') ?? '';
      expect(token.length).toBeGreaterThan(20);
      const secrets = [
        service.apiKey,
        service.publicKey,
        service.webhookSecret,
        token,
        wrongKey.PAYRUN_API_KEY,
      ];
      const log = readFileSync(join(payroll.workspace, 'payrun.log'), 'utf8');
      expect(log).toContain('"kind":"moved"');

      for (const { exit, stdout, stderr, commandLine } of shown) {
        // Where a person wrote a secret into the command line it stands there, and payrun says it to nobody else.
        const said = exit === 2 ? `${stdout}${stderr}` : `${stdout}${stderr}${commandLine}`;
        for (const secret of secrets) expect(said).not.toContain(secret);
      }
      for (const [name, bytes] of leftBehind(payroll.folder)) {
        for (const secret of secrets) expect(bytes.includes(secret), `${name} holds a secret`).toBe(false);
      }
      for (const number of numbers) {
        expect(log).not.toContain(number);
        // An id is how a person finds the payment in the file, so a screen shows it whatever it is.
        if (file.startsWith('paymentId')) continue;
        for (const { stdout, stderr } of shown) expect(`${stdout}${stderr}`).not.toContain(number);
      }
      expect(columnsWith(payroll.journalFile, numbers)).toEqual(meantColumns);
    },
  );
});

/** What stands in the place of every text that the service could fill with our key or token. */
function filled(call: SeenCall, apiKey: string) {
  const token = call.token.replace(/^Bearer /, '');
  const echo = (text: string) => `${text} ${token} ${encodeURIComponent(apiKey)}`;
  const reply = (text: string): string => {
    const body = JSON.parse(text) as { data?: Record<string, unknown> | Record<string, unknown>[] };
    if (call.path.startsWith('/utilities/account/resolve')) {
      return JSON.stringify({ ...body, data: { accountId: echo('1'), accountName: echo('Amina Otieno') } });
    }
    if (call.path.startsWith('/transactions')) {
      for (const each of [body.data ?? []].flat()) {
        each['type'] = echo(String(each['type']));
        each['status'] = echo(String(each['status']));
        each[token] = apiKey;
      }
    }
    if (isPayout(call)) Object.assign(body, { transactionId: echo('TX'), message: echo('Accepted') });
    if (call.path === '/users')
      Object.assign(body, { firstName: echo('Ada'), [`${apiKey}Wallet`]: { balance: 1 } });
    return JSON.stringify(body);
  };
  return { kind: 'change', reply } as const;
}

describe('a service that echoes key and token wherever a text of its may stand', () => {
  test('is not repeated to anybody, and what it says is not believed', async () => {
    const service = await startPayrollService('on');
    const watched = await watchService(service);
    const payroll = openPayroll(watched);
    payroll.write('pay.csv', files['without ids, so that payments go by their payees']);
    watched.interfere((call) => (call.path.startsWith('/auth') ? undefined : filled(call, service.apiKey)));
    const paying = ['run', 'pay.csv', '--yes', '--max-total', 'KES=9000', ...fastFlags];

    const held = await show(payroll, [...paying, '--verbose', '--json-lines']);
    const verdicts = payroll.results('pay').map((row) => row['payrun_verdict']);
    const released = await show(payroll, ['release', 'pay', '--all', '--reason', 'seen by phone']);
    const resumed = await show(payroll, ['resume', 'pay', '--json-lines', ...fastFlags]);
    const statuses = payroll.statuses('pay').map((line) => line.split(' ').at(-1));
    const told = await Promise.all([
      show(payroll, ['status', 'pay']),
      show(payroll, ['audit', '--service', '--json']),
      show(payroll, ['plan', 'pay.csv', '--check-names']),
    ]);

    expect([held.exit, released.exit]).toEqual([3, 0]);
    expect(verdicts).toEqual(['unchecked', 'unchecked', 'unchecked', 'unchecked']);
    // They may have been paid, and no id that could be trusted was given: nothing is called paid or pending.
    expect(watched.payoutCalls().length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 'unknown' && status !== 'not_sent')).toEqual([]);
    const tokens = [...new Set(watched.calls.map(({ token }) => token.replace(/^Bearer /, '')))];
    const secrets = [service.apiKey, ...tokens.filter((token) => token !== '')];
    expect(secrets.length).toBeGreaterThan(1);
    for (const { stdout, stderr, commandLine } of [held, released, resumed, ...told]) {
      for (const secret of secrets) expect(`${stdout}${stderr}${commandLine}`).not.toContain(secret);
    }
    for (const [name, bytes] of leftBehind(payroll.folder)) {
      for (const secret of secrets) expect(bytes.includes(secret), `${name} holds a secret`).toBe(false);
    }
    expect(readFileSync(join(payroll.workspace, 'payrun.log'), 'utf8')).toContain('"kind":"moved"');
  });
});

/** Where numbers belong: the rows as they came, and the payee, which is the key of payments that have no id. */
const meantColumns = [
  'batch_rows.cells',
  'payees.payee',
  'payouts.key',
  'payouts.number',
  'payouts.payee',
  'resolved_names.payee',
];

/** Every file below a folder with its bytes: journal, its log, results, retry file, run log. */
function leftBehind(folder: string): [string, Buffer][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path): [string, Buffer] => [path, readFileSync(path)]);
}

function columnsWith(journal: string, texts: readonly string[]): string[] {
  const db = new Database(journal, { readonly: true });
  const tables = db
    .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .pluck()
    .all();
  const found = new Set<string>();
  for (const table of tables) {
    for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all()) {
      for (const [column, value] of Object.entries(row)) {
        const text = Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
        if (texts.some((number) => text.includes(number))) found.add(`${table}.${column}`);
      }
    }
  }
  db.close();
  return [...found].sort();
}

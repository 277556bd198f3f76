import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJournal } from '../../../src/journal/open-journal.ts';
import { planSchema } from '../../../src/report/plan-document.ts';
import { journalPath, makeWorkspace } from '../../../src/workspace.ts';
import { startPayrollService } from '../../support/payroll-service.ts';
import { type Finished, runPayrun } from '../../support/run-payrun.ts';
import { seedBatch } from '../../support/seed-journal.ts';

const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
let folder = '';

// Each test starts the program a few times, on machines that may be busy.

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-plan-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${[head, ...lines].join('\n')}\n`);
  return path;
}

const mary = 'E1,Mary Wanjiku,KE,KES,1500.00,+254700000001';
const peter = 'E2,Peter Mutua,KE,KES,2500.50,+254712000002';

function plan(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return runPayrun(['plan', ...args], { cwd: folder, env });
}

const documentOf = ({ stdout }: Finished) => planSchema.parse(JSON.parse(stdout));

describe('payrun plan', () => {
  test('of the embedded service is paid there, and a run that lacks the flag is told so', async () => {
    const file = written('try.csv', mary, peter);
    const workspace = ['--workspace', join(folder, 'tried')];
    const planned = await plan([file, '--sandbox', '--out', 'tried.json', ...workspace]);
    expect(planned).toMatchObject({ exit: 0 });
    const without = await runPayrun(['run', '--plan', 'tried.json', '--yes'], { cwd: folder });
    expect(without.exit).toBe(78);
    expect(without.stderr).toContain('or add --sandbox: the plan is of the embedded service.');
    const other = { PAYRUN_BASE_URL: 'http://127.0.0.1:9', PAYRUN_PUBLIC_KEY: 'pk', PAYRUN_API_KEY: 'sk' };
    const elsewhere = await runPayrun(['run', '--plan', 'tried.json', '--yes'], { cwd: folder, env: other });
    expect(elsewhere.exit).toBe(2);
    expect(elsewhere.stderr).toContain('To pay by this plan, add --sandbox: the plan is of the embedded');
  });

  test('without a workspace says that it knows no earlier payments, and makes none', async () => {
    const file = written('november.csv', mary, peter);
    const out = join(folder, 'plan.json');
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const [text, json] = await Promise.all([plan([file], env), plan([file, '--json', '--out', out], env)]);
    expect(text).toMatchObject({ exit: 0, stderr: '' });
    expect(json.stderr).toBe(`The plan is in ${out}.\n`);
    expect(text.stdout).toMatch(/^NO SERVICE\n/);
    expect(text.stdout).toContain('Batch november (new): 2 rows: 2 new.');
    expect(text.stdout).toContain('knows no earlier payments');
    expect(text.stdout).toContain('goes now  2  KES 4,000.50');
    expect(text.stdout).toMatch(/Nothing was sent\.\nNext: payrun run \S*november\.csv\n$/);
    const document = documentOf(json);
    expect(document).toMatchObject({
      batch: 'november',
      kind: 'plan',
      mode: null,
      environment: null,
      exit: 0,
      remembers: false,
      keyKind: 'paymentId',
      rows: 2,
      valid: 2,
      fates: { new: 2 },
      totals: { KES: { rows: 2, file: '4000.50', paidBefore: '0.00', toSend: '4000.50' } },
      funds: null,
      names: null,
      diff: null,
      guards: [],
    });
    expect(text.stdout).toContain(`Plan ${document.digest.slice(0, 16)}.`);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(document);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(existsSync(join(folder, 'state'))).toBe(false);
  });

  test('on the sandbox asks for funds and payees, and ends with 6 where run would refuse', async () => {
    const file = written('large.csv', mary, 'E2,Peter Mutua,KE,KES,9999999999999.99,+254712000002');
    const { exit, stdout } = await plan([file, '--sandbox']);
    expect(exit).toBe(6);
    expect(stdout).toMatch(/^SANDBOX {2}sandbox /);
    expect(stdout).toContain('REFUSED (funds)');
    expect(stdout).toContain('A run would refuse to pay this');
    expect(readdirSync(folder)).not.toContain('.payrun');
  });

  test('with a journal compares with what was paid, ends with 6 for repeats, and leaves the journal as it was', async () => {
    const workspace = join(folder, 'workspace');
    makeWorkspace(workspace);
    const db = openJournal(journalPath(workspace, 'live'));
    await seedBatch(db, [{ key: 'E1', state: 'paid' }], { name: 'october' });
    const kept = () =>
      db.prepare('SELECT (SELECT count(*) FROM batches), (SELECT count(*) FROM events)').raw().get();
    const before = kept();
    const file = written('november.csv', mary, peter);
    const [json, allowed] = await Promise.all([
      plan([file, '--workspace', workspace, '--json']),
      plan([file, '--workspace', workspace, '--allow-repeats', '1']),
    ]);
    expect(json.exit).toBe(6);
    const document = documentOf(json);
    expect(document).toMatchObject({ exit: 6, remembers: true, guards: [{ code: 'repeats' }] });
    expect(document.diff?.previousBatch).toBe('october');
    expect(document.diff?.joined).toMatchObject({ count: 1, first: [{ line: 3, name: 'Peter Mutua' }] });
    expect(allowed.exit).toBe(0);
    expect(allowed.stdout).toContain('Compared with batch october');
    expect(allowed.stdout).toMatch(/Next: payrun run .*--allow-repeats 1/);
    expect(kept()).toEqual(before);
    db.close();
  });

  test('ends with 65 for a file that is refused, whether or not the service answers; with --skip-invalid the rest counts', async () => {
    const file = written('half.csv', mary, 'E2,Peter Mutua,KE,KES,0,+254712000002');
    const dead = { PAYRUN_BASE_URL: 'http://127.0.0.1:1', PAYRUN_API_KEY: 'k', PAYRUN_PUBLIC_KEY: 'p' };
    const [refused, skipping] = await Promise.all([
      plan([file], dead),
      plan([file, '--skip-invalid', '--json']),
    ]);
    expect(refused.exit).toBe(65);
    expect(refused.stdout).toContain('The service could not be asked.');
    expect(refused.stdout).toContain('[amount-zero]');
    expect(refused.stdout).toMatch(/Or pay only the valid rows: payrun plan .*--skip-invalid/);
    expect(skipping.exit).toBe(0);
    expect(documentOf(skipping)).toMatchObject({ exit: 0, rows: 2, valid: 1, problems: { blocking: 1 } });
  });

  test('says which service, credential, setting, file or flag is wrong by its exit code', async () => {
    const file = written('november.csv', mary, peter);
    const service = await startPayrollService();
    const live = {
      PAYRUN_BASE_URL: service.url,
      PAYRUN_API_KEY: service.apiKey,
      PAYRUN_PUBLIC_KEY: service.publicKey,
    };
    const { PAYRUN_API_KEY: _, ...keyless } = live;
    const asked: readonly (readonly [exit: number, args: string[], env: Record<string, string>])[] = [
      [0, [file], live],
      [77, [file], { ...live, PAYRUN_API_KEY: 'wrong' }],
      [78, [file], keyless],
      [69, [file], { ...live, PAYRUN_BASE_URL: 'http://127.0.0.1:1' }],
      [66, ['nothing.csv'], {}],
      [2, [file, '--chek-names'], {}],
      [2, [file, '--notice', 'much'], {}],
    ];
    const finished = await Promise.all(asked.map(([, args, env]) => plan([...args, '--json'], env)));
    expect(finished.map(({ exit }) => exit)).toEqual(asked.map(([exit]) => exit));
    const [sound, ...stopped] = finished;
    expect(documentOf(sound as Finished)).toMatchObject({
      kind: 'plan',
      mode: 'LIVE',
      payees: { known: 0, new: 2 },
    });
    for (const { stdout, stderr, exit } of stopped) {
      expect(JSON.parse(stdout).error).toMatchObject({ exit });
      expect(stderr).not.toMatch(/\n {4}at /);
      expect(stderr).not.toContain(service.apiKey);
    }
  });

  test('lets nothing from a file or a name act on the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
    const path = join(folder, `evil${evil}.csv`);
    // Enough plain text around it that the file is not taken for a binary one.
    const plain = Array.from(
      { length: 60 },
      (_, index) => `F${index},Grace Njeri,KE,KES,1,+2547120${20000 + index},,`,
    );
    const rows = [
      `${head},Not${evil}es,payrun_batch`,
      `E1,Mary ${evil}Wanjiku,KE,KES,10.00,+254712000001,a${evil}b,`,
      `E${evil}2,Peter Mutua,KE,KES,20.00,+254712000002,,pay${evil}`,
      ...plain,
    ];
    writeFileSync(path, `${rows.join('\n')}\n`);
    const finished = await Promise.all([
      plan([path, '--batch', 'november']),
      plan([path, '--batch', 'november', '--json']),
    ]);
    for (const { stdout, exit } of finished) {
      expect(exit).toBe(65);
      expect(stdout).not.toMatch(acting);
    }
    expect(finished[0]?.stdout).toContain('[control-characters]');
    expect(documentOf(finished[1] as Finished).rows).toBe(62);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

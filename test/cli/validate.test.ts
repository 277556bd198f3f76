import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { validationSchema } from '../../src/report/validation-document.ts';
import { type Finished, runPayrun, spawnPayrun } from '../support/run-payrun.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const corpus = join(root, 'test/fixtures/files');
const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
let folder = '';

// Each test starts the program a few times, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-validate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const validate = (...args: readonly string[]) => runPayrun(['validate', ...args], { cwd: folder });

function documentOf({ stdout }: Finished) {
  const document: unknown = JSON.parse(stdout);
  expect(Object.keys(document as object)).toEqual(['ok', 'file', 'rows', 'totals', 'problems', 'repairs']);
  return validationSchema.parse(document);
}

const sound = (index: number) =>
  `E${index},Person Number${'abcdefghij'[index]},KE,KES,1000.50,+25471200010${index}`;

describe('payrun validate', () => {
  test('says that a sound file can be paid, its total and the next command, and ends with 0', async () => {
    const file = written('sound.csv', head, sound(1), sound(2));
    const [text, json] = await Promise.all([validate(file), validate(file, '--json')]);
    expect(text).toMatchObject({ exit: 0, stderr: '' });
    expect(text.stdout).toMatch(
      /all 2 rows can be paid\. Total KES 2,001\.00\.\nNext: payrun plan \S*sound\.csv\n$/,
    );
    expect(json.exit).toBe(0);
    const document = documentOf(json);
    expect(document).toEqual({
      ok: true,
      file,
      rows: 2,
      totals: { KES: '2001.00' },
      problems: [],
      repairs: [],
    });
  });

  test('prints every problem as one document and ends with 65', async () => {
    const file = written(
      'mixed.csv',
      head,
      sound(1),
      'E2,Peter Mutua,KE,KES,0,+254712000102',
      'E3,Amina Hassan,KE,KES,50.00,712000103',
      'E1,Grace Njeri,KE,KES,1.00,+25471200',
    );
    const json = await validate(file, '--json');
    expect(json.exit).toBe(65);
    const { ok, rows, totals, problems, repairs } = documentOf(json);
    expect({ ok, rows, totals }).toEqual({ ok: false, rows: 4, totals: { KES: '50.00' } });
    expect(
      problems.map(({ line, column, code, value, blocking }) => [line, column, code, value, blocking]),
    ).toEqual([
      [2, 'paymentId', 'duplicate-payment-id', 'E1', true],
      [3, 'amount', 'amount-zero', '0', true],
      [5, 'phoneNumber', 'phone-too-short', '+25471200', true],
      [5, 'paymentId', 'duplicate-payment-id', 'E1', true],
    ]);
    expect(repairs).toMatchObject([
      { line: 4, code: 'phone-leading-zero', from: '712000103', to: '+254712000103' },
    ]);
  });

  test('groups problems, warnings first and what spoils the whole file last, and then the verdict', async () => {
    const file = written(
      'grouped.csv',
      head,
      'E1,Mary Wanjiku,KE,KES,1000,+254712',
      'E2,Peter Mutua,KE,KES,1000,+254713',
      'E3,Amina Hassan,KE,KES,1000,+254714',
      'E4,Grace Njeri,KE,KES,0,+254712000104',
      'E5,Hassan Abdi,KE,KES,1000,+254712000105',
      'E6,Hassan Abdi,KE,KES,1000,+254712000106',
      'Total,,,,9999,',
    );
    const { exit, stdout } = await validate(file);
    expect(exit).toBe(65);
    const order = [
      'Warnings',
      'name-two-accounts',
      'To be mended',
      'amount-zero',
      'phone-too-short',
      'total-mismatch',
      'Next: mend the file, then payrun validate',
    ];
    const places = order.map((text) => stdout.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(stdout).toMatch(/3 rows: [^\n]*\[phone-too-short\]\n\s+in phoneNumber, lines 2, 3, 4\n/);
    // A file that is spoilt whole has no sound rows to pay meanwhile.
    expect(stdout).not.toContain('--skip-invalid');
    expect(stdout.trimEnd().endsWith('grouped.csv')).toBe(true);
  });

  test('offers to pay the sound rows where only some are not, with the flags that were given', async () => {
    const file = written(
      'some.csv',
      'id,who,amount,phone',
      'E1,Mary Wanjiku,10,+254712000101',
      'E2,Peter Mutua,0,+254712000102',
    );
    const flags = [
      '--map',
      'id=paymentId',
      '--map',
      'who=accountName',
      '--default',
      'country=KE',
      '--default',
      'currency=KES',
    ];
    const { exit, stdout } = await validate(file, ...flags);
    expect(exit).toBe(65);
    expect(stdout).toMatch(/1 of 2 rows can be paid \(KES 10\.00\)/);
    expect(stdout).toMatch(
      /payrun plan \S*some\.csv .*--map who=accountName .*--default country=KE .*--skip-invalid/,
    );
  });

  test('writes all problems as data, privately, and never over the payroll', async () => {
    const file = written('bad.csv', head, 'E1,=cmd(),KE,KES,0,+254712000101', sound(2));
    const path = join(folder, 'problems.csv');
    const { exit, stderr } = await validate(file, '--problems', path);
    expect(exit).toBe(65);
    expect(stderr).toContain(path);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('\ufeffline,column,code,blocking,message,value');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
      '2,accountName,formula,true',
      '2,amount,amount-zero,true',
    ]);
    expect(lines[1]).toMatch(/,'=cmd\(\)$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const over = await validate(file, '--problems', file);
    expect(over.exit).toBe(2);
    expect(readFileSync(file, 'utf8')).toContain(head);
    expect((await validate(file, '--problems', join(folder, 'no', 'such.csv'))).exit).toBe(73);
  });

  test('saves the columns as configuration, which reads the file the same way, and never over a file', async () => {
    const file = written('named.csv', 'Jina,Simu,Kiasi', 'Mary Wanjiku,+254712000101,10.00');
    const path = join(folder, 'columns.json');
    const flags = ['--map', 'Jina=accountName', '--map', 'Simu=phoneNumber', '--map', 'Kiasi=amount'];
    const defaults = ['--default', 'country=KE', '--default', 'currency=KES'];
    const first = await validate(file, ...flags, ...defaults, '--save-map', path);
    expect(first.exit).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      columns: { Jina: 'accountName', Simu: 'phoneNumber', Kiasi: 'amount' },
      defaults: { country: 'KE', currency: 'KES' },
    });
    const [again, over] = await Promise.all([
      validate(file, '--config', path, '--json'),
      validate(file, '--config', path, '--save-map', path),
    ]);
    expect(documentOf(again)).toMatchObject({ ok: true, totals: { KES: '10.00' } });
    expect(over).toMatchObject({ exit: 73, stderr: expect.stringContaining('already there') });
  });

  test('reads from stdin', async () => {
    const child = spawnPayrun(['validate', '-', '--json'], { cwd: folder });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stdin.end(`${head}\n${sound(3)}\n`);
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, file: '-', rows: 1 });
  });

  test('knows spreadsheets and PDFs by what they hold, and says how to save them as CSV', async () => {
    const [workbook, pdf] = await Promise.all([
      validate(join(corpus, 'workbook-named.csv')),
      validate(join(corpus, 'pdf-named.csv')),
    ]);
    expect(workbook.exit).toBe(65);
    expect(workbook.stdout).toMatch(/spreadsheet.*Save As.*CSV/);
    expect(pdf.exit).toBe(65);
    expect(pdf.stdout).toMatch(/PDF.*export.*CSV/);
  });

  test('says in one line what stops it, with the exit code for it and no stack', async () => {
    mkdirSync(join(folder, 'a-folder'));
    written('ok.csv', head, sound(1));
    const stopped: readonly (readonly [exit: number, ...args: string[]])[] = [
      [66, 'nothing-there.csv'],
      [66, 'a-folder'],
      [2, 'ok.csv', '--skip'],
      [2, 'ok.csv', '--map', 'amount=nonsense'],
      [2, 'ok.csv', '--batch', 'a', '--batch', 'b'],
      [78, 'ok.csv', '--config', 'nothing.json'],
    ];
    const finished = await Promise.all(stopped.map(([, ...args]) => validate(...args, '--json')));
    for (const [index, { exit, stdout, stderr }] of finished.entries()) {
      const [expected, ...args] = stopped[index] ?? [];
      expect(exit, args.join(' ')).toBe(expected);
      const error = { code: expect.any(String), message: expect.any(String), exit };
      expect(JSON.parse(stdout)).toEqual({ error });
      expect(stderr).toMatch(/^payrun: /);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
  });

  test('lets nothing from a file act on the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
    // Enough plain text around it that the file is not taken for a binary one.
    const plain = Array.from(
      { length: 60 },
      (_, index) => `F${index},Grace Njeri,KE,KES,1,+2547120${20000 + index},,`,
    );
    const file = written(
      'evil.csv',
      `${head},Not${evil}es,payrun_batch`,
      `E1,Mary ${evil}Wanjiku,KE,KES,1${evil}0,+254712000102,note,`,
      `E2${evil},Mary Wanjiku,KE,KES,10.00,+254712000101,note,pay${evil}roll`,
      ...plain,
    );
    const problems = join(folder, 'evil-problems.csv');
    const finished = await Promise.all([
      validate(file),
      validate(file, '--json', '--problems', problems),
      validate(file, '--batch', `a${evil}b`),
      validate(join(folder, `no${evil}file.csv`)),
      validate(written(`sound${evil}.csv`, head, sound(1))),
    ]);
    expect(finished.map(({ exit }) => exit)).toEqual([65, 65, 2, 66, 0]);
    for (const { stdout, stderr } of finished) expect(stdout + stderr).not.toMatch(acting);
    expect(finished[0]?.stdout).toContain('[control-characters]');
    expect(documentOf(finished[1] as Finished).ok).toBe(false);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validationSchema } from '../../../src/report/schemas/validation-schema.ts';
import { type Finished, runPayrun, spawnPayrun } from '../../support/run-payrun.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const corpus = join(root, 'test/fixtures/files');
const head = 'paymentId,accountName,country,currency,amount,phoneNumber';
let folder = '';

// Each test starts the program a few times, on machines that may be busy.

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

  test.each(['validate', 'plan'])(
    '%s proposes each next command for the sandbox where it was used',
    async (command) => {
      const file = written('sandboxed.csv', head, sound(1));
      const some = written(
        'some-sandboxed.csv',
        head,
        sound(1),
        'E2,Amina Hassan,KE,KES,1.200,+254712000102',
      );
      const propose = (path: string) =>
        runPayrun([command, path, '--sandbox', '--workspace', 'w'], { cwd: folder });
      const said = await Promise.all([propose(file), propose(some)]);
      const commands = said.flatMap(
        ({ stdout }) => stdout.match(/\bpayrun (?:validate|plan|run) \S+\.csv.*/g) ?? [],
      );
      expect(commands.length).toBeGreaterThanOrEqual(3);
      for (const each of commands) expect(each).toContain(' --workspace w --sandbox');
    },
  );

  test('says that a narration is not sent to the service, and of a long one what is compared', async () => {
    const file = written('noted.csv', `${head},Reason`, `${sound(1)},${'long '.repeat(40)}`);
    const { exit, stdout } = await validate(file);
    expect(exit).toBe(0);
    expect(stdout).toContain(
      'narration from "Reason".\nThe narration is not sent: the service takes none. It stays whole in the results.\n',
    );
    expect(stdout).toContain('It stays whole in the results; only a change within the first 140');
    const plain = await validate(written('unnoted.csv', head, sound(1)));
    expect(plain.stdout).not.toContain('narration');
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
      'To be corrected',
      'amount-zero',
      'phone-too-short',
      'total-mismatch',
      'Next: correct the file, then payrun validate',
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

  test('counts rows and not the totals between them, and speaks of one row as of one', async () => {
    const [one, some] = await Promise.all([
      validate(written('one.csv', head, sound(1))),
      validate(written('subtotal.csv', head, sound(1), 'Sub total,,,,1000.50,', sound(2), sound(3))),
    ]);
    expect(one.stdout).toContain('the one row can be paid');
    expect(some.stdout).toContain('3 of 3 rows can be paid');
  });

  test('names the command with the flag where a flag is the remedy', async () => {
    const [columns, amounts] = await Promise.all([
      validate(written('no-country.csv', 'Name,Net Pay,Phone', 'Mary Wanjiku,10,0712000101')),
      validate(written('doubtful.csv', head, 'E1,Mary Wanjiku,KE,KES,1.200,0712000101')),
    ]);
    expect(columns.stdout).toMatch(
      /payrun validate \S*no-country\.csv --default country=KE --default currency=KES\n/,
    );
    expect(amounts.stdout).toMatch(/payrun validate \S*doubtful\.csv --decimal comma\n/);
  });

  test('says a pair of rows once, and kinds with as many rows in the order of the lines', async () => {
    const file = written(
      'pairs.csv',
      head,
      sound(1),
      'E1,Grace Njeri,KE,KES,1.00,+254712000109',
      'E3,Peter Mutua,KE,KES,much,+254712000103',
      'E4,Amina Hassan,KE,KES,0,+254712000104',
    );
    const { stdout } = await validate(file);
    expect(stdout.match(/The id E1 is also on line/g)).toHaveLength(1);
    expect(stdout.indexOf('[amount-unreadable]')).toBeLessThan(stdout.indexOf('[amount-zero]'));
    expect(stdout.indexOf('[amount-zero]')).toBeLessThan(stdout.indexOf('[duplicate-payment-id]'));
  });

  test('says of every column whether it is used, and what tells payments apart without an id', async () => {
    const file = written(
      'columns.csv',
      'No.,First Name,Surname,country,currency,Net Pay,Phone,Dept',
      '1,Mary,Wanjiku,KE,KES,10,0712000101,Ops',
    );
    const [without, withId] = await Promise.all([validate(file), validate(file, '--map', 'No.=paymentId')]);
    expect(without.stdout).toContain(
      'Columns: firstName, lastName from "Surname", country, currency, amount from "Net Pay", phoneNumber from "Phone".\nNot used, only copied to the results: No., Dept.\nNo column is the payment id: the phone or account number tells the payments apart.\n',
    );
    expect(withId.stdout).toContain('Columns: paymentId from "No.", firstName');
    expect(withId.stdout).not.toContain('No column is the payment id');
  });

  test('tells one account under two names from one payment listed twice', async () => {
    const row = (id: string, name: string, phone: string) => `${id},${name},KE,KES,10,${phone}`;
    const file = written(
      'same.csv',
      head,
      row('E1', 'Mary Wanjiku', '0712000101'),
      row('E2', 'Emeka Nwosu', '0712000101'),
      row('E3', 'Grace Njeri', '0712000103'),
      row('E4', 'Grace Njeri', '0712000103'),
    );
    const { problems } = documentOf(await validate(file, '--json'));
    const said = problems.filter(({ code }) => code === 'same-payee-amount').map(({ message }) => message);
    expect(said).toEqual([
      'The same account gets the same amount on line 3, under another name (Emeka Nwosu). Check whose account it is.',
      'The same account gets the same amount on line 2, under another name (Mary Wanjiku). Check whose account it is.',
      'The same payee gets the same amount on line 5 under another paymentId. If it is one payment, delete one of the lines.',
      'The same payee gets the same amount on line 4 under another paymentId. If it is one payment, delete one of the lines.',
    ]);
  });

  test('names up to 20 lines of a kind and counts the rest, and says how far --allow-shared goes', async () => {
    const rows = Array.from({ length: 23 }, (_, id) => `E${id},Mary Wanjiku,KE,KES,0,07120001${10 + id}`);
    const shared = ['Amina Hassan', 'Peter Mutua', 'John Kamau'].map(
      (name, id) => `F${id},${name},KE,KES,10,0712000201`,
    );
    const { stdout } = await validate(written('many.csv', head, ...rows, ...shared));
    expect(stdout).toMatch(/in amount, lines 2, 3, 4, .*, 20, 21 and 3 more\n/);
    expect(stdout).toMatch(/run again with --allow-shared 3; that goes for every number in the file\./);
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

  test.each(['validate', 'plan'])('%s reads from stdin', async (command) => {
    const batch = command === 'plan' ? ['--batch', 'november'] : [];
    const child = spawnPayrun([command, '-', '--json', ...batch], { cwd: folder });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stdin.end(`${head}\n${sound(3)}\n`);
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: '-', rows: 1 });
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

  test('of what is no table nobody is told to correct it', async () => {
    const file = written('export.pdf', '%PDF-1.7');
    for (const command of ['validate', 'plan']) {
      const { stdout, exit } = await runPayrun([command, file], { cwd: folder });
      expect(exit).toBe(65);
      expect(stdout).toContain('Next: the same command with a CSV file in its place');
      expect(stdout).not.toContain('correct the file');
    }
  });

  test('of a file of ours it says that its batch was not asked', async () => {
    const own = (key: string) => written(`${key}.csv`, `${head},${key}`, `${sound(1)},2025-11`);
    const said = 'what became of its rows, and whether a correction can be taken, validate does not ask';
    expect((await validate(own('payrun_batch'))).stdout).toContain(said);
    expect((await validate(own('month'))).stdout).not.toContain(said);
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

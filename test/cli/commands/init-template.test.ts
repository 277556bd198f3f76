import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPayrun } from '../../support/run-payrun.ts';

let folder = '';

// Each test starts the program a few times, on machines that may be busy.

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'payrun-init-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (...path: readonly string[]) => statSync(join(folder, ...path)).mode & 0o777;

describe('payrun init', () => {
  test('makes a workspace that nobody else can read, whatever the umask', async () => {
    const umask = process.umask(0);
    const workspace = join(folder, 'deep', 'workspace');
    const { exit, stdout } = await runPayrun(['init', '--workspace', workspace], { cwd: folder }).finally(
      () => process.umask(umask),
    );
    expect(exit).toBe(0);
    expect(stdout).toContain(`Made the workspace: ${workspace}\n`);
    expect(stdout).toContain('PAYRUN_API_KEY');
    expect(modeOf('deep', 'workspace')).toBe(0o700);
    expect(modeOf('deep', 'workspace', 'locks')).toBe(0o700);
    expect(modeOf('deep', 'workspace', 'journal.db')).toBe(0o600);
    expect(modeOf('deep', 'workspace', 'payrun.config.json')).toBe(0o600);

    // Again, it keeps what is there.
    const config = join(workspace, 'payrun.config.json');
    writeFileSync(config, '{"timezone":"Africa/Nairobi"}\n');
    const again = await runPayrun(['init', '--workspace', workspace], { cwd: folder });
    expect(again.exit).toBe(0);
    expect(again.stdout).toContain('already there');
    expect(readFileSync(config, 'utf8')).toContain('Nairobi');
  });

  test('leaves a folder alone that is not for it alone, and names signs that would act on a terminal', async () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o755);
    writeFileSync(join(shared, 'other.txt'), '');
    const refused = await runPayrun(['init', '--workspace', shared], { cwd: folder });
    expect(refused.exit).toBe(73);
    expect(refused.stderr).toContain('other things in it');
    expect(modeOf('shared')).toBe(0o755);

    const odd = await runPayrun(['init', '--workspace', 'a\u001b[31mb'], { cwd: folder });
    expect(odd.exit).toBe(0);
    expect(odd.stdout).toContain('<U+001B>[31mb');
    expect(odd.stdout).not.toContain('\u001b');
  });

  test('makes it in the state folder, and for the sandbox here, each with a journal of its own', async () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const [live, sandbox] = await Promise.all([
      runPayrun(['init'], { cwd: folder, env }),
      runPayrun(['init', '--sandbox'], { cwd: folder, env }),
    ]);
    expect([live.exit, sandbox.exit]).toEqual([0, 0]);
    expect(modeOf('state', 'payrun', 'journal.db')).toBe(0o600);
    expect(modeOf('.payrun', 'journal-sandbox.db')).toBe(0o600);
    expect(statSync(join(folder, '.payrun', 'journal.db'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('refuses what it cannot make, and settings it cannot read', async () => {
    symlinkSync(tmpdir(), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    writeFileSync(join(folder, 'bad.json'), '{"apiKey":"secret"}');
    const init = (...args: string[]) => runPayrun(['init', ...args], { cwd: folder });
    const [link, file, config, flag] = await Promise.all([
      init('--workspace', join(folder, 'link')),
      init('--workspace', join(folder, 'file')),
      init('--workspace', join(folder, 'new'), '--config', join(folder, 'bad.json')),
      init('--workspce', 'x'),
    ]);
    expect([link.exit, file.exit, config.exit, flag.exit]).toEqual([73, 73, 78, 2]);
    expect(link.stderr).toContain('symbolic link');
    expect(config.stderr).not.toContain('secret');
    expect(statSync(join(folder, 'new'), { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('payrun template', () => {
  test('prints an empty file whose columns payrun knows, every one', async () => {
    const [short, long] = await Promise.all([runPayrun(['template']), runPayrun(['template', '--all'])]);
    expect([short.exit, long.exit]).toEqual([0, 0]);
    expect(short.stdout).toBe(
      'paymentId,accountName,country,currency,amount,destination,phoneNumber,operator,accountNumber,bankCode,branchCode,narration\r\n',
    );
    expect(long.stdout.trim().split(',')).toEqual(
      expect.arrayContaining([
        ...short.stdout.trim().split(','),
        'debitCurrency',
        'debitCountry',
        'firstName',
      ]),
    );
    const path = join(folder, 'template.csv');
    const row = 'E1,Mary Wanjiku,KE,KES,1000.00,MoMo,0712000101,M-PESA,,,,November';
    writeFileSync(path, short.stdout);
    const empty = await runPayrun(['validate', path, '--json']);
    expect(empty.exit).toBe(65);
    expect(JSON.parse(empty.stdout).problems).toMatchObject([{ code: 'rows-missing' }]);
    writeFileSync(path, `${short.stdout}${row}\r\n`);
    const filled = await runPayrun(['validate', path, '--json']);
    expect(JSON.parse(filled.stdout)).toMatchObject({ ok: true, problems: [], totals: { KES: '1000.00' } });
  });
});

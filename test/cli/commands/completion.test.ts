import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { chooseCommand } from '../../../src/cli/commands/choose-command.ts';
import { payrunPath, runPayrun } from '../../support/run-payrun.ts';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What Tab offers in a bash that finds payrun installed and has read its script. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const bin = mkdtempSync(join(tmpdir(), 'payrun-completion-'));
  const program = join(bin, 'payrun');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${payrunPath}" "$@"\n`);
  chmodSync(program, 0o755);
  const script = `eval "$(payrun completion bash)"
    COMP_WORDS=(payrun "$@") COMP_CWORD=$#
    $(complete -p payrun | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], { env, cwd: bin });
  expect(readdirSync(bin)).toEqual(['payrun']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!hasBash)('Tab in bash', () => {
  test('offers commands', async () => {
    expect(await offered('re')).toEqual(['resume', 'results', 'report', 'retry', 'release', 'rebind']);
    expect(await offered('')).toContain('validate');
  });

  test('offers the flags of a command, and what a flag takes', async () => {
    expect(await offered('run', 'payroll.csv', '--max')).toEqual(['--max-total']);
    expect(await offered('retry', 'payroll', '--max')).toEqual([]);
    expect(await offered('run', 'payroll.csv', '--on-close', '')).toEqual(['hold', 'pay']);
  });

  test('offers nothing where a file is typed, so that bash offers files', async () => {
    expect(await offered('run', 'pay')).toEqual([]);
  });
});

describe('payrun completion', () => {
  test('prints the script of the shell that is named, else of the one in use', async () => {
    expect((await runPayrun(['completion', 'zsh'])).stdout).toMatch(/^#compdef payrun\n/);
    const zsh = await runPayrun(['completion'], { env: { SHELL: '/usr/bin/zsh' } });
    expect(zsh.stdout).toMatch(/^#compdef payrun\n/);
    const bash = await runPayrun(['completion'], { env: { SHELL: '/bin/bash' } });
    expect(bash).toMatchObject({ exit: 0, stdout: expect.stringContaining('complete -o bashdefault') });
  });

  test('is a command like any other: no word behind it is carried out', async () => {
    const ran = await runPayrun(['completion', 'run', '--yes', '--sandbox']);
    expect([ran.exit, ran.stdout]).toEqual([2, '']);
  });

  test.each([
    ['payrun', 'run', 'f.csv', '--yes', '--sandbox'],
    ['payrun', 'run', 'f.csv', '--on-close', 'hold'],
    ['run', 'f.csv', '--yes', '--sandbox'],
    ['payrun', 'sandbox', 'books'],
  ])('half a command line is never carried out: %s %s %s', async (...words) => {
    vi.spyOn(console, 'log').mockReturnValue();
    expect(await chooseCommand(['--get-yargs-completions', ...words])).toBeUndefined();
    expect(await chooseCommand([...words.slice(-2), '--get-yargs-completions']).catch(() => undefined)).toBe(
      undefined,
    );
  });
});

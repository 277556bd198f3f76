import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Finished } from '../support/run-payrun.ts';
import { guaranteesText } from './guarantees-text.ts';
import { mutants } from './mutants/mutants.ts';
import { wishTrouble } from './wish-trouble.ts';

function start(program: string, words: readonly string[]): { child: ChildProcess; temporary: string } {
  const temporary = mkdtempSync(join(tmpdir(), 'payrun-programs-'));
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...words], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return { child, temporary };
}

async function finish(
  program: string,
  ...words: string[]
): Promise<Finished & { readonly copies: string[] }> {
  const { child, temporary } = start(program, words);
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const [exit] = (await once(child, 'close')) as [number | null];
  return { exit, ...said, copies: copiesIn(temporary) };
}

function copiesIn(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith('payrun-'));
}

describe('a soak', () => {
  test('puts new figures into the page, and leaves those of campaigns that were run elsewhere', () => {
    const run = async () => ({ counts: {}, violations: [] });
    const campaign = (name: string) => ({ name, title: `what ${name} does`, atLeast: {}, run });
    const page =
      'Before\n<!-- figures -->\n| `one` | was | 7 kills | 0 | abc |\n| `two` | was | 8 cuts | 0 | abc |\n<!-- /figures -->\nAfter\n';
    const kept = {
      figures: { counts: { cuts: 9 }, violations: [] },
      seconds: 1,
      seed: 1,
      source: 'def',
      proof: 'abc',
    };
    const written = guaranteesText(page, [
      { campaign: campaign('one'), kept: undefined },
      { campaign: campaign('two'), kept },
      { campaign: campaign('three'), kept: undefined },
    ]);
    expect(written.split('\n').filter((line) => line.startsWith('| `'))).toEqual([
      '| `one` | was | 7 kills | 0 | abc |',
      '| `two` | what two does | 9 cuts | 0 | def |',
      '| `three` | what three does | not run as a whole yet | | |',
    ]);
    expect(written).toMatch(/^Before\n[\s\S]*After\n$/);
  });

  const known = ['frozen-run', 'kill-run'];
  const sound = { seed: 1, share: 0.5, names: [] };

  test('takes a share above 0 and up to 1, a whole seed, and names that there are', () => {
    for (const share of [0.0001, 0.5, 1]) expect(wishTrouble({ ...sound, share }, known)).toBeUndefined();
    for (const share of [0, -1, 1.01, Number.NaN, Number.POSITIVE_INFINITY, undefined, [0.5, 1]])
      expect(wishTrouble({ ...sound, share }, known), String(share)).toMatch(/^--share takes/);
    for (const seed of [0, -1, 20261115]) expect(wishTrouble({ ...sound, seed }, known)).toBeUndefined();
    for (const seed of [1.5, Number.NaN, 2 ** 60, undefined, [1, 2]])
      expect(wishTrouble({ ...sound, seed }, known), String(seed)).toMatch(/^--seed takes/);
    expect(wishTrouble({ ...sound, names: known }, known)).toBeUndefined();
    expect(wishTrouble({ ...sound, names: ['kill-run', 'no-such'] }, known)).toBe(
      'There is no campaign "no-such". There are these: frozen-run, kill-run.',
    );
  });

  test('refuses everything else in one line, and begins nothing', async () => {
    const refusals = await Promise.all([
      finish('soak.ts', 'frozen-run', 'no-such'),
      finish('soak.ts', 'frozen-run', '--share', 'abc'),
      finish('soak.ts', 'frozen-run', '--no-such-flag', '--share'),
    ]);
    for (const { exit, stdout, stderr } of refusals) {
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
    }
    expect(refusals[0]?.stderr).toContain('frozen-run, hostile-files');
  });
});

describe('the programs that break payrun on purpose', () => {
  const names = mutants.map(({ name }) => name);

  test.for(['mutants/main.ts', 'mutants/mutation-score.ts'])('%s says how it is called', async (program) => {
    const { exit, stdout, stderr, copies } = await finish(program, '--help');
    expect({ exit, stderr, copies }).toEqual({ exit: 0, stderr: '', copies: [] });
    expect(stdout).toMatch(/^npm run mut\w+ -- \[/);
  });

  test('refuse what they do not know before anything is copied', async () => {
    const [flag, name, subject] = await Promise.all([
      finish('mutants/main.ts', '--no-such-flag'),
      finish('mutants/main.ts', 'no', 'such', 'name'),
      finish('mutants/mutation-score.ts', 'money', 'no-such'),
    ]);
    for (const { exit, stdout, copies } of [flag, name, subject])
      expect({ exit, stdout, copies }).toEqual({ exit: 2, stdout: '', copies: [] });
    for (const { stderr } of [flag, name])
      expect(stderr.trimEnd().split('\n').slice(1)).toEqual(names.map((each) => `  ${each}`));
    expect(subject.stderr).toMatch(/^There is no subject no-such\. There are these: money,.*\n$/);
  });

  test.for(['SIGINT', 'SIGTERM'] as const)('leave no copy behind when %s stops them', async (signal) => {
    const { child, temporary } = start('mutants/main.ts', [names[0] ?? '']);
    const closed = once(child, 'close');
    const isBuilding = () => {
      const [copy = ''] = copiesIn(temporary);
      expect(existsSync(join(temporary, copy, 'vitest.config.ts'))).toBe(true);
    };
    await vi.waitFor(isBuilding, 120_000);
    child.kill(signal);
    expect(await closed).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
    expect(copiesIn(temporary)).toEqual([]);
  });
});

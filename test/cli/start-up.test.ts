import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { payrunPath, runPayrun } from '../support/run-payrun.ts';

/** The files of the command that a process has loaded, as the engine tells. */
function filesLoaded(coverage: string): string[] {
  const here = dirname(payrunPath);
  return readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as {
      result: { url: string }[];
    };
    return result
      .filter(({ url }) => url.startsWith('file:') && dirname(fileURLToPath(url)) === here)
      .map(({ url }) => basename(fileURLToPath(url)));
  });
}

describe('a short command', () => {
  test.each([
    // What judges rows, what pays, and what checks replies by their schemas.
    ['status', { has: [], hasNot: ['validateRows', 'submitPayouts', 'prettifyError'] }],
    ['validate', { has: ['validateRows'], hasNot: ['submitPayouts', 'prettifyError'] }],
    // Nor what is for looking back, and what of other packages nobody uses.
    [
      'run',
      {
        has: ['validateRows', 'submitPayouts', 'prettifyError'],
        hasNot: ['reportBatch', 'moveToPostgres', 'createWebhookListener', 'fetchFinale'],
      },
    ],
  ])('loads what it needs, in a few files: %s', async (name, { has, hasNot }) => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-loaded-'));
    const workspace = ['--sandbox', '--workspace', join(folder, 'workspace')];
    const results = ['--results', join(folder, 'payroll.results.csv')];
    const pay = ['run', 'samples/payroll.csv', '--yes', ...results, ...workspace];
    if (name === 'status') await runPayrun(pay);
    const coverage = join(folder, 'coverage');
    const words = {
      status: ['status', ...workspace],
      validate: ['validate', 'samples/payroll.csv'],
      run: pay,
    };
    const ended = await runPayrun(words[name as keyof typeof words], { env: { NODE_V8_COVERAGE: coverage } });
    expect(ended.exit, ended.stderr).toBe(0);
    const loaded = filesLoaded(coverage);
    const text = loaded.map((file) => readFileSync(join(dirname(payrunPath), file), 'utf8')).join('\n');
    const isThere = (what: string) => new RegExp(`function ${what}\\(`).test(text);
    expect([...has, ...hasNot].filter(isThere)).toEqual(has);
    expect(loaded.length).toBeGreaterThan(2);
    if (name !== 'run') expect(loaded.length).toBeLessThan(7);
  });

  test('asks for no time zone where it shows no date', async () => {
    const asked = `data:text/javascript,${encodeURIComponent('Intl.DateTimeFormat = () => { throw "asked"; }')}`;
    const ended = await runPayrun(['validate', 'samples/payroll.csv'], {
      env: { NODE_OPTIONS: `--import ${asked}` },
    });
    expect(ended).toMatchObject({ exit: 0, stderr: '' });
  });

  test.each([
    ['{}', 0],
    ['[]', 78],
    ['{"concurrency":0}', 78],
    ['{"concurrency":4}', 0],
  ])('checks the configuration %s', async (text, exit) => {
    const config = join(mkdtempSync(join(tmpdir(), 'payrun-config-')), 'payrun.config.json');
    writeFileSync(config, text, { mode: 0o600 });
    const ended = await runPayrun(['validate', 'samples/payroll.csv', '--config', config]);
    expect(ended.exit, ended.stderr).toBe(exit);
  });
});

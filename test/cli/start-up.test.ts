import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { payrunPath, runPayrun } from '../support/run-payrun.ts';

/** Everything that a file of the command loads at once, itself included. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(dirname(payrunPath), name), 'utf8');
  for (const [, other = ''] of text.matchAll(/(?:from|import)\s?"\.\/([^"]+\.js)"/g)) loadedWith(other, seen);
  return seen;
}

function layer(name: string): string {
  return readdirSync(dirname(payrunPath)).find((file) => file.startsWith(`${name}-`)) ?? '';
}

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
  test.each(['looking', 'checking'])('loads a few files, and no schemas: %s', (name) => {
    const loaded = loadedWith(layer(name), loadedWith('payrun.js'));
    expect(loaded.size).toBeGreaterThan(3);
    expect(loaded.size).toBeLessThan(10);
    const texts = [...loaded].map((file) => readFileSync(join(dirname(payrunPath), file), 'utf8'));
    expect(texts.filter((text) => text.includes('prettifyError'))).toEqual([]);
  });

  test('loads what it needs to look back, and nothing of what pays: status', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-loaded-'));
    const workspace = ['--sandbox', '--workspace', join(folder, 'workspace')];
    const results = ['--results', join(folder, 'payroll.results.csv')];
    await runPayrun(['run', 'samples/payroll.csv', '--yes', ...results, ...workspace]);
    const coverage = join(folder, 'coverage');
    const ended = await runPayrun(['status', ...workspace], { env: { NODE_V8_COVERAGE: coverage } });
    expect(ended.stdout).toContain('all 12 paid');
    const may = loadedWith(layer('looking'), loadedWith('payrun.js'));
    for (const file of loadedWith(layer('help'))) may.add(file);
    const loaded = filesLoaded(coverage);
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((file) => !may.has(file))).toEqual([]);
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

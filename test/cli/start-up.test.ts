import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

describe('a short command', () => {
  test.each(['looking', 'checking'])('loads a few files, and no schemas: %s', (name) => {
    const loaded = loadedWith(layer(name), loadedWith('payrun.js'));
    expect(loaded.size).toBeGreaterThan(3);
    expect(loaded.size).toBeLessThan(10);
    const texts = [...loaded].map((file) => readFileSync(join(dirname(payrunPath), file), 'utf8'));
    expect(texts.filter((text) => text.includes('prettifyError'))).toEqual([]);
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

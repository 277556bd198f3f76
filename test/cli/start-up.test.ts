import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/mobile';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, test } from 'vitest';
import { countries } from '../../src/domain/reference-data/countries.ts';
import { runHere } from '../support/run-here.ts';
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

type PhoneRow = readonly [country: string, currency: string, phone: string];

function phoneFile(rows: readonly PhoneRow[]): string {
  const lines = rows.map(
    ([country, currency, phone], index) =>
      `T-${index},Amina Otieno,${country},${currency},1500,${phone},MoMo,001\n`,
  );
  return `paymentId,accountName,country,currency,amount,phoneNumber,destination,branchCode\n${lines.join('')}`;
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

  /** As most are written; and as one of another country, whose name is told. */
  test.each([
    ['0712399001', false],
    ['+254712399001', false],
    ['712 399 001', false],
    ['+256712345678', true],
  ])('reads %s, and loads what knows all numbers only where it needs that', async (phone, isNeeded) => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-phones-'));
    const file = join(folder, 'pay.csv');
    writeFileSync(file, phoneFile([['KE', 'KES', phone]]));
    const coverage = join(folder, 'coverage');
    await runPayrun(['validate', file], { env: { NODE_V8_COVERAGE: coverage } });
    expect(filesLoaded(coverage).includes('phones.js')).toBe(isNeeded);
  });

  test('says the same of numbers of all countries as the source does, which has whole tables', async () => {
    const rows = countries.flatMap(({ iso2, currency }) => {
      const number = getExampleNumber(iso2 as CountryCode, examples);
      const [whole, national] = [number?.number ?? '', number?.formatNational() ?? ''];
      return [
        whole,
        whole.slice(0, -1),
        national,
        `0${national}`,
        `00${whole.slice(1)}`,
        '',
        '+447911123456',
      ].map((phone) => [iso2, currency, phone] as const);
    });
    const file = join(mkdtempSync(join(tmpdir(), 'payrun-phones-')), 'pay.csv');
    writeFileSync(file, phoneFile(rows));
    const words = ['validate', file, '--json'];
    const built = await runPayrun(words, { env: { TZ: 'UTC' } });
    expect(JSON.parse(built.stdout)).toEqual(JSON.parse((await runHere(words)).stdout));
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

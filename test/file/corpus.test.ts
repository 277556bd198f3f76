import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readingProblems } from '../../src/domain/problems/reading-problems.ts';
import type { FileReading } from '../../src/file/file-reading.ts';
import { readRows } from '../../src/pipeline/1-read-rows.ts';
import type { ReadRowsOptions } from '../../src/pipeline/draft/draft-options.ts';
import { collectRows } from './collect.ts';

/** One file of the corpus and what reading it must give. Keys that this test does not know belong to other tests. */
interface Expected {
  readonly file: string;
  readonly options?: ReadRowsOptions;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly headerLine?: number;
  readonly fields?: Readonly<Record<string, string>>;
  readonly otherColumns?: readonly string[];
  readonly complete: boolean;
  readonly rowLines: readonly number[];
  readonly firstRow?: Readonly<Record<string, string>>;
  readonly firstPayrun?: Readonly<Record<string, string>>;
  readonly skipped?: readonly { readonly line: number; readonly reason: string }[];
  readonly controlTotals?: readonly unknown[];
  readonly decimals?: readonly string[];
  readonly problems: readonly { readonly line: number; readonly code: string; readonly column?: string }[];
}

const folder = fileURLToPath(new URL('../fixtures/files/', import.meta.url));
const corpus: readonly Expected[] = JSON.parse(readFileSync(`${folder}expected.json`, 'utf8'));

describe('the files of real systems', () => {
  test('are all in the list of expectations', () => {
    const files = readdirSync(folder).filter((file) => !file.endsWith('.json'));
    expect(new Set(corpus.map(({ file }) => file))).toEqual(new Set(files));
    expect(files.length).toBeGreaterThanOrEqual(60);
  });

  test('show every problem that a reading can have, but for the limits on size', () => {
    const shown = new Set(corpus.flatMap(({ problems }) => problems.map(({ code }) => code)));
    const limits = ['record-too-long', 'cell-too-large', 'too-many-columns'];
    expect([...shown, ...limits].sort()).toEqual(Object.keys(readingProblems).sort());
  });

  test.each(
    corpus.map((each) => [`${each.file} ${each.options ? JSON.stringify(each.options) : ''}`, each] as const),
  )('%s is read as expected', async (_, expected) => {
    const reading = await readRows(folder + expected.file, expected.options);
    expect(await summaryOf(expected, reading)).toEqual(expected);
    expect(reading.facts.digest ?? digestOf(expected.file)).toBe(digestOf(expected.file));
    expect(reading.facts.problemCounts.blocking).toBe(
      reading.problems.filter(({ blocking }) => blocking).length,
    );
    for (const { code, blocking, message } of reading.problems) {
      expect(blocking).toBe(readingProblems[code as keyof typeof readingProblems].blocking);
      expect(message).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test.each(corpus.map((each) => [each.file, each] as const))(
    '%s is read alike when it comes byte by byte through a pipe',
    async (file, expected) => {
      const bytes = [...readFileSync(folder + file)].map((byte) => Buffer.from([byte]));
      const reading = await readRows(Readable.from(bytes), expected.options);
      expect(await summaryOf(expected, reading)).toEqual(expected);
    },
  );

  test('that are read with problems say in row problems which rows cannot be trusted', async () => {
    const reading = await readRows(`${folder}shifted-by-thousands.csv`);
    const rows = await collectRows(reading);
    expect(rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ['row-too-many-cells'],
      [],
    ]);
  });

  test('of our own writing give back identity and text without our marks', async () => {
    const reading = await readRows(`${folder}our-results.csv`);
    const rows = await collectRows(reading);
    expect(reading.header?.columns).toEqual(['Staff No', 'Name', 'Phone', 'Amount', 'Country', 'Currency']);
    expect(reading.header?.payrunColumns).toHaveLength(14);
    expect(rows[0]?.cells).toEqual(['1', '=Wanjiku', '+254712001701', '1000.00', 'KE', 'KES']);
    expect(rows[1]?.values.phoneNumber).toBe("'0712001702");
    expect(rows[1]?.payrun.payrun_reason).toBe('name: mismatch, see docs');
  });
});

async function summaryOf(expected: Expected, reading: FileReading): Promise<unknown> {
  const rows = await collectRows(reading);
  const { header, facts, problems } = reading;
  const entries = Object.entries(header?.fieldColumns ?? {});
  const seen = [facts.decimalPointSeen && 'point', facts.decimalCommaSeen && 'comma'].filter(Boolean);
  return {
    ...expected,
    ...(header && {
      encoding: facts.encoding,
      delimiter: header.delimiter,
      headerLine: header.line,
      fields: Object.fromEntries(entries.map(([field, index]) => [field, header.columns[index]])),
    }),
    ...(header && header.otherColumns.length > 0 && { otherColumns: header.otherColumns }),
    complete: facts.complete,
    rowLines: rows.map(({ line }) => line),
    ...(rows[0] && { firstRow: rows[0].values }),
    ...(rows[0] && Object.keys(rows[0].payrun).length > 0 && { firstPayrun: rows[0].payrun }),
    ...(header &&
      facts.skipped.length > 0 && { skipped: facts.skipped.map(({ line, reason }) => ({ line, reason })) }),
    ...(facts.controlTotals.length > 0 && { controlTotals: facts.controlTotals }),
    ...(seen.length > 0 && { decimals: seen }),
    problems: problems.map(({ line, code, column }) => ({
      line,
      code,
      ...(column !== undefined && { column }),
    })),
  };
}

function digestOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(folder + file))
    .digest('hex');
}

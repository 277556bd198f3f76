import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../src/domain/money/format-money.ts';
import { problemKinds, spoilsFile } from '../../src/domain/problems/problem-kinds.ts';
import { rowRepairs } from '../../src/domain/problems/row-problems.ts';
import { openEmptyJournal } from '../../src/journal/open-journal.ts';
import type { ReadRowsOptions } from '../../src/pipeline/draft/draft-options.ts';
import { draftFile } from '../../src/pipeline/draft-file.ts';
import { draftDefaults } from '../support/draft-options.ts';

/** Everything that stages 1 and 2 make of one file: who would be paid what, and all that is said about it. */
interface Outcome {
  readonly file: string;
  readonly options?: ReadRowsOptions;
  readonly rows: number;
  /** `2: KES 1000.00 to KE:momo:+254712001001 Wanjiku Kamau`, the line first. */
  readonly payments: readonly string[];
  readonly totals: Readonly<Record<string, string>>;
  /** `2: phone-too-short in Phone`. */
  readonly problems: readonly string[];
  readonly repairs: readonly string[];
}

const folder = fileURLToPath(new URL('../fixtures/files/', import.meta.url));
const outcomes: readonly Outcome[] = JSON.parse(readFileSync(`${folder}outcomes.json`, 'utf8'));
const corpus: readonly Pick<Outcome, 'file' | 'options'>[] = JSON.parse(
  readFileSync(`${folder}expected.json`, 'utf8'),
);

describe('what becomes of the files of real systems', () => {
  test('is written down for every file and every way of reading it', () => {
    const nameOf = ({ file, options = {} }: Pick<Outcome, 'file' | 'options'>) => [file, options];
    expect(outcomes.map(nameOf)).toEqual(corpus.map(nameOf));
  });

  test.each(
    outcomes.map(
      (each) => [`${each.file} ${each.options ? JSON.stringify(each.options) : ''}`, each] as const,
    ),
  )('%s comes out as expected', async (_, expected) => {
    expect(await outcomeOf(expected)).toEqual(expected);
  });

  test('uses only codes that the catalogues explain, and no sound file is without its payments', () => {
    const codeOf = (said: string) => /^\d+: ([a-z-]+)/.exec(said)?.[1] ?? said;
    for (const { file, rows, payments, problems, repairs } of outcomes) {
      for (const code of problems.map(codeOf)) expect(problemKinds.has(code), `${file}: ${code}`).toBe(true);
      for (const code of repairs.map(codeOf)) expect(Object.keys(rowRepairs)).toContain(code);
      const blocking = problems.map(codeOf).filter((code) => problemKinds.get(code)?.blocking);
      if (blocking.length === 0) expect(payments, file).toHaveLength(rows);
      else expect(payments.length < rows || blocking.some(spoilsFile), file).toBe(true);
    }
  });
});

async function outcomeOf({ file, options }: Outcome): Promise<Outcome> {
  const db = openEmptyJournal();
  try {
    const { questions } = await draftFile(db, folder + file, { ...draftDefaults, ...options });
    const payments = db
      .prepare<[], { line: bigint; currency: string; amount: bigint; payee: string; name: string }>(
        `SELECT line, currency, amount, payee, account_name AS name FROM draft.rows WHERE valid = 1 ORDER BY position`,
      )
      .safeIntegers()
      .all();
    return {
      file,
      ...(options && { options }),
      rows: questions.counts().rows,
      payments: payments.map(
        ({ line, currency, amount, payee, name }) =>
          `${line}: ${currency} ${decimalOf(amount, currency)} to ${payee} ${name}`,
      ),
      totals: Object.fromEntries(
        questions
          .totals('currency')
          .map(({ currency, amountMinor }) => [currency, decimalOf(amountMinor, currency)]),
      ),
      problems: [...questions.problems()].map(said),
      repairs: [...questions.repairs()].map(said),
    };
  } finally {
    db.close();
  }
}

function said({ line, code, column }: { line: number; code: string; column?: string | undefined }): string {
  return `${line}: ${code}${column === undefined ? '' : ` in ${column}`}`;
}

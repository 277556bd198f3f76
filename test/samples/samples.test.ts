import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { type BatchProblemCode, batchProblems } from '../../src/domain/problems/batch-problems.ts';
import { problemKinds } from '../../src/domain/problems/problem-kinds.ts';
import { type RowProblemCode, rowProblems, rowRepairs } from '../../src/domain/problems/row-problems.ts';
import { validationSchema } from '../../src/report/schemas/validation-schema.ts';
import { runPayrun } from '../support/run-payrun.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const samples = readdirSync(`${project}samples`).filter((name) => name.endsWith('.csv'));

async function validate(
  name: string,
): Promise<{ exit: number | null; said: z.output<typeof validationSchema> }> {
  const { exit, stdout } = await runPayrun(['validate', `samples/${name}`, '--json'], { cwd: project });
  return { exit, said: validationSchema.parse(JSON.parse(stdout)) };
}

const lineAndCode = ({ line, code }: { line: number; code: string }) => [line, code];

/** What no row of problems.csv can show, and why. */
const notShown: Partial<Record<RowProblemCode | BatchProblemCode, string>> = {
  'amount-decimal-conflict': 'only where --decimal is given',
  'name-incomplete': 'only in a file with first and last name instead of a full name',
  'duplicate-payee': 'only in a file without paymentId',
  'batch-mixed': 'spoils the whole file',
  'batch-invalid': 'spoils the whole file',
  'identity-broken': 'only in a results or retry file',
  'attempt-too-high': 'only in a results or retry file',
  'payment-id-ignored': 'only in a results or retry file',
  'key-kind-changed': 'needs a journal',
  'row-conflict': 'needs a journal',
  'row-renamed': 'needs a journal',
  'row-still-invalid': 'only in a results or retry file',
  'payee-cell-in-doubt': 'needs a batch in the journal',
  'read-otherwise': 'needs a batch in the journal',
  'row-cancelled': 'needs a journal',
  'row-passed-over': 'needs a batch in the journal',
};

describe('samples/', () => {
  test.each(samples)('%s gets the verdict that is committed for it', async (name) => {
    const expected = new URL(`../fixtures/samples/${name.replace('.csv', '.json')}`, import.meta.url);
    const { exit, said } = await validate(name);
    const { ok, rows, totals, problems, repairs } = said;
    expect({
      ok,
      rows,
      totals,
      problems: problems.map(lineAndCode),
      repairs: repairs.map(lineAndCode),
    }).toEqual(JSON.parse(readFileSync(expected, 'utf8')));
    expect(exit).toBe(ok ? 0 : 65);
  });

  test('problems.csv shows every kind of row problem, but for those that a row of it cannot show', async () => {
    const { said } = await validate('problems.csv');
    const shown = new Set(said.problems.map(({ code }) => code));
    const codes = Object.keys({ ...rowProblems, ...batchProblems });
    expect(codes.filter((code) => !shown.has(code)).sort()).toEqual(Object.keys(notShown).sort());
    for (const { code, blocking } of said.problems)
      expect(problemKinds.get(code)).toMatchObject({ blocking });
  });

  test('damaged.csv shows every repair', async () => {
    const { said } = await validate('damaged.csv');
    expect([...new Set(said.repairs.map(({ code }) => code))].sort()).toEqual(Object.keys(rowRepairs).sort());
  });
});

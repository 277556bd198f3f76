import { readableText } from '../text/readable-text.ts';
import { type BatchProblemCode, batchProblems } from './batch-problems.ts';
import type { Problem } from './problem.ts';
import { readingProblems } from './reading-problems.ts';
import { rowProblems } from './row-problems.ts';

export interface ProblemKind {
  readonly blocking: boolean;
  readonly meaning: string;
  readonly scope?: 'file' | 'row';
}

/** Every code that a problem can have, from all three catalogues. */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map<string, ProblemKind>([
  ...Object.entries(readingProblems),
  ...Object.entries(rowProblems),
  ...Object.entries(batchProblems),
]);

/** Whether a blocking problem spoils the whole file: then not even its sound rows can be paid. */
export function spoilsFile(code: string): boolean {
  const kind = problemKinds.get(code);
  return kind?.blocking === true && kind.scope === 'file';
}

/** A problem of rows beside each other, or of the batch. */
export function batchProblem(
  code: BatchProblemCode,
  found: {
    readonly line: number;
    readonly column?: string;
    readonly message: string;
    readonly value: string;
  },
): Problem {
  return {
    line: found.line,
    column: found.column,
    code,
    message: found.message,
    value: readableText(found.value),
    blocking: batchProblems[code].blocking,
  };
}

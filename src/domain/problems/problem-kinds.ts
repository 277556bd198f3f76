import { readableText } from '../text/readable-text.ts';
import { type BatchProblemCode, batchProblems } from './batch-problems.ts';
import type { Problem } from './problem.ts';
import type { ProblemKind } from './problem-kind.ts';
import { otherFormats, readingProblems } from './reading-problems.ts';
import { rowProblems } from './row-problems.ts';

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

/** Whether what was given is no table at all, and another file is wanted in its place. */
export function isOtherFormat(code: string): boolean {
  return otherFormats.has(code);
}

/** A problem of rows beside each other, or of the batch. */
export function batchProblem(
  code: BatchProblemCode,
  found: Pick<Problem, 'line' | 'message' | 'value'> & { readonly column?: string },
): Problem {
  const { line, column, message, value } = found;
  return { line, column, code, message, value: readableText(value), blocking: batchProblems[code].blocking };
}

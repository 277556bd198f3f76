import type { Problem } from '../domain/problems/problem.ts';
import { type ReadingProblemCode, readingProblems } from '../domain/problems/reading-problems.ts';
import { readableText } from '../domain/text/readable-text.ts';

export interface ProblemCounts {
  readonly blocking: number;
  readonly warnings: number;
}

/** A file of nothing but mistakes must not fill the memory: beyond this many of a kind they are only counted. */
const maxProblemsKept = 10_000;

/**
 * Collects what is wrong with a file. Blocking problems and warnings are bounded apart, so that no flood of warnings
 * can push out the one problem that must stop the money.
 */
export class ProblemLog {
  readonly #blocking: Problem[] = [];
  readonly #warnings: Problem[] = [];
  #blockingCount = 0;
  #warningCount = 0;

  add(
    code: ReadingProblemCode,
    found: {
      line: number;
      message: string;
      column?: string | undefined;
      value?: string | undefined;
      remedy?: string | undefined;
    },
  ): Problem {
    const { blocking } = readingProblems[code];
    const problem: Problem = {
      line: found.line,
      column: found.column === undefined ? undefined : readableText(found.column),
      code,
      message: found.message,
      value: readableText(found.value ?? ''),
      blocking,
      ...(found.remedy === undefined ? {} : { remedy: found.remedy }),
    };
    if (blocking) this.#blockingCount += 1;
    else this.#warningCount += 1;
    const kept = blocking ? this.#blocking : this.#warnings;
    if (kept.length < maxProblemsKept) kept.push(problem);
    return problem;
  }

  get hasBlocking(): boolean {
    return this.#blockingCount > 0;
  }

  get counts(): ProblemCounts {
    return { blocking: this.#blockingCount, warnings: this.#warningCount };
  }

  /** In the order of the lines: the reader of text runs ahead of the reader of rows. */
  get all(): Problem[] {
    return [...this.#blocking, ...this.#warnings].sort((one, other) => one.line - other.line);
  }
}

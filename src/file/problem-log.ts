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
  readonly #kept: Record<keyof ProblemCounts, Problem[]> = { blocking: [], warnings: [] };
  readonly #counts = { blocking: 0, warnings: 0 };

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
    const kind = blocking ? 'blocking' : 'warnings';
    this.#counts[kind] += 1;
    const kept = this.#kept[kind];
    if (kept.length < maxProblemsKept) kept.push(problem);
    return problem;
  }

  get hasBlocking(): boolean {
    return this.#counts.blocking > 0;
  }

  get counts(): ProblemCounts {
    return { ...this.#counts };
  }

  /** In the order of the lines: the reader of text runs ahead of the reader of rows. */
  get all(): Problem[] {
    return [...this.#kept.blocking, ...this.#kept.warnings].sort((one, other) => one.line - other.line);
  }
}

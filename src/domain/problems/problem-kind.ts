/** What one kind of problem means. Codes are stable: scripts search for them, and the docs list these tables. */
export interface ProblemKind {
  /** Blocking problems keep the row from being paid; the others are warnings. */
  readonly blocking: boolean;
  /**
   * What a blocking problem spoils. `file`: rows may be missing, shifted or misread, so nothing of the file can be
   * paid, not even with `--skip-invalid`. `row`: the rows it names.
   */
  readonly scope: 'file' | 'row';
  readonly meaning: string;
}

export function fileProblem(meaning: string): ProblemKind {
  return { blocking: true, scope: 'file', meaning };
}

export function rowProblem(meaning: string): ProblemKind {
  return { blocking: true, scope: 'row', meaning };
}

export function warning(meaning: string): ProblemKind {
  return { blocking: false, scope: 'row', meaning };
}

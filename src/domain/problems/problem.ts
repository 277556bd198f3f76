/** Something wrong with the file or one of its rows: a value, never an exception. */
export interface Problem {
  /** The physical line; 0 for the file as a whole. */
  readonly line: number;
  /** The header as the file writes it, or the field's name where there is no such column. */
  readonly column: string | undefined;
  /** Stable: scripts and people search for it. Listed in docs/file-format.md. */
  readonly code: string;
  /** What is wrong and what to do about it, for a payroll officer. */
  readonly message: string;
  /** The offending text as it came, cut to a readable length. */
  readonly value: string;
  /** Blocking problems keep the row from being paid; the others are warnings. */
  readonly blocking: boolean;
  /** The flag that would settle it, of our own making: what a file says never becomes part of a command. */
  readonly remedy?: string | undefined;
}

/** Damage with one possible answer, repaired and reported. */
export interface Repair extends Pick<Problem, 'line' | 'column' | 'code' | 'message'> {
  readonly from: string;
  readonly to: string;
}

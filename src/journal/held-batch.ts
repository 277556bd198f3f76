/** A batch that nobody else works on until it is let go. */
export interface HeldBatch {
  /** So long after it was taken a send of whoever held it before may still leave. */
  readonly graceMs: number;
  /** The journal may lack its last commits about the batch: what was sent since is not known. */
  readonly mayHaveForgotten: boolean;
  /** That was seen to. */
  looked(): Promise<void>;
  release(): void;
  /** Lets go of the batch while something is waited for, so that a decision can get in; then takes it again. */
  lend(wait: () => Promise<void>): Promise<void>;
}

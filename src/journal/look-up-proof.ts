import { type Environment, environmentKey } from '../domain/environment/environment.ts';
import type { Journal } from './journal.ts';
import type { JournalDatabase } from './journal-database.ts';
import { putValue, readValue } from './key-values.ts';

/** That a look-up in an environment has once shown an accepted payout, and how long that took. */
export interface LookUpProof {
  readonly delayMs: number;
  /** A look-up was seen that did not show what a later one did. */
  readonly lags?: boolean;
}

export function openLookUpProof(db: JournalDatabase, journal: Journal, environment: Environment) {
  const key = proofKey(environment);
  return {
    read: (): LookUpProof | undefined => {
      const text = readValue(db, key);
      return text === undefined ? undefined : (JSON.parse(text) as LookUpProof);
    },
    /** The longest delay seen counts: a faster answer later does not make the slow one impossible. */
    save: (proof: LookUpProof): Promise<void> =>
      journal.write(() => {
        const known = JSON.parse(readValue(db, key) ?? '{"delayMs":0}') as LookUpProof;
        const delayMs = Math.max(proof.delayMs, known.delayMs);
        const lags = (proof.lags ?? false) || (known.lags ?? false);
        putValue(db, key, JSON.stringify({ delayMs, lags }));
      }),
  };
}

/** Under which the facts keep it. */
export function proofKey(environment: Environment): string {
  return `proof:${environmentKey(environment)}`;
}

export type LookUpProofs = ReturnType<typeof openLookUpProof>;

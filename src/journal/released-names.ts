import { type Environment, environmentAsBefore, environmentKey } from '../domain/environment/environment.ts';
import type { JournalDatabase } from './journal-database.ts';

/** Whether a person has seen two names of a payee side by side and said that they are one. */
export type IsReleased = (payee: string, expected: string, resolved: string) => boolean;

/** Those that an earlier version remembered count for every account that it could have meant. */
export function askReleasedNames(db: JournalDatabase, environment: Environment): IsReleased {
  const keys = [environmentKey(environment), environmentKey(environmentAsBefore(environment))] as const;
  const pair = db
    .prepare<[string, string, string, string, string], number>(
      'SELECT 1 FROM released_names WHERE environment IN (?, ?) AND payee = ? AND expected = ? AND resolved = ?',
    )
    .pluck();
  return (payee, expected, resolved) => pair.get(...keys, payee, expected, resolved) !== undefined;
}

import { type Environment, environmentAsBefore, environmentKey } from '../domain/environment/environment.ts';
import type { NameEvidence, Repeats, ResolvedName } from '../domain/names/name-evidence.ts';
import { accountRoute, type RoutedPayee } from '../domain/payee/account-route.ts';
import type { JournalDatabase } from './journal-database.ts';

/** An answer as it is kept: with the operator it was asked at, and when. */
export interface ResolvedEntry extends NameEvidence {
  readonly operator: string;
  readonly atMs: number;
}

/** In the order of the SELECT: an object takes SQLite longer to make than to find. */
type StoredEntry = readonly [
  kind: ResolvedName['kind'],
  name: string,
  atMs: number,
  operator: string,
  repeats: number,
  beforeKind: ResolvedName['kind'] | '',
  beforeName: string,
  beyond: string,
];

/** What the journal knows of names in one environment. Reads alone: a mere plan may ask. */
export function askNames(db: JournalDatabase, environment: Environment) {
  const key = environmentKey(environment);
  const keyBefore = environmentKey(environmentAsBefore(environment));
  const entry = db
    .prepare<[string, string, string], StoredEntry>(
      `SELECT kind, name, at_ms, operator, repeats, before_kind, before_name, beyond
       FROM resolved_names WHERE environment = ? AND payee = ? AND currency = ?`,
    )
    .raw();
  const anyBefore = db
    .prepare<[string], number>('SELECT 1 FROM resolved_names WHERE environment = ? LIMIT 1')
    .pluck();
  // Only an earlier version ever wrote any.
  const isAnyBefore = anyBefore.get(keyBefore) !== undefined;
  const written = db
    .prepare<[string, string, string, string], string>(
      `SELECT account_name FROM payouts JOIN batches ON batches.id = payouts.batch
       WHERE payee = ? AND currency = ? AND external_account_id <> '' AND environment IN (?, ?)`,
    )
    .pluck();
  // Two that are not the same are enough to know, and they are the ends of an index.
  const furthest = (which: 'min' | 'max') =>
    db
      .prepare<[string, string], string | null>(
        `SELECT ${which}(beyond) FROM resolved_names WHERE environment = ? AND rail = ? AND beyond <> ''`,
      )
      .pluck();
  const ends = [furthest('min'), furthest('max')];
  const released = db
    .prepare<[string, string, string, string, string], number>(
      'SELECT 1 FROM released_names WHERE environment IN (?, ?) AND payee = ? AND expected = ? AND resolved = ?',
    )
    .pluck();
  return {
    /** What an earlier version was told is asked anew, but stays what was said before. */
    nameOf: (who: RoutedPayee): ResolvedEntry | undefined => {
      const route = accountRoute(who);
      const stored = entry.get(key, route, who.currency);
      if (stored) return fromStore(stored);
      if (!isAnyBefore) return undefined;
      const before = entry.get(keyBefore, route, who.currency);
      return before && { ...fromStore(before), atMs: 0 };
    },
    /** Names of payments for which an account stood at the service: we may have stored it under any of them. */
    writtenNames: ({ payee, currency }: RoutedPayee): ReadonlySet<string> =>
      new Set(written.all(payee, currency, key, keyBefore)),
    /** What answers on a rail knew of people beyond the names that are stored: up to two examples. */
    knownBeyond: (rail: string): ReadonlySet<string> =>
      new Set(ends.flatMap((end) => end.get(key, rail) ?? [])),
    /**
     * Whether a person has seen two names of a payee side by side and said that they are one. Those that an earlier
     * version remembered count for every account that it could have meant.
     */
    isReleased: (payee: string, expected: string, resolved: string): boolean =>
      released.get(key, keyBefore, payee, expected, resolved) !== undefined,
  };
}

/** As the journal counts them. */
export const repeatsInOrder: readonly Repeats[] = ['nothing', 'name', 'words'];

function fromStore(stored: StoredEntry): ResolvedEntry {
  const [kind, name, atMs, operator, repeats, beforeKind, beforeName, beyond] = stored;
  return {
    answer: { kind, name },
    before: beforeKind === '' ? undefined : { kind: beforeKind, name: beforeName },
    repeats: repeatsInOrder[repeats] ?? 'words',
    beyond,
    operator,
    atMs,
  };
}

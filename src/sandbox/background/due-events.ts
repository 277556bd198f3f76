import type { Database } from 'better-sqlite3';

export interface DueEvent {
  readonly seq: number;
  readonly atMs: number;
  readonly kind: 'succeed' | 'fail' | 'give-back' | 'landing';
  readonly subject: string;
}

const itemsAtOnce = 500;

/** What will happen later, by stored times, so that a service that was down catches up in the right order. */
export function createDueEvents(db: Database) {
  const add = db.prepare<[number, string, string]>('INSERT INTO due (at_ms, kind, subject) VALUES (?, ?, ?)');
  const remove = db.prepare<[number]>('DELETE FROM due WHERE seq = ?');
  const first = db.prepare<[], number | null>('SELECT min(at_ms) FROM due').pluck();
  const due = db.prepare<[number, number], DueEvent>(
    'SELECT seq, at_ms AS atMs, kind, subject FROM due WHERE at_ms <= ? ORDER BY at_ms, seq LIMIT ?',
  );

  return {
    add: (atMs: number, kind: DueEvent['kind'], subject: string) => void add.run(atMs, kind, subject),
    /** Asked of the store each time: another process may serve the same one. */
    nextMs: (): number | undefined => first.get() ?? undefined,
    /** What is due, in the order of its times. */
    due: (nowMs: number): DueEvent[] => due.all(nowMs, itemsAtOnce),
    remove: (item: DueEvent) => void remove.run(item.seq),
  };
}

export type DueEvents = ReturnType<typeof createDueEvents>;

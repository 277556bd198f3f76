import Database from 'better-sqlite3';
import { monotonicMs } from '../clock.ts';

const pauseMs = 20;

/** Of two who want all of a file in the same moment SQLite refuses one at once, however long it may wait: that one tries again. */
export function untilFree<Value>(work: () => Value, waitMs: number): Value {
  const endMs = monotonicMs() + waitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || monotonicMs() >= endMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

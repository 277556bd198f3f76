import { exitCode } from '../errors.ts';

/**
 * Once nothing is left to wait for, Node ends as if all had gone well, also where the work waits for an answer that nobody can
 * give any more. That is a bug, and never an end without an error.
 */
export function untilOver(work: Promise<void>): void {
  let isOver = false;
  process.on('exit', (code) => {
    if (isOver || code !== exitCode.ok) return;
    process.exitCode = exitCode.unexpected;
    process.stderr.write('payrun: stopped before its work was over; payrun status shows how far it came\n');
  });
  void work.then(() => {
    isOver = true;
  });
}

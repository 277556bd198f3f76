import { once } from 'node:events';
import { join } from 'node:path';
import { makeWorkspace } from '../../../src/workspace.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import type { Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';

export type Worker = ReturnType<typeof hireWorker>;

interface BegunChunk {
  readonly chunk: string;
  readonly atMs: number;
}

/** Told to stop; the journal ended its session. */
const exits: readonly (number | null)[] = [0, 74];

/** A worker as on a machine of its own; where words are given that stand before its command, it runs under them. */
export function hireWorker(
  site: Site,
  machine: string,
  flags: readonly string[],
  more: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
) {
  const workspace = join(site.disk, machine);
  makeWorkspace(workspace);
  const env = { ...site.env, PAYRUN_WORKSPACE: workspace, ...more };
  const child = spawnPayrun(['worker', ...flags], { cwd: site.disk, env, under });
  let said = '';
  let unfinished = '';
  const begun: BegunChunk[] = [];
  let underWay: string | undefined;
  const hear = (line: string) => {
    const [, chunk, what] = /^Batch (\S+, chunk \d+): (begun)?/.exec(line) ?? [];
    if (chunk === undefined) return;
    underWay = what === undefined ? undefined : chunk;
    if (underWay !== undefined) begun.push({ chunk, atMs: performance.now() });
  };
  const closed = once(child, 'close');
  const isReady = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-20_000);
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      lines.forEach(hear);
      if (said.includes('Working for batches')) resolve();
    });
    void closed.then(() => resolve());
  });
  child.stdin.end();
  child.stdout.resume();
  const isAtWork = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    /** It listens to signals: most of what a start takes is over. */
    isReady,
    isAtWork,
    /** All that it has taken, and what it is at now. */
    begun,
    underWay: () => underWay,
    exit: () => child.exitCode,
    /** The last of it. */
    said: () => said,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Told to stop, once it can hear it; one that stands still wakes to that. */
    async dismiss(): Promise<void> {
      await isReady;
      if (!isAtWork()) return;
      child.kill('SIGTERM');
      child.kill('SIGCONT');
    },
    /** It ends as it should, or in a way that is expected of one that has begun nothing, or killed; and not with a stack. */
    async ended(replay: string, unbegun: readonly number[] = []): Promise<Violation[]> {
      await closed;
      const ends = said.includes(': begun.') ? exits : [...exits, ...unbegun];
      const isEnded = ends.includes(child.exitCode) || child.signalCode === 'SIGKILL';
      const isSound = isEnded && !/^\s+at .+:\d+:\d+\)?$/m.test(said);
      const text = `a worker ended with ${child.exitCode}: ${said}`;
      return isSound ? [] : [{ kind: 'crash', replay, text }];
    },
  };
}

/** All are told to stop, and end as they should. */
export async function dismissAll(
  workers: readonly Worker[],
  replay: string,
  unbegun: readonly number[] = [],
): Promise<Violation[]> {
  for (const worker of workers) await worker.dismiss();
  return (await Promise.all(workers.map((worker) => worker.ended(replay, unbegun)))).flat();
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeJournal } from '../../../src/journal/shared/shared-of.ts';
import { seededChance } from '../../support/chance.ts';
import { startPostgres } from '../../support/postgres.ts';
import { spawnPayrun } from '../../support/run-payrun.ts';
import type { Campaign } from '../campaign.ts';
import { blindSends, carryOn, troublesOf } from '../crash/carry-on.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import { dismissAll, hireWorker } from './hire-worker.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { schemaJournal } from './schema-journal.ts';

const wholeRows = 2_400;
const fewestRows = 160;
const workerCount = 2;
const mostBreaks = 60;
const fewestBreaks = 4;
/** From a payout that got no answer to the interruption. */
const longestPauseMs = 5_000;
const lookEveryMs = 250;
/** Where all of a while were answered. */
const waitsAtMostMs = 10_000;
/** What comes late comes within the quiet period, and long after a chunk was taken away and given back. */
const faults = 'latency=20ms,late-landing=0.1,late-by=10s,on=createPayout';
const tuning = ['--timeout', '2s', '--quiet-period', '12s', '--resends', '10'];
/** So that a worker has a chunk for longer than what it waits for. */
const rate = ['--rate', '24'];
const leastChunk = 80;
const chunks = 8;
/** After it nothing is as old as it was, for chunks are handed over anew. */
const partOfAgain = 0.15;
const partOfResume = 0.3;

/**
 * Workers that live long, and are interrupted again and again while payouts whose connection dropped are still on their way:
 * whoever gets a chunk back must know how old what was sent of it is.
 */
export const interruptedWorkers: Campaign = {
  name: 'interrupted-workers',
  title:
    'Two workers who get their chunks back again and again (results, a resume that is killed, Ctrl-C and the same command), while one payout in ten drops its connection and is made 10 s later',
  atLeast: { rows: wholeRows, interruptions: 40, 'sends without an answer': 60 },
  run: ({ seed, share, say }) =>
    onPostgresGround(async ({ folder, shim, services }, programs) => {
      const cluster = await startPostgres(programs);
      try {
        const rows = Math.max(fewestRows, Math.round(wholeRows * share));
        const replay = `interrupted-workers seed ${seed} rows ${rows}`;
        const chunk = String(Math.max(leastChunk, Math.round(rows / chunks)));
        const flags = [...tuning, ...rate, '--settle-for', '120s', '--workers', '--chunk', chunk];
        const site = await openSite({
          ...{ parent: folder, name: 'breaks', services, shim, rows, concurrency: 8, dedupe: 'off', flags },
          longestMs: 20 * 60_000,
          journal: await schemaJournal(cluster.url, 'breaks', cluster.url),
        });
        await site.service.faults(faults);
        const crew = Array.from({ length: workerCount }, (_, number) =>
          hireWorker(site, `machine-${number}`, [...tuning, '--concurrency', '4']),
        );
        try {
          await Promise.all(crew.map(({ isReady }) => isReady));
          const breaks = Math.max(fewestBreaks, Math.round(mostBreaks * share));
          const { violations, counts } = await harass(site, breaks, seededChance(seed), replay, (line) =>
            say(`interrupted-workers: ${line}`),
          );
          await site.service.faults('latency=20ms');
          violations.push(...(await blindSends(site, replay)));
          violations.push(...(await carryOn(site, replay)).violations, ...(await dismissAll(crew, replay)));
          const unanswered = await unansweredSends(site);
          return { counts: { rows, ...counts, 'sends without an answer': unanswered }, violations };
        } finally {
          for (const worker of crew) worker.kill('SIGKILL');
          await site.close();
        }
      } finally {
        await cluster.remove();
      }
    }),
};

/** Until all is sent, or often enough. */
async function harass(
  site: Site,
  breaks: number,
  chance: () => number,
  replay: string,
  say: (line: string) => void,
) {
  const violations: Violation[] = [];
  const counts = { interruptions: 0 };
  let watching = watch(site);
  // Before anything is sent an interruption only makes everybody wait longer.
  let isOver = false;
  void watching.ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await site.intents()).length === 0) await pause(500);
  let unanswered = 0;
  while (counts.interruptions < breaks && new Set(await site.intents()).size < site.rows.length) {
    unanswered = await untilMore(site, unanswered, () => isOver);
    await pause(chance() * longestPauseMs);
    const kind = counts.interruptions === 0 ? 1 : chance();
    if (kind < partOfAgain) {
      watching.child()?.kill('SIGINT');
      violations.push(...troublesOf(await watching.ended, [0, 4, 5, 75, 130], replay));
      watching = watch(site);
    } else await (kind < partOfAgain + partOfResume ? killResume(site, chance) : askResults(site));
    counts.interruptions += 1;
    if (counts.interruptions % 10 === 0)
      say(
        `${counts.interruptions} interruptions, ${new Set(await site.intents()).size} of ${site.rows.length} rows sent`,
      );
  }
  violations.push(...troublesOf(await watching.ended, [0, 4, 5, 75], replay));
  return { violations, counts };
}

/** Interrupted is who has just sent something of which nobody knows whether it arrived. */
async function untilMore(site: Site, than: number, isOver: () => boolean): Promise<number> {
  const untilMs = performance.now() + waitsAtMostMs;
  let count = await unansweredSends(site);
  while (count <= than && !isOver() && performance.now() < untilMs) {
    await pause(lookEveryMs);
    count = await unansweredSends(site);
  }
  return count;
}

async function unansweredSends(site: Site): Promise<number> {
  const db = await site.openJournal();
  try {
    return db.prepare<[], number>(`SELECT count(*) FROM sends WHERE outcome = 'unknown'`).pluck().get() ?? 0;
  } finally {
    await closeJournal(db);
  }
}

function watch(site: Site) {
  let child: ChildProcess | undefined;
  const ended = site.run(undefined, (started) => {
    child = started;
  });
  return { child: () => child, ended };
}

/** They want the batch whole, and workers get it back. */
async function askResults(site: Site): Promise<void> {
  await once(command(site, ['results', 'november']), 'close');
}

async function killResume(site: Site, chance: () => number): Promise<void> {
  const child = command(site, ['resume', 'november', ...tuning]);
  const closed = once(child, 'close');
  await Promise.race([closed, pause(500 + chance() * 4_000)]);
  child.kill('SIGKILL');
  await closed;
}

function command(site: Site, words: readonly string[]) {
  const child = spawnPayrun(words, { cwd: site.disk, env: site.env });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

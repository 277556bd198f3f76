import { seededChance } from '../../support/chance.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { Campaign } from '../campaign.ts';
import { blindSends, carryOn, troublesOf } from '../crash/carry-on.ts';
import type { ProofGround } from '../crash/proof-ground.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import { dismissAll, hireWorker, type Worker } from './hire-worker.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { schemaJournal } from './schema-journal.ts';

const wholeRows = 20_000;
const fewestRows = 120;
const workerCount = 4;
const chunk = 100;
const shortestLifeMs = 1_000;
const longestLifeMs = 2_500;
/** Longer than others wait for one who is not seen. */
const frozenForMs = 24_000;
const frozenAtMost = 3;
/** Then those who are there finish it: to begin anew all the time takes a machine with two cores longer than to pay. */
const mostStrikes = 180;
/** From the blow to the worker that goes on with what was under way. */
const takenOverWithinMs = 45_000;
const tuning = ['--timeout', '2s', '--quiet-period', '4s', '--resends', '10'];

/** One large batch and four workers, of whom one is killed or frozen every few seconds, and replaced. */
export const dyingWorkers: Campaign = {
  name: 'dying-workers',
  title:
    'A batch of 20,000 rows and four workers: one is killed, or frozen and woken after it was taken over, every few seconds',
  atLeast: { rows: wholeRows, 'workers killed': 100, 'workers frozen': 20 },
  run: ({ seed, share, say }) =>
    onPostgresGround(async (ground, programs) => {
      const cluster = await startPostgres(programs);
      try {
        const rows = Math.max(fewestRows, Math.round(wholeRows * share));
        const site = await openLarge(ground, cluster.url, rows, share);
        const replay = `dying-workers seed ${seed} rows ${rows}`;
        const crew = openCrew(site, seed);
        const watching = site.run();
        const counts = await crew.harass(watching, (line) => say(`dying-workers: ${line}`));
        const watched = await watching;
        const violations = troublesOf(watched, [0, 4, 5], replay);
        violations.push(...(await blindSends(site, replay)));
        const carried = await carryOn(site, replay);
        violations.push(...carried.violations, ...(await crew.dismiss(replay)));
        const takenOver = crew.takenOver();
        if (takenOver.longestMs > takenOverWithinMs)
          violations.push({
            kind: 'stuck',
            replay,
            text: `a chunk was taken over after ${takenOver.longestMs} ms`,
          });
        await site.close();
        const seconds = Math.ceil(takenOver.longestMs / 1000);
        const seen = { 'chunks taken over': takenOver.chunks, 's at most until then': seconds };
        return { counts: { rows, ...counts, ...seen }, violations };
      } finally {
        await cluster.remove();
      }
    }),
};

async function openLarge(
  { folder, shim, services }: ProofGround,
  url: string,
  rows: number,
  share: number,
): Promise<Site> {
  const flags = [...tuning, '--settle-for', '120s', '--workers', '--chunk', String(share < 1 ? 10 : chunk)];
  const site = await openSite({
    ...{ parent: folder, name: 'large', services, shim, rows, concurrency: 8, dedupe: 'off', flags },
    longestMs: 40 * 60_000,
    journal: await schemaJournal(url, 'large', url),
  });
  await site.service.faults('latency=20ms');
  return site;
}

function openCrew(site: Site, seed: number) {
  const chance = seededChance(seed);
  const all: Worker[] = [];
  const frozen = new Set<Worker>();
  const blows: { readonly worker: Worker; readonly chunk: string; readonly atMs: number }[] = [];
  const counts = { 'workers killed': 0, 'workers frozen': 0 };

  function hire(): Worker {
    const worker = hireWorker(site, `machine-${all.length}`, [...tuning, '--concurrency', '4']);
    all.push(worker);
    return worker;
  }

  const crew = Array.from({ length: workerCount }, hire);

  function strike(place: number): void {
    const worker = crew[place];
    if (!worker?.isAtWork()) return;
    const chunk = worker.underWay();
    if (chunk !== undefined) blows.push({ worker, chunk, atMs: performance.now() });
    if (chance() < 0.75 || frozen.size >= frozenAtMost) {
      worker.kill('SIGKILL');
      counts['workers killed'] += 1;
    } else {
      worker.kill('SIGSTOP');
      frozen.add(worker);
      counts['workers frozen'] += 1;
      setTimeout(() => {
        worker.kill('SIGCONT');
        frozen.delete(worker);
      }, frozenForMs).unref();
    }
  }

  return {
    /** Until the batch is done, or nobody watches it any more. */
    async harass(watching: Promise<unknown>, say: (line: string) => void): Promise<typeof counts> {
      let isOver = false;
      void watching.then(() => {
        isOver = true;
      });
      // Whoever has nothing to do yet can lose nothing.
      while (!isOver && (await site.intents()).length === 0) await pause(500);
      for (let strikes = 1; !isOver && strikes <= mostStrikes; strikes += 1) {
        await Promise.race([watching, pause(shortestLifeMs + chance() * longestLifeMs)]);
        const place = Math.floor(chance() * workerCount);
        if (!isOver) strike(place);
        for (const [index, worker] of crew.entries())
          if (!worker.isAtWork() || frozen.has(worker)) crew[index] = hire();
        if (strikes % 10 === 0)
          say(
            `${JSON.stringify(counts)}, ${new Set(await site.intents()).size} of ${site.rows.length} rows sent`,
          );
      }
      return counts;
    },

    /** What was under way when its worker was struck, and how long it took until another had it. */
    takenOver(): { readonly chunks: number; readonly longestMs: number } {
      const waits = blows.flatMap(({ worker, chunk, atMs }) => {
        const later = all
          .filter((other) => other !== worker)
          .flatMap(({ begun }) => begun)
          .filter((taken) => taken.chunk === chunk && taken.atMs > atMs)
          .map((taken) => taken.atMs - atMs);
        return later.length > 0 ? [Math.min(...later)] : [];
      });
      return { chunks: waits.length, longestMs: Math.max(0, ...waits) };
    },

    /** All end by themselves. One that starts while the machine is full may hear nothing of the service within its time-out. */
    async dismiss(replay: string): Promise<Violation[]> {
      for (const worker of frozen) worker.kill('SIGCONT');
      return dismissAll(all, replay, [69]);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

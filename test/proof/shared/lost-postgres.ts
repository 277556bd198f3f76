import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import type { Campaign } from '../campaign.ts';
import { blindSends, carryOn, troublesOf } from '../crash/carry-on.ts';
import { inLanes, laneCount, sampleOf } from '../crash/lanes.ts';
import type { ProofGround } from '../crash/proof-ground.ts';
import type { Site } from '../crash/site.ts';
import { openSmallBatch } from '../crash/small-batch.ts';
import type { Violation } from '../oracle.ts';
import { openDoor, type PostgresDoor } from './postgres-door.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { schemaJournal } from './schema-journal.ts';

interface Loss {
  /** A machine that loses power, or a cable that is pulled. */
  readonly what: 'killed' | 'cut';
  readonly concurrency: number;
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly dedupe: 'on' | 'off';
  /** In so many runs, one after the other, at the same place of each. */
  readonly times: number;
}

/** A server of its own, and the door in front of it: what is done there is done to nobody else. */
interface Place {
  readonly cluster: PostgresCluster;
  readonly door: PostgresDoor;
}

/** Everything paid, some pending, stopped early; Postgres gone before anything was sent, and in mid-run. */
const exits = [0, 4, 5, 73, 74];

/** Postgres killed at the Nth commit, the connection cut at the Nth statement, and the same command again. */
export const lostPostgres: Campaign = {
  name: 'lost-postgres',
  title:
    'A journal in Postgres: the server killed at the Nth commit, the connection cut at the Nth statement',
  atLeast: { 'servers killed': 200, 'connections cut': 100 },
  run: ({ seed, share, say }) =>
    onPostgresGround(async (ground, programs) => {
      const counts = {
        'servers killed': 0,
        'connections cut': 0,
        'of them with no dedupe at the service': 0,
        'runs to recover': 0,
      };
      const violations: Violation[] = [];
      const places = await Promise.all(Array.from({ length: laneCount }, () => openPlace(programs)));
      try {
        const free = [...places];
        const [first] = free;
        if (!first) throw new Error('there is no lane');
        const points = sampleOf(await lossesOf(ground, first), share, seed);
        say(`lost-postgres: ${points.length} points`);
        await inLanes(points, async (loss, index) => {
          const place = free.pop();
          if (!place) throw new Error('there are as many servers as lanes');
          const site = await openSite(ground, place, `loss${index}`, loss);
          try {
            const replay = `lost-postgres seed ${seed} ${JSON.stringify(loss)}`;
            const found = await lose(site, place, loss, replay);
            counts['runs to recover'] += found.runs;
            counts[loss.what === 'killed' ? 'servers killed' : 'connections cut'] += found.strikes;
            if (loss.dedupe === 'off') counts['of them with no dedupe at the service'] += found.strikes;
            violations.push(...found.violations);
            for (const { kind, text } of found.violations) say(`lost-postgres: ${kind}: ${replay}: ${text}`);
          } finally {
            await site.close();
            free.push(place);
          }
          if (index % 25 === 24) say(`lost-postgres: ${index + 1}, ${violations.length} violations`);
        });
        return { counts, violations };
      } finally {
        for (const { cluster, door } of places) {
          await door.close();
          await cluster.remove();
        }
      }
    }),
};

async function openPlace(programs: string): Promise<Place> {
  const cluster = await startPostgres(programs);
  return { cluster, door: await openDoor(cluster.port) };
}

async function openSite(
  ground: ProofGround,
  { cluster, door }: Place,
  name: string,
  { concurrency, dedupe }: Pick<Loss, 'concurrency' | 'dedupe'>,
): Promise<Site> {
  door.order(undefined);
  const reached = `postgres://payrun@127.0.0.1:${door.port}/postgres`;
  const journal = await schemaJournal(cluster.url, name, reached);
  return openSmallBatch(ground, name, { concurrency, dedupe, journal });
}

/** All commits and statements of a run that nothing is done to, for one call at a time and for many. */
async function lossesOf(ground: ProofGround, place: Place): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const concurrency of [1, 4, 16]) {
    const { statements, commits } = await passedBy(ground, place, concurrency);
    for (let at = 1; at <= commits; at += 1) {
      for (const when of ['before', 'after'] as const)
        for (const dedupe of ['on', 'off'] as const)
          losses.push({ what: 'killed', concurrency, at, when, dedupe, times: 1 });
      const when = at % 2 === 0 ? 'before' : 'after';
      losses.push({ what: 'killed', concurrency, at, when, dedupe: 'off', times: 2 });
    }
    if (concurrency === 4) continue;
    for (let at = 1; at <= statements; at += 1) {
      const when = at % 2 === 0 ? 'before' : 'after';
      losses.push({ what: 'cut', concurrency, at, when, dedupe: 'off', times: 1 });
    }
  }
  return losses;
}

async function passedBy(ground: ProofGround, place: Place, concurrency: number) {
  const site = await openSite(ground, place, `count${concurrency}`, { concurrency, dedupe: 'on' });
  try {
    place.door.order(undefined);
    const { exit, stderr } = await site.run();
    if (exit !== 0) throw new Error(`nothing was done to it, and yet: ${stderr}`);
    return place.door.passed();
  } finally {
    await site.close();
  }
}

async function lose(
  site: Site,
  { cluster, door }: Place,
  { what, at, when, times }: Loss,
  replay: string,
): Promise<{ strikes: number; runs: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let strikes = 0;
  for (let time = 0; time < times; time += 1) {
    door.order({
      at,
      when,
      counts: what === 'killed' ? 'commits' : 'statements',
      strike: async () => {
        if (what === 'killed') await cluster.stop('immediate');
      },
    });
    const lost = await site.run();
    const isStruck = await door.hasStruck();
    door.order(undefined);
    if (what === 'killed' && isStruck) await cluster.start();
    if (isStruck) strikes += 1;
    violations.push(...troublesOf(lost, exits, replay), ...(await blindSends(site, replay)));
  }
  const carried = await carryOn(site, replay);
  return { strikes, runs: carried.runs, violations: [...violations, ...carried.violations] };
}

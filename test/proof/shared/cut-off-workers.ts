import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPostgres } from '../../../src/journal/shared/connect-postgres.ts';
import { readSharedUrl } from '../../../src/journal/shared/shared-url.ts';
import { seededChance } from '../../support/chance.ts';
import { type PostgresCluster, startPostgres } from '../../support/postgres.ts';
import { selfSigned } from '../../support/self-signed.ts';
import type { Campaign } from '../campaign.ts';
import { blindSends, carryOn, troublesOf } from '../crash/carry-on.ts';
import type { ProofGround } from '../crash/proof-ground.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import type { ServicesUnderProof } from '../service-under-proof.ts';
import { type CutNetwork, type Destination, openCutNetwork, whyNoNetworks } from './cut-network.ts';
import { dismissAll, hireWorker, type Worker } from './hire-worker.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { schemaJournal } from './schema-journal.ts';
import { openTlsGate } from './tls-gate.ts';

interface Size {
  readonly cuts: number;
  readonly machines: number;
  /** Fewer than there are machines: somebody must be left who ends the others. */
  readonly atOnce: number;
  readonly rows: number;
  readonly chunk: number;
  readonly longestMs: { readonly postgres: number; readonly service: number };
  /**
   * A request that was under way when the line was cut is kept by the system and tried again, each time after twice as long:
   * it lands after twice the cut. That is what a quiet period is for.
   */
  readonly quietPeriod: string;
}

const whole: Size = {
  ...{ cuts: 54, machines: 6, atOnce: 4, rows: 1_200, chunk: 10 },
  longestMs: { postgres: 30_000, service: 25_000 },
  quietPeriod: '60s',
};

/** For those who wait for it. */
const small: Omit<Size, 'cuts'> = {
  ...{ machines: 4, atOnce: 3, rows: 60, chunk: 5 },
  longestMs: { postgres: 24_000, service: 3_000 },
  quietPeriod: '8s',
};
const fewestCuts = 3;

const shortestMs = 2_500;
/** So long somebody is not seen before the others end it, and a little more. */
const endedAfterMs = 23_000;
const breathMs = 1_500;

/** As Postgres says it. One that was cut off in its turn, it ends by itself, and so where nobody answers for 25 s. */
const endedByOthers = /terminating connection due to administrator command/g;

interface Cut {
  readonly from: readonly Destination[];
  readonly forMs: number;
}

/**
 * Paid, some pending, stopped early; a worker did not reach the service, and that stops them all; or one that is cut off, and
 * not ended yet, still has a part of the batch.
 */
const exits = [0, 4, 5, 69, 75];

/** One batch, workers on machines of their own, and lines that go silent without anybody being told. */
export const cutOffWorkers: Campaign = {
  name: 'cut-off-workers',
  title:
    'Workers on machines of their own (network namespaces): a router drops what they send to Postgres, to the service or to both, for up to 30 s',
  atLeast: {
    cuts: 50,
    'from Postgres alone': 15,
    'from the service alone': 15,
    'from both': 15,
    'workers ended by others': 5,
    'sends without an answer': 20,
  },
  run: ({ seed, share, say }) =>
    onPostgresGround(async (ground, programs) => {
      const missing = whyNoNetworks();
      if (missing !== undefined)
        return { counts: {}, violations: [], skipped: { 'network namespaces': missing } };
      const size =
        share < 1 ? { ...small, cuts: Math.max(fewestCuts, Math.round(whole.cuts * share)) } : whole;
      return onNetwork(size.machines, programs, async (place) => {
        const replay = `cut-off-workers seed ${seed} cuts ${size.cuts}`;
        const site = await openBatch(ground, place, size);
        const crew = openCrew(site, place, size);
        try {
          const violations = await crew.cutThem(cutsOf(size, seed), replay, (line) =>
            say(`cut-off-workers: ${line}`),
          );
          violations.push(...(await blindSends(site, replay)));
          violations.push(...(await carryOn(site, replay)).violations, ...(await crew.dismiss(replay)));
          const unanswered = await unansweredSends(place.cluster);
          const counts = { ...crew.counts(), 'sends without an answer': unanswered, rows: size.rows };
          return { counts, violations };
        } finally {
          crew.kill();
          await site.close();
        }
      });
    }),
};

interface Place {
  readonly network: CutNetwork;
  readonly cluster: PostgresCluster;
  readonly key: string;
  readonly cert: string;
}

async function onNetwork<Value>(
  machines: number,
  programs: string,
  work: (place: Place) => Promise<Value>,
): Promise<Value> {
  const network = openCutNetwork(machines);
  try {
    const { postgres: address, service } = network.addresses;
    const own = selfSigned(`IP:${address},IP:${service}`);
    const cluster = await startPostgres(programs, undefined, { address, ...own });
    try {
      return await work({ network, cluster, ...own });
    } finally {
      await cluster.remove();
    }
  } finally {
    network.remove();
  }
}

async function openBatch(ground: ProofGround, place: Place, size: Size): Promise<Site> {
  const { network, cluster } = place;
  const authority = join(ground.folder, 'authority.pem');
  writeFileSync(authority, place.cert, { mode: 0o600 });
  const journal = await schemaJournal(cluster.url, 'cut', cluster.url);
  const reached = `postgres://payrun@${network.addresses.postgres}:${cluster.port}/postgres`;
  const site = await openSite({
    ...{
      parent: ground.folder,
      name: 'cut',
      shim: ground.shim,
      rows: size.rows,
      concurrency: 4,
      dedupe: 'off',
    },
    services: reachedAbroad(ground.services, place, authority),
    flags: [...tuningOf(size), '--settle-for', '120s', '--workers', '--chunk', String(size.chunk)],
    longestMs: 20 * 60_000,
    journal: {
      ...journal,
      env: { PAYRUN_JOURNAL_URL: `${reached}?schema=cut&sslrootcert=${authority}` },
    },
  });
  // Whoever is cut off has payouts under way: little else takes time.
  await site.service.faults('latency=50ms,slow=1,slow-by=1s,on=createPayout');
  return site;
}

function tuningOf({ quietPeriod }: Size): string[] {
  return ['--timeout', '2s', '--quiet-period', quietPeriod, '--resends', '10'];
}

/** The same service, at the address that other machines know it by. */
function reachedAbroad(
  services: ServicesUnderProof,
  { network, key, cert }: Place,
  authority: string,
): ServicesUnderProof {
  return {
    ...services,
    async open(wishes) {
      const service = await services.open(wishes);
      const gate = await openTlsGate(
        network.addresses.service,
        { key, cert },
        Number(new URL(service.url).port),
      );
      return {
        ...service,
        env: { ...service.env, PAYRUN_BASE_URL: gate.url, PAYRUN_CA_FILE: authority },
        async close() {
          await gate.close();
          await service.close();
        },
      };
    },
  };
}

/** In turn from one, from the other and from both; every other time from Postgres for so long that the others end it. */
function cutsOf({ cuts, longestMs }: Size, seed: number): Cut[] {
  const chance = seededChance(seed);
  const between = (least: number, most: number) => least + chance() * Math.max(0, most - least);
  return Array.from({ length: cuts }, (_, index) => {
    const isLong = Math.floor(index / 3) % 2 === 0;
    if (index % 3 === 0)
      return {
        from: ['postgres'],
        forMs: between(isLong ? endedAfterMs : shortestMs, longestMs.postgres),
      };
    const least = isLong && longestMs.service > endedAfterMs ? endedAfterMs : shortestMs;
    return {
      from: index % 3 === 1 ? ['service'] : ['postgres', 'service'],
      forMs: between(least, longestMs.service),
    };
  });
}

function openCrew(site: Site, { network, cluster }: Place, size: Size) {
  const counts = {
    cuts: 0,
    'from Postgres alone': 0,
    'from the service alone': 0,
    'from both': 0,
    'of them with a chunk under way': 0,
  };
  const all: Worker[] = [];
  const isCut = new Set<number>();

  function hire(machine: number): Worker {
    const flags = [...tuningOf(size), '--concurrency', '4'];
    const worker = hireWorker(site, `machine-${all.length}`, flags, {}, network.on(machine));
    all.push(worker);
    return worker;
  }

  const crew = Array.from({ length: size.machines }, (_, machine) => hire(machine));

  /** As whoever runs them has it done: one that ended is started again, once its line is there. */
  function replaceEnded(): void {
    for (const [machine, worker] of crew.entries())
      if (!worker.isAtWork() && !isCut.has(machine)) crew[machine] = hire(machine);
  }

  /** Somebody who has a chunk, if there is one, and who was there long enough to have said so. */
  function choose(): number | undefined {
    const ready = [...crew.entries()].filter(
      ([machine, worker]) =>
        !isCut.has(machine) && worker.isAtWork() && worker.said().includes('Working for batches'),
    );
    return (ready.find(([, worker]) => hasChunk(worker)) ?? ready[0])?.[0];
  }

  async function cutOne({ from, forMs }: Cut): Promise<void> {
    const machine = choose();
    if (machine === undefined) return;
    const worker = crew[machine];
    isCut.add(machine);
    if (worker && hasChunk(worker)) counts['of them with a chunk under way'] += 1;
    counts.cuts += 1;
    counts[kindOf(from)] += 1;
    for (const each of from) network.cut(machine, each);
    await pause(forMs);
    for (const each of from) network.heal(machine, each);
    isCut.delete(machine);
    await pause(breathMs);
  }

  async function inTurn(cuts: Iterator<Cut>, isOver: () => boolean): Promise<void> {
    for (let next = cuts.next(); !next.done && !isOver(); next = cuts.next()) await cutOne(next.value);
  }

  return {
    counts: () => ({
      ...counts,
      'workers ended by others': [...cluster.log().matchAll(endedByOthers)].length,
      'workers that ended': all.filter((worker) => worker.exit() === 74).length,
    }),

    /** Until all cuts are made, or there is nothing left to do. A batch that was given back is left to the workers again. */
    async cutThem(cuts: readonly Cut[], replay: string, say: (line: string) => void): Promise<Violation[]> {
      const violations: Violation[] = [];
      const state = { isDone: false, isPaid: false };
      const replacing = setInterval(replaceEnded, 1_000);
      const telling = setInterval(() => say(JSON.stringify(this.counts())), 30_000);
      const watching = (async () => {
        do {
          const run = await site.run();
          violations.push(...troublesOf(run, exits, replay));
          state.isPaid = run.exit === 0 || violations.length > 0;
        } while (!state.isDone && !state.isPaid);
      })();
      // Whoever has nothing to do yet can lose nothing.
      while (!state.isPaid && (await site.intents()).length === 0) await pause(200);
      const waiting = cuts.values();
      const lanes = Array.from({ length: size.atOnce }, () => inTurn(waiting, () => state.isPaid));
      await Promise.all(lanes);
      state.isDone = true;
      await watching;
      clearInterval(telling);
      clearInterval(replacing);
      replaceEnded();
      return violations;
    },

    /** One that was cut off before it had asked the service who it is says that it cannot be reached. */
    async dismiss(replay: string): Promise<Violation[]> {
      return dismissAll(all, replay, [69]);
    },

    kill(): void {
      for (const worker of all) if (worker.isAtWork()) worker.kill('SIGKILL');
    },
  };
}

async function unansweredSends({ url }: PostgresCluster): Promise<number> {
  const connection = await connectPostgres(readSharedUrl(url));
  try {
    const [rows] = await connection.ask(`SELECT count(*) AS n FROM cut.sends WHERE outcome = 'unknown'`);
    return Number(rows?.[0]?.['n']);
  } finally {
    await connection.close();
  }
}

function kindOf(from: readonly Destination[]) {
  if (from.length > 1) return 'from both';
  return from[0] === 'postgres' ? 'from Postgres alone' : 'from the service alone';
}

/** It said that it began one, and not yet that it is done with it. */
function hasChunk(worker: Worker): boolean {
  const said = worker.said();
  return said.lastIndexOf(': begun.') > said.lastIndexOf(' send');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

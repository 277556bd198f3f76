import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectPostgres } from '../../../src/journal/shared/connect-postgres.ts';
import { readSharedUrl } from '../../../src/journal/shared/shared-url.ts';
import { seededChance } from '../../support/chance.ts';
import {
  findPostgres,
  followPostgres,
  type PostgresCluster,
  type PostgresStandby,
  startPostgres,
} from '../../support/postgres.ts';
import type { Campaign } from '../campaign.ts';
import { carryOn, troublesOf } from '../crash/carry-on.ts';
import { inLanes } from '../crash/lanes.ts';
import { onProofGround, type ProofGround } from '../crash/proof-ground.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import { hireWorker, type Worker } from './hire-worker.ts';
import { intentsAt, schemaJournal } from './schema-journal.ts';

const wholePromotions = 21;
const fewestPromotions = 2;
const rowCount = 16;
const workerCount = 2;
const chunk = 4;
const tuning = ['--timeout', '2s', '--quiet-period', '9s', '--resends', '10'];

/** Some payouts land when whoever sent them is gone, and another server has taken over: within the quiet period, and late in it. */
const faults = 'latency=150ms,late-landing=0.3,late-by=7s,on=createPayout';

interface Promotion {
  readonly name: string;
  /** So many sends the standby knows of before it hears nothing any more. None: not even the batch. */
  readonly known: number;
  /** So many payouts more the service has got when the primary dies. */
  readonly unknown: number;
  /** With the primary, as in one room; otherwise they see it go. */
  readonly workersDie: boolean;
}

/** All paid, some pending, stopped early; Postgres gone before anything was sent, and in mid-run. */
const exits = [0, 4, 5, 73, 74];

/** The primary dies, and a standby that lags takes its place: what it never heard of was paid all the same. */
export const promotedStandby: Campaign = {
  name: 'promoted-standby',
  title:
    'Workers on a Postgres that dies; a standby that lacks the last commits is promoted, and workers and run begin again there',
  atLeast: { promotions: 20, 'payouts that the service had and the standby did not know': 40 },
  run: ({ seed, share, say }) =>
    onProofGround(async (ground) => {
      const programs = findPostgres();
      if (programs === undefined)
        return { counts: {}, violations: [], skipped: { postgres: 'no Postgres is installed' } };
      const counts = {
        promotions: 0,
        'payouts that the service had and the standby did not know': 0,
        'batches that the standby did not know': 0,
        'runs to recover': 0,
      };
      const violations: Violation[] = [];
      const servers = new Set<PostgresCluster>();
      const free: PostgresCluster[] = [];
      try {
        await inLanes(promotionsOf(share, seed), async (promotion) => {
          const replay = `promoted-standby seed ${seed} ${JSON.stringify(promotion)}`;
          // Who took over is the next to die: every promotion adds a timeline.
          const primary = free.pop() ?? (await startPostgres(programs));
          servers.add(primary);
          const standby = await followPostgres(programs, primary);
          servers.add(standby);
          const found = await promoteOnce(ground, primary, standby, promotion, replay);
          await primary.remove();
          servers.delete(primary);
          free.push(standby);
          counts.promotions += 1;
          counts['payouts that the service had and the standby did not know'] += found.unknown;
          if (found.known === 0) counts['batches that the standby did not know'] += 1;
          counts['runs to recover'] += found.runs;
          violations.push(...found.violations);
          say(`promoted-standby: ${promotion.name}: ${found.known} sends known, ${found.unknown} not`);
        });
        return { counts, violations };
      } finally {
        for (const server of servers) await server.remove();
      }
    }),
};

function promotionsOf(share: number, seed: number): Promotion[] {
  const chance = seededChance(seed);
  const count = Math.max(fewestPromotions, Math.round(wholePromotions * share));
  const upTo = (most: number) => 1 + Math.floor(chance() * most);
  return Array.from({ length: count }, (_, index) => ({
    name: `promotion${index}`,
    known: index % 5 === 4 ? 0 : upTo(6),
    unknown: upTo(6),
    workersDie: chance() < 0.5,
  }));
}

interface Promoted {
  readonly known: number;
  readonly unknown: number;
  readonly runs: number;
  readonly violations: readonly Violation[];
}

async function promoteOnce(
  ground: ProofGround,
  primary: PostgresCluster,
  standby: PostgresStandby,
  promotion: Promotion,
  replay: string,
): Promise<Promoted> {
  const { name } = promotion;
  const { site, turnTo } = await openBatch(ground, primary, name);
  const crew: Worker[] = [];
  const hire = () => {
    for (let index = 0; index < workerCount; index += 1)
      crew.push(hireWorker(site, `machine-${crew.length}`, [...tuning, '--concurrency', '2']));
  };
  try {
    if (promotion.known === 0) await fallBehind(standby, primary, name);
    hire();
    const before = [...crew];
    const lost = site.run();
    await outrun(site, primary, standby, promotion, lost);
    if (promotion.workersDie) for (const worker of before) worker.kill('SIGKILL');
    await primary.stop('immediate');
    await standby.promote();
    const known = new Set(await knownTo(standby, name));
    const unknown = (await site.service.ledger()).filter(({ reference }) => !known.has(reference)).length;
    await site.service.faults('latency=50ms');
    // At once: those who saw the old server go may still be at their last send.
    await turnTo(standby);
    hire();
    const violations = troublesOf(await lost, exits, replay);
    const carried = await carryOn(site, replay);
    violations.push(...carried.violations);
    for (const worker of crew) if (worker.isAtWork()) worker.kill('SIGTERM');
    violations.push(...(await Promise.all(crew.map((worker) => worker.ended(replay)))).flat());
    return { known: known.size, unknown, runs: carried.runs, violations };
  } finally {
    for (const worker of crew) if (worker.isAtWork()) worker.kill('SIGKILL');
    await site.close();
  }
}

/** Until the service has payouts that the standby will never hear of; or all is paid. */
async function outrun(
  site: Site,
  primary: PostgresCluster,
  standby: PostgresStandby,
  { name, known, unknown }: Promotion,
  lost: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  void lost.then(() => {
    isOver = true;
  });
  if (known > 0) {
    while (!isOver && (await knownTo(standby, name)).length < known) await pause(100);
    await fallBehind(standby, primary, name);
  }
  const heard = new Set(await knownTo(standby, name));
  const isFar = async () =>
    (await site.service.ledger()).filter(({ reference }) => !heard.has(reference)).length >= unknown;
  while (!isOver && !(await isFar())) await pause(50);
}

/** It takes nothing more from the primary, and does not come back to it. What it has got until then it keeps. */
async function fallBehind(standby: PostgresStandby, primary: PostgresCluster, schema: string): Promise<void> {
  // The tables are there in any case: they were made long before.
  while ((await asked(standby, `SELECT to_regclass('${schema}.sends') AS made`))[0]?.['made'] === null)
    await pause(50);
  await asked(standby, `ALTER SYSTEM SET primary_conninfo = ''`);
  await asked(standby, 'SELECT pg_reload_conf()');
  while ((await asked(primary, 'SELECT 1 FROM pg_stat_replication')).length > 0) await pause(50);
}

async function asked({ url }: PostgresCluster, statement: string) {
  const connection = await connectPostgres(readSharedUrl(url));
  try {
    return (await connection.ask(statement))[0] ?? [];
  } finally {
    await connection.close();
  }
}

function knownTo({ url }: PostgresCluster, schema: string): Promise<string[]> {
  // Where the tables have not arrived yet, no send has.
  return intentsAt(url, schema).catch(() => []);
}

/** A batch whose journal stands where a file says, so that it can be turned to another server, as an operator does. */
async function openBatch({ folder, shim, services }: ProofGround, primary: PostgresCluster, name: string) {
  const file = join(folder, `${name}.url`);
  let journal = await schemaJournal(primary.url, name, primary.url);
  const write = () => writeFileSync(file, journal.env['PAYRUN_JOURNAL_URL'] ?? '', { mode: 0o600 });
  write();
  const flags = [...tuning, '--settle-for', '60s', '--workers', '--chunk', String(chunk)];
  const site = await openSite({
    ...{ parent: folder, name, services, shim, rows: rowCount, concurrency: 2, dedupe: 'off', flags },
    journal: {
      env: { PAYRUN_JOURNAL_URL_FILE: file },
      open: () => journal.open(),
      intents: () => journal.intents(),
    },
  });
  await site.service.faults(faults);
  return {
    site,
    async turnTo({ url }: PostgresCluster): Promise<void> {
      journal = await schemaJournal(url, name, url);
      write();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

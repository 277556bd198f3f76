import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unfinishedStates } from '../../../src/domain/payout/payout-state.ts';
import { connectPostgres } from '../../../src/journal/shared/connect-postgres.ts';
import { readSharedUrl } from '../../../src/journal/shared/shared-url.ts';
import { seededChance } from '../../support/chance.ts';
import {
  followPostgres,
  type PostgresCluster,
  type PostgresStandby,
  startPostgres,
} from '../../support/postgres.ts';
import type { Campaign } from '../campaign.ts';
import { type CarriedOn, carryOn, judgeSite, troublesOf } from '../crash/carry-on.ts';
import { inLanes } from '../crash/lanes.ts';
import type { ProofGround } from '../crash/proof-ground.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import { dismissAll, hireWorker, type Worker } from './hire-worker.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { intentsAt, schemaJournal } from './schema-journal.ts';

const wholePromotions = 21;
const fewestPromotions = 2;
const wholeRows = 16;
/** For those who wait for it: a chunk for each worker. */
const fewestRows = 8;
const workerCount = 2;
const chunk = 4;
const tuning = ['--timeout', '2s', '--quiet-period', '14s', '--resends', '10'];

const usual = 'latency=150ms';
/** They land when whoever sent them is gone and another server has taken over: late in the quiet period, and within it. */
const lateByMs = 12_000;
const late = `${usual},late-landing=1,late-by=${lateByMs}ms,on=createPayout`;
/** For workers that nobody watches; what is left then is for whoever looks after it. */
const aloneForMs = 45_000;
const landsWithinMs = 2_000;

interface Promotion {
  readonly name: string;
  readonly rows: number;
  /** So many sends the standby knows of before it hears nothing any more. None: not even the batch. */
  readonly known: number;
  /** So many more there are when the primary dies. */
  readonly unknown: number;
  /** All are on their way for a while, and nothing of them is seen when the standby takes over. */
  readonly isLate: boolean;
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
    onPostgresGround(async (ground, programs) => {
      const counts = {
        promotions: 0,
        'payouts that the service had and the standby did not know': 0,
        'payouts on their way that it did not know': 0,
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
          counts['payouts that the service had and the standby did not know'] += found.had;
          counts['payouts on their way that it did not know'] += found.onTheWay;
          if (found.known === 0) counts['batches that the standby did not know'] += 1;
          counts['runs to recover'] += found.runs;
          violations.push(...found.violations);
          say(
            `promoted-standby: ${promotion.name}: ${found.known} sends known, ${found.had} had, ${found.onTheWay} on their way`,
          );
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
    rows: share < 1 ? fewestRows : wholeRows,
    known: index % 5 === 4 ? 0 : upTo(share < 1 ? 2 : 6),
    unknown: upTo(share < 1 ? 2 : 5),
    isLate: index % 2 === 1,
    workersDie: chance() < 0.5,
  }));
}

interface Promoted {
  readonly known: number;
  /** By the service, when the standby took over; and what it got later. */
  readonly had: number;
  readonly onTheWay: number;
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
  const { site, turnTo } = await openBatch(ground, primary, promotion);
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
    const sent = await outrun(site, primary, standby, promotion, lost);
    if (promotion.workersDie) for (const worker of before) worker.kill('SIGKILL');
    await primary.stop('immediate');
    const diedMs = performance.now();
    await standby.promote();
    const known = new Set(await knownTo(standby, name));
    const had = new Set((await site.service.ledger()).map(({ reference }) => reference));
    await site.service.faults(usual);
    // At once: those who saw the old server go may still be at their last send.
    await turnTo(standby);
    hire();
    const violations = troublesOf(await lost, exits, replay);
    await untilDone(standby, name);
    const carried = await (promotion.known === 0 ? beginAnew(site, replay) : carryOn(site, replay));
    violations.push(...carried.violations);
    // Nothing is on its way any more, and all is as it was.
    await pause(diedMs + lateByMs + landsWithinMs - performance.now());
    violations.push(...(await judgeSite(site, replay, true)));
    violations.push(...(await dismissAll(crew, replay)));
    return {
      known: known.size,
      had: [...had].filter((reference) => !known.has(reference)).length,
      onTheWay: sent.filter((reference) => !known.has(reference) && !had.has(reference)).length,
      runs: carried.runs,
      violations,
    };
  } finally {
    for (const worker of crew) if (worker.isAtWork()) worker.kill('SIGKILL');
    await site.close();
  }
}

/** Until there are sends that the standby will never hear of, or all is paid. All sends that there are then. */
async function outrun(
  site: Site,
  primary: PostgresCluster,
  standby: PostgresStandby,
  { name, known, unknown, isLate }: Promotion,
  lost: Promise<unknown>,
): Promise<readonly string[]> {
  let isOver = false;
  void lost.then(() => {
    isOver = true;
  });
  if (known > 0) {
    while (!isOver && (await knownTo(standby, name)).length < known) await pause(100);
    await fallBehind(standby, primary, name);
  }
  const heard = new Set(await knownTo(standby, name));
  for (;;) {
    const sent = await site.intents();
    // Where they land at once, the service is to have them.
    const seen = isLate ? sent : (await site.service.ledger()).map(({ reference }) => reference);
    const isFar = seen.filter((each) => !heard.has(each)).length >= unknown;
    if (isOver || isFar) return sent;
    await pause(50);
  }
}

const mostRuns = 8;

/**
 * A batch that the standby never heard of is accepted once more. Whom it had made accounts for it does not know either: where
 * the service only repeats the name that is stored there, the payout waits for a person (3). What was paid is still found.
 */
async function beginAnew(site: Site, replay: string): Promise<CarriedOn> {
  const violations: Violation[] = [];
  for (let runs = 1; ; runs += 1) {
    const run = await site.run();
    violations.push(...troublesOf(run, [0, 3, 4, 5], replay));
    if (run.exit !== null && [4, 5].includes(run.exit) && runs < mostRuns) continue;
    const isFinished = run.exit === 0 || run.exit === 3;
    if (!isFinished) violations.push({ kind: 'stuck', replay, text: `the last run ended with ${run.exit}` });
    violations.push(...(await judgeSite(site, replay, isFinished)));
    return { runs, violations };
  }
}

/** The batch was left to workers before, and still is: they carry on with what the standby knows of it. */
async function untilDone(standby: PostgresStandby, schema: string): Promise<void> {
  const begunMs = performance.now();
  const states = unfinishedStates.map((state) => `'${state}'`).join();
  const left = `SELECT 1 FROM ${schema}.payouts WHERE state IN (${states}) LIMIT 1`;
  while (performance.now() - begunMs < aloneForMs && (await asked(standby, left)).length > 0)
    await pause(500);
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
async function openBatch(
  { folder, shim, services }: ProofGround,
  primary: PostgresCluster,
  { name, rows, isLate }: Promotion,
) {
  const file = join(folder, `${name}.url`);
  let journal = await schemaJournal(primary.url, name, primary.url);
  const write = () => writeFileSync(file, journal.env['PAYRUN_JOURNAL_URL'] ?? '', { mode: 0o600 });
  write();
  const flags = [...tuning, '--settle-for', '60s', '--workers', '--chunk', String(chunk)];
  const site = await openSite({
    ...{ parent: folder, name, services, shim, rows, concurrency: 2, dedupe: 'off', flags },
    journal: {
      env: { PAYRUN_JOURNAL_URL_FILE: file },
      open: () => journal.open(),
      intents: () => journal.intents(),
    },
  });
  await site.service.faults(isLate ? late : usual);
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

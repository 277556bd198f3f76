import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectPostgres } from '../../../src/journal/shared/connect-postgres.ts';
import { createQueue } from '../../../src/journal/shared/one-at-a-time.ts';
import { literal, type Row } from '../../../src/journal/shared/shared-connection.ts';
import { readSharedUrl } from '../../../src/journal/shared/shared-url.ts';
import { seededChance } from '../../support/chance.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { Campaign } from '../campaign.ts';
import { blindSends, carryOn, troublesOf } from '../crash/carry-on.ts';
import { inLanes } from '../crash/lanes.ts';
import type { ProofGround } from '../crash/proof-ground.ts';
import { openSite, type Site } from '../crash/site.ts';
import type { Violation } from '../oracle.ts';
import { dismissAll, hireWorker, type Worker } from './hire-worker.ts';
import { onPostgresGround } from './postgres-ground.ts';
import { schemaJournal } from './schema-journal.ts';

const wholeRounds = 16;
const frozenInRound = 16;
/** Whoever takes a chunk over waits in it for its quiet period: so many go on at a time. */
const othersInRound = 6;
/** A round of few, for a sample. */
const fewest = 4;
const chunk = 3;
/** More of them would keep the service from answering in time. */
const startingAtOnce = 2;
const hourMs = 3_600_000;
const tuning = ['--timeout', '3s', '--quiet-period', '6s', '--resends', '10'];

/** Whoever has not come to its place by then will not: others took what it would have sent. */
const reachedWithinMs = 90_000;
/** Ended after 20 s, then taken by somebody who may have others to look after first. */
const takenOverWithinMs = 150_000;
const lookEveryMs = 300;

/**
 * See stand-still.mjs. In all but the last nothing of the payout has left. Not drawn is `checked`: between asking whether it may
 * leave and writing there is nothing to wait for, and whoever is frozen just there sends when it wakes. No sender can close
 * that; a service that takes a reference once does.
 */
const places = ['intended', 'answered', 'unread', 'intended', 'answered', 'unread', 'answered', 'on-its-way'];

const standStill = fileURLToPath(new URL('./stand-still.mjs', import.meta.url));

/**
 * Workers that stop between the intent to send, which is in Postgres, and the first byte of it; others end them and take over
 * what they had; then they are woken. Some of all workers have a wall clock that is wrong.
 */
export const frozenWorkers: Campaign = {
  name: 'frozen-workers',
  title:
    'Workers frozen between an intent in Postgres and the first byte of its send, woken after others took over; a third of all clocks an hour ahead, a third an hour behind',
  atLeast: {
    'workers frozen in the window': 200,
    'workers woken': 200,
    'workers with a clock an hour off': 100,
  },
  run: ({ seed, share, say }) =>
    onPostgresGround(async (ground, programs) => {
      const cluster = await startPostgres(programs);
      const counts = newCounts();
      const violations: Violation[] = [];
      try {
        const rounds = Array.from({ length: Math.max(1, Math.round(wholeRounds * share)) });
        const size = wholeRounds * share < 1 ? { frozen: fewest, others: fewest } : undefined;
        await inLanes(rounds, async (_, index) => {
          const round = {
            ground,
            url: cluster.url,
            name: `round${index}`,
            seed: seed + index,
            counts,
            ...size,
          };
          const found = await haunt(round);
          violations.push(...found);
          for (const { kind, replay, text } of found) say(`frozen-workers: ${kind}: ${replay}: ${text}`);
          say(`frozen-workers: ${index + 1} of ${rounds.length}, ${JSON.stringify(counts)}`);
        });
        return { counts, violations };
      } finally {
        await cluster.remove();
      }
    }),
};

function newCounts() {
  return {
    rows: 0,
    'workers frozen in the window': 0,
    'workers frozen with the request on its way': 0,
    'workers woken': 0,
    'of them after others had paid what they were about to': 0,
    'workers with a clock an hour off': 0,
  };
}

interface Round {
  readonly ground: ProofGround;
  readonly url: string;
  readonly name: string;
  readonly seed: number;
  readonly counts: ReturnType<typeof newCounts>;
  readonly frozen?: number;
  readonly others?: number;
}

/** A batch of its own: some are frozen in it, others carry on, and those are woken. */
async function haunt(round: Round): Promise<Violation[]> {
  const { name, seed, frozen = frozenInRound, others = othersInRound } = round;
  const site = await openBatch(round, (frozen + others) * chunk);
  const postgres = await openQuestions(round.url, name);
  const crew = openCrew(site, round);
  const replay = `frozen-workers seed ${seed}`;
  let watcher: ChildProcess | undefined;
  const watching = site.run(undefined, (child) => {
    watcher = child;
  });
  try {
    const still = await crew.freeze(frozen, postgres);
    await crew.hireOthers(others);
    const stuck = await Promise.all(still.map((one) => one && wakeInTime(one, postgres, round, replay)));
    const violations = stuck.flatMap((one) => one ?? []);
    // Nobody would come to an end.
    if (violations.length > 0) return violations;
    for (const one of still) if (one) violations.push(...(await judgeWoken(one, replay)));
    violations.push(...troublesOf(await watching, [0, 4, 5], replay), ...(await blindSends(site, replay)));
    violations.push(...(await carryOn(site, replay)).violations, ...(await crew.dismiss(replay)));
    return violations;
  } finally {
    await crew.kill();
    watcher?.kill('SIGKILL');
    await watching;
    await postgres.close();
    await site.close();
  }
}

async function openBatch({ ground, url, name, counts }: Round, rows: number): Promise<Site> {
  const { folder, shim, services } = ground;
  counts.rows += rows;
  return openSite({
    ...{ parent: folder, name, services, shim, rows, concurrency: 8, dedupe: 'off' },
    flags: [...tuning, '--settle-for', '120s', '--workers', '--chunk', String(chunk)],
    longestMs: 10 * 60_000,
    journal: await schemaJournal(url, name, url),
  });
}

/** One that will stop itself. */
interface Sleeper {
  readonly worker: Worker;
  readonly place: string;
  readonly report: string;
  /** Woken when its chunk is paid, or as soon as another has it. */
  readonly isLate: boolean;
}

/** One that has, with what it had then. */
interface Frozen extends Sleeper {
  readonly send: number;
  readonly session: string;
  readonly chunk: number;
  readonly takes: number;
}

function openCrew(site: Site, { seed, counts }: Round) {
  const chance = seededChance(seed);
  const all: Worker[] = [];

  function hire(flags: readonly string[], env: Readonly<Record<string, string>> = {}): Worker {
    const offMs = (Math.floor(chance() * 3) - 1) * hourMs;
    if (offMs !== 0) counts['workers with a clock an hour off'] += 1;
    const worker = hireWorker(site, `machine-${all.length}`, [...tuning, ...flags], {
      NODE_OPTIONS: `--import ${standStill}`,
      CLOCK_OFF_MS: String(offMs),
      ...env,
    });
    all.push(worker);
    return worker;
  }

  function hireSleeper(place: string): Sleeper {
    const report = join(site.folder, `report-${all.length}`);
    const nth = 1 + Math.floor(chance() * chunk);
    const flags = ['--concurrency', String(1 + Math.floor(chance() * 2))];
    const isLate = chance() < 0.7;
    const worker = hire(flags, { STILL_AT: place, STILL_NTH: String(nth), STILL_REPORT: report });
    return { worker, place, report, isLate };
  }

  /** Undefined for one that found not enough to send any more, or was ended before anybody looked. */
  async function untilFrozen(sleeper: Sleeper, postgres: Questions): Promise<Frozen | undefined> {
    const begunMs = performance.now();
    let reference: string | undefined;
    while (reference === undefined) {
      if (!sleeper.worker.isAtWork() || performance.now() - begunMs > reachedWithinMs) return undefined;
      await pause(lookEveryMs);
      reference = reportOf(sleeper).find(({ what }) => what === 'frozen')?.reference;
    }
    const held = await heldBy(sleeper, postgres);
    const send = await intentOf(reference, postgres);
    if (!held || send === undefined) return undefined;
    const isKnown = (await site.service.ledger()).some((entry) => entry.reference === reference);
    if (sleeper.place === 'on-its-way') counts['workers frozen with the request on its way'] += 1;
    else if (!isKnown) counts['workers frozen in the window'] += 1;
    return { ...sleeper, ...held, send };
  }

  return {
    /** As many as it takes, and what each had when it stopped. They are looked at from the start: others soon end them. */
    async freeze(count: number, postgres: Questions): Promise<(Frozen | undefined)[]> {
      const sleepers: Sleeper[] = [];
      const still: Promise<Frozen | undefined>[] = [];
      for (let index = 0; index < count; index += 1) {
        const sleeper = hireSleeper(placeOf(index, count));
        sleepers.push(sleeper);
        still.push(untilFrozen(sleeper, postgres));
        await sleepers.at(-startingAtOnce)?.worker.isReady;
      }
      return Promise.all(still);
    },

    async hireOthers(count: number): Promise<void> {
      const others: Worker[] = [];
      for (let index = 0; index < count; index += 1) {
        others.push(hire(['--concurrency', '4']));
        await others.at(-startingAtOnce)?.isReady;
      }
    },

    async dismiss(replay: string): Promise<Violation[]> {
      return dismissAll(all, replay);
    },

    async kill(): Promise<void> {
      for (const worker of all) if (worker.isAtWork()) worker.kill('SIGKILL');
      await Promise.all(all.map((worker) => worker.ended('')));
    },
  };
}

/** Few are at as many different places as there are. */
function placeOf(index: number, count: number): string {
  const drawn = count < places.length ? [...new Set(places)] : places;
  return drawn[index % drawn.length] ?? '';
}

/** By which session it works, and what of the batch it has, as the others see it; nothing once they have ended it. */
async function heldBy({ worker }: Sleeper, postgres: Questions) {
  const row =
    await postgres.ask(`SELECT workers.pid || ' ' || started AS session, number AS chunk, takes FROM workers,
       LATERAL (SELECT substring(doing FROM 'chunk (\\d+)$') AS number) AS own
       JOIN holders ON holders.batch = 'november' || chr(10) || number
     WHERE name = ${literal(`${hostname()}:${worker.pid}`)}`);
  if (row['session'] === undefined) return undefined;
  return {
    session: String(row['session']),
    chunk: Number(row['chunk']),
    takes: Number(row['takes']),
  };
}

/** Which send it is, in Postgres. It was asked for a moment ago, and nobody but who is frozen has read the answer. */
async function intentOf(reference: string, postgres: Questions): Promise<number | undefined> {
  for (let looks = 0; looks < 100; looks += 1) {
    const { send } = await postgres.ask(
      `SELECT max(id) AS send FROM sends WHERE reference = ${literal(reference)}`,
    );
    if (send !== null) return Number(send);
    await pause(lookEveryMs);
  }
  return undefined;
}

/** Woken once its session is ended and its chunk another's, who has noted what it left; and never before. */
async function wakeInTime(
  frozen: Frozen,
  postgres: Questions,
  { counts }: Round,
  replay: string,
): Promise<Violation[]> {
  const { worker, chunk: own, isLate, place } = frozen;
  const begunMs = performance.now();
  for (;;) {
    const { isTaken, isClosed, isPaid } = await takenOver(frozen, postgres);
    if (isTaken && isClosed && (isPaid || !isLate)) break;
    const about = `chunk ${own} of a worker that was frozen (${place})`;
    if (isTaken && isPaid)
      return [{ kind: 'lie', replay, text: `${about} was carried out, and what it left is still under way` }];
    if (performance.now() - begunMs > takenOverWithinMs)
      return [{ kind: 'stuck', replay, text: `${about} was not taken over` }];
    await pause(lookEveryMs);
  }
  worker.kill('SIGCONT');
  counts['workers woken'] += 1;
  if (isLate) counts['of them after others had paid what they were about to'] += 1;
  return [];
}

/** Its session is gone and another has its chunk; its send is closed as unknown; nothing of the chunk is left to send. */
async function takenOver({ session, chunk: own, takes, send }: Frozen, postgres: Questions) {
  const seen = await postgres.ask(
    `SELECT (SELECT count(*) FROM pg_stat_activity WHERE pid || ' ' || backend_start = ${literal(session)}) AS sessions,
       (SELECT takes FROM holders WHERE batch = 'november' || chr(10) || ${own}) AS takes,
       (SELECT outcome FROM sends WHERE id = ${send}) AS outcome,
       (SELECT count(*) FROM payouts WHERE chunk = ${own}
          AND state IN ('planned', 'ready', 'submitting', 'unclear')) AS unsent`,
  );
  return {
    isTaken: seen['sessions'] === 0 && Number(seen['takes']) > takes,
    isClosed: seen['outcome'] === 'unknown',
    isPaid: seen['unsent'] === 0,
  };
}

/** It ends, and did nothing more than that. */
async function judgeWoken(frozen: Frozen, replay: string): Promise<Violation[]> {
  const violations = await frozen.worker.ended(replay);
  const lines = reportOf(frozen);
  const about = `a worker that was frozen (${frozen.place}) and taken over`;
  if (!lines.some(({ what }) => what === 'woken'))
    violations.push({ kind: 'stuck', replay, text: `${about} did not wake` });
  for (const { what, reference } of lines) {
    if (what === 'sent') violations.push({ kind: 'double', replay, text: `${about} sent ${reference}` });
    if (what === 'written') violations.push({ kind: 'chain', replay, text: `${about} wrote to the journal` });
  }
  return violations;
}

interface ReportLine {
  readonly what: 'frozen' | 'woken' | 'sent' | 'written';
  readonly reference?: string;
}

function reportOf({ report }: Sleeper): ReportLine[] {
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const whole = text.split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as ReportLine);
}

/** One question after the other, whoever asks. */
async function openQuestions(url: string, schema: string) {
  const connection = await connectPostgres(readSharedUrl(url));
  const queue = createQueue();
  await connection.ask(`SET search_path = ${schema}`);
  return {
    async ask(question: string): Promise<Row> {
      const letGo = await queue.enter();
      try {
        return (await connection.ask(question))[0]?.[0] ?? {};
      } finally {
        letGo();
      }
    },
    close: () => connection.close(),
  };
}

type Questions = Awaited<ReturnType<typeof openQuestions>>;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

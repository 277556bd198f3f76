import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { blindSends, carryOn, troublesOf } from './carry-on.ts';
import { inLanes, sampleOf } from './lanes.ts';
import { onProofGround, type ProofGround } from './proof-ground.ts';
import { type EndedRun, reportOf } from './run-under-shim.ts';
import type { Site } from './site.ts';
import { openSmallBatch, operationsOf } from './small-batch.ts';

type Trial =
  | { readonly kind: 'frozen'; readonly at: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'at once'; readonly runs: number };

interface Figures {
  readonly counts: Record<'frozen runs' | 'refused meanwhile' | 'groups at once', number>;
  readonly violations: Violation[];
}

const concurrency = 16;
const flags = ['--timeout', '500ms', '--quiet-period', '1s', '--resends', '10', '--settle-for', '10s'];
/** Past every time-out and quiet period. */
const frozenMs = 2_500;
const locked = 75;

/** A run that sleeps while others try, and runs that begin together. */
export const frozenRun: Campaign = {
  name: 'frozen-run',
  title:
    'A run frozen in mid-call past every time-out while a second one is tried, and two and three runs at once',
  atLeast: { 'frozen runs': 30, 'groups at once': 15 },
  run: ({ seed, share, say }) =>
    onProofGround(async (ground) => {
      const figures: Figures = {
        counts: { 'frozen runs': 0, 'refused meanwhile': 0, 'groups at once': 0 },
        violations: [],
      };
      const all = await trialsOf(ground);
      // Some of each kind, however small the sample.
      const trials = (['frozen', 'at once'] as const).flatMap((kind) =>
        sampleOf(
          all.filter((trial) => trial.kind === kind),
          share,
          seed,
        ),
      );
      say(`frozen-run: ${trials.length} of ${all.length} trials`);
      await inLanes(trials, async (trial, index) => {
        const dedupe = index % 2 === 0 ? 'off' : 'on';
        const site = await openSmallBatch(ground, `trial${index}`, { concurrency, dedupe, flags });
        try {
          const replay = `frozen-run seed ${seed} ${JSON.stringify(trial)}`;
          if (trial.kind === 'frozen') await freeze(site, trial, replay, figures);
          else await startTogether(site, trial.runs, seed + index, replay, figures);
          figures.violations.push(...(await carryOn(site, replay)).violations);
        } finally {
          await site.close();
        }
      });
      return figures;
    }),
};

/** At an operation of the network there is no transaction open that the second run would have to wait for. */
async function trialsOf(ground: ProofGround): Promise<Trial[]> {
  const kinds = await operationsOf(ground, concurrency);
  const calls = [...kinds].flatMap((kind, index) => (kind === 't' ? [index + 1] : []));
  const frozen = calls
    .filter((_, index) => index % 3 === 0)
    .map((at, index): Trial => ({ kind: 'frozen', at, when: index % 2 === 0 ? 'before' : 'after' }));
  const atOnce = Array.from(
    { length: 20 },
    (_, index): Trial => ({ kind: 'at once', runs: 2 + (index % 2) }),
  );
  return [...frozen, ...atOnce];
}

async function freeze(
  site: Site,
  { at, when }: Extract<Trial, { kind: 'frozen' }>,
  replay: string,
  { counts, violations }: Figures,
): Promise<void> {
  let child: ChildProcess | undefined;
  let ended = false;
  const sleeper = site
    .run({ mode: 'stop', at, when }, (started) => {
      child = started;
    })
    .finally(() => {
      ended = true;
    });
  while (!ended && reportOf(site.report).struck === undefined) await pause(20);
  if (!ended) {
    counts['frozen runs'] += 1;
    await pause(frozenMs);
    const sent = (await site.service.ledger()).length;
    const second = await site.run();
    // The count may be a little off, and the run frozen in a commit: then the journal itself is what cannot be had.
    const inCommit = reportOf(site.report).struck?.includes(site.disk) ?? false;
    const atWork = sent > 0 && sent < site.rows.length && !inCommit;
    const others = inCommit ? [73, 74] : [];
    violations.push(
      ...troublesOf(second, atWork ? [locked] : [0, 4, 5, locked, ...others], `${replay}, the second run`),
    );
    if (second.exit === locked) counts['refused meanwhile'] += 1;
    child?.kill('SIGCONT');
  }
  const woken = await sleeper;
  violations.push(...troublesOf(woken, [0, 4, 5, locked], `${replay}, the one that was frozen`));
  violations.push(...(await blindSends(site, replay)));
}

async function startTogether(
  site: Site,
  runs: number,
  seed: number,
  replay: string,
  { counts, violations }: Figures,
): Promise<void> {
  const chance = seededChance(seed);
  const ended: EndedRun[] = await Promise.all(
    Array.from({ length: runs }, async () => {
      await pause(chance() * 200);
      return site.run();
    }),
  );
  counts['groups at once'] += 1;
  for (const run of ended) violations.push(...troublesOf(run, [0, 4, 5, locked], replay));
  if (ended.every(({ exit }) => exit === locked)) {
    violations.push({
      kind: 'stuck',
      replay,
      text: 'each was told that another one is at work, and none was',
    });
  }
  violations.push(...(await blindSends(site, replay)));
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { blindSends, carryOn, troublesOf } from './carry-on.ts';
import { cutPower, type Survival } from './cut-power.ts';
import { inLanes, sampleOf } from './lanes.ts';
import { onProofGround, type ProofGround } from './proof-ground.ts';
import type { EndedRun } from './run-under-shim.ts';
import type { Site } from './site.ts';
import { concurrenciesOf, countOperations, openSmallBatch, operationsOf } from './small-batch.ts';
import { weakProgram } from './weak-program.ts';

interface PowerCut {
  readonly concurrency: number;
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly survival: Survival;
}

/** The power goes at the Nth fsync: what was not synced is gone. */
export const powerLoss: Campaign = {
  name: 'power-loss',
  title:
    'Power gone before and after the Nth fsync, with only synced bytes left (or by chance more), and the same command again',
  atLeast: { 'power losses': 200, 'losses found with synchronous=NORMAL': 1 },
  run: ({ seed, share, say }) =>
    onProofGround(async (ground) => {
      const counts = { 'power losses': 0, 'runs to recover': 0, 'losses found with synchronous=NORMAL': 0 };
      const violations: Violation[] = [];
      const all: PowerCut[] = [];
      for (const concurrency of concurrenciesOf(share, seed))
        all.push(...(await cutsOf(ground, concurrency, seed)));
      const cuts = sampleOf(all, share, seed);
      say(`power-loss: ${cuts.length} of ${all.length} points`);
      await inLanes(cuts, async (cut, index) => {
        const site = await openSmallBatch(ground, `cut${index}`, { ...cut, dedupe: 'off' });
        try {
          const run = await runAndCut(site, cut, seed + index);
          const replay = `power-loss seed ${seed} concurrency ${cut.concurrency} ${cut.when} fsync ${cut.at} (${run.struck}), ${cut.survival}`;
          if (run.struck === undefined) {
            violations.push(...troublesOf(run, [0, 4, 5], replay));
            return;
          }
          counts['power losses'] += 1;
          violations.push(...(await blindSends(site, replay)));
          const carried = await carryOn(site, replay);
          counts['runs to recover'] += carried.runs;
          violations.push(...carried.violations);
        } finally {
          await site.close();
        }
        if (index % 50 === 49) say(`power-loss: ${index + 1}, ${violations.length} violations`);
      });
      counts['losses found with synchronous=NORMAL'] = await lossesOfWeak(ground, seed);
      if (counts['losses found with synchronous=NORMAL'] === 0) {
        const text = 'a journal that does not wait for the disk lost nothing: the shim does not bite';
        violations.push({ kind: 'blind', replay: `power-loss seed ${seed}`, text });
      }
      return { counts, violations };
    }),
};

async function cutsOf(ground: ProofGround, concurrency: number, seed: number): Promise<PowerCut[]> {
  const chance = seededChance(seed + concurrency);
  const counted = syncsIn(await operationsOf(ground, concurrency));
  return Array.from({ length: counted }, (_, index) => index + 1).flatMap((at) =>
    (['before', 'after'] as const).map((when): PowerCut => {
      return { concurrency, at, when, survival: chance() < 0.5 ? 'synced' : 'by chance' };
    }),
  );
}

function syncsIn(kinds: string): number {
  return [...kinds].filter((kind) => kind === 's').length;
}

async function runAndCut(site: Site, { at, when, survival }: PowerCut, seed: number): Promise<EndedRun> {
  const durable = join(site.folder, 'durable');
  mkdirSync(durable);
  const run = await site.run({ mode: 'power', at, when, durable });
  if (run.struck !== undefined) cutPower(site.disk, durable, survival, seededChance(seed));
  return run;
}

/** The proof of the proof: where the journal does not wait for the disk, a send whose intent is gone must be found. */
async function lossesOfWeak(ground: ProofGround, seed: number): Promise<number> {
  const program = weakProgram(ground.folder);
  const counted = syncsIn(await countOperations(ground, 1, program));
  // Its last syncs are those of the results and of the journal's end, after all was sent: there it shows first.
  for (let at = counted - 2; at > 0; at -= 1) {
    const site = await openSmallBatch(ground, `weak${at}`, { concurrency: 1, dedupe: 'off', program });
    try {
      await runAndCut(site, { concurrency: 1, at, when: 'before', survival: 'synced' }, seed);
      const losses = await blindSends(site, 'synchronous=NORMAL');
      if (losses.length > 0) return losses.length;
    } finally {
      await site.close();
    }
  }
  return 0;
}

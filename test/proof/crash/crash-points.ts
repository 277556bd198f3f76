import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { blindSends, carryOn, troublesOf } from './carry-on.ts';
import { inLanes, sampleOf } from './lanes.ts';
import { onProofGround, type ProofGround } from './proof-ground.ts';
import type { Site } from './site.ts';
import { concurrenciesOf, openSmallBatch, operationsOf } from './small-batch.ts';

interface CrashPoint {
  readonly concurrency: number;
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly dedupe: 'on' | 'off';
  /** The operation at which the run that recovers is killed as well, for some. */
  readonly againAt: number | undefined;
}

type Counts = Record<
  | 'crash points'
  | 'of them with no dedupe at the service'
  | 'of them killed again while recovering'
  | 'runs to recover',
  number
>;

/** Of a commit's many writes to one file, one in so many: the others leave the same half of the same frame. */
const writesPassedOver = 48;
const shareKilledAgain = 0.3;

/** SIGKILL at the Nth operation, for every N that matters. */
export const crashPoints: Campaign = {
  name: 'crash-points',
  title:
    'SIGKILL at the Nth connect, send, receive, write, fsync, rename or unlink, and the same command again',
  atLeast: { 'crash points': 300 },
  run: ({ seed, share, say }) =>
    onProofGround(async (ground) => {
      const counts: Counts = {
        'crash points': 0,
        'of them with no dedupe at the service': 0,
        'of them killed again while recovering': 0,
        'runs to recover': 0,
      };
      const violations: Violation[] = [];
      const all: CrashPoint[] = [];
      for (const concurrency of concurrenciesOf(share, seed))
        all.push(...(await pointsOf(ground, concurrency, seed)));
      const points = sampleOf(all, share, seed);
      say(`crash-points: ${points.length} of ${all.length} points`);
      await inLanes(points, async (point, index) => {
        const site = await openSmallBatch(ground, `point${index}`, point);
        try {
          const replay = `crash-points seed ${seed} ${JSON.stringify(point)}`;
          violations.push(...(await crashAt(site, point, replay, counts)));
        } finally {
          await site.close();
        }
        if (index % 50 === 49) say(`crash-points: ${index + 1}, ${violations.length} violations`);
      });
      return { counts, violations };
    }),
};

async function crashAt(
  site: Site,
  { at, when, dedupe, againAt }: CrashPoint,
  replay: string,
  counts: Counts,
): Promise<Violation[]> {
  const killed = await site.run({ mode: 'kill', at, when });
  // This run had fewer operations than the one that was counted.
  if (killed.struck === undefined) return troublesOf(killed, [0, 4, 5], replay);
  counts['crash points'] += 1;
  if (dedupe === 'off') counts['of them with no dedupe at the service'] += 1;
  const violations = await blindSends(site, replay);
  if (againAt !== undefined) {
    const again = await site.run({ mode: 'kill', at: againAt, when });
    if (again.struck === undefined) violations.push(...troublesOf(again, [0, 4, 5], replay));
    else counts['of them killed again while recovering'] += 1;
    violations.push(...(await blindSends(site, replay)));
  }
  const carried = await carryOn(site, `${replay} (${killed.struck})`);
  counts['runs to recover'] += carried.runs;
  return [...violations, ...carried.violations];
}

async function pointsOf(ground: ProofGround, concurrency: number, seed: number): Promise<CrashPoint[]> {
  const kinds = await operationsOf(ground, concurrency);
  const chance = seededChance(seed + concurrency);
  return [...kinds].flatMap((kind, index): CrashPoint[] => {
    if (kind === 'w' && (index + seed) % writesPassedOver !== 0) return [];
    const when = (index + seed) % 2 === 0 ? 'before' : 'after';
    const dedupe = index % 3 === 2 ? 'on' : 'off';
    const againAt = chance() < shareKilledAgain ? 1 + Math.floor(chance() * kinds.length) : undefined;
    return [{ concurrency, at: index + 1, when, dedupe, againAt }];
  });
}

import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { blindSends, carryOn, judgeSite, troublesOf } from './carry-on.ts';
import { inLanes, sampleOf } from './lanes.ts';
import { onProofGround, type ProofGround } from './proof-ground.ts';
import type { EndedRun } from './run-under-shim.ts';
import type { Site } from './site.ts';
import { concurrenciesOf, openSmallBatch, operationsOf } from './small-batch.ts';

interface IoFault {
  readonly concurrency: number;
  readonly at: number;
  readonly error: 'EIO' | 'ENOSPC';
  /** Once, or from then on for good. */
  readonly lasting: boolean;
}

const writesPassedOver = 6;
/** All was paid in spite of it; stopped early; not writable before or after anything was sent; or unforeseen, and said. */
const clearExits = [0, 1, 5, 73, 74];

/** The Nth write or fsync of a file fails. */
export const ioErrors: Campaign = {
  name: 'io-errors',
  title:
    'EIO and ENOSPC at the Nth write or fsync, once and for good, and the same command again with the disk mended',
  atLeast: { 'I/O faults': 200 },
  run: ({ seed, share, say }) =>
    onProofGround(async (ground) => {
      const counts: Record<string, number> = { 'I/O faults': 0, 'runs to recover': 0 };
      const violations: Violation[] = [];
      const all: IoFault[] = [];
      for (const concurrency of concurrenciesOf(share, seed))
        all.push(...(await faultsOf(ground, concurrency, seed)));
      const faults = sampleOf(all, share, seed);
      say(`io-errors: ${faults.length} of ${all.length} points`);
      await inLanes(faults, async (fault, index) => {
        const { concurrency, at, error, lasting } = fault;
        const site = await openSmallBatch(ground, `fault${index}`, { concurrency, dedupe: 'off' });
        try {
          const run = await site.run({ mode: 'fail', at, error, lasting });
          if (run.struck === undefined) return;
          counts['I/O faults'] = (counts['I/O faults'] ?? 0) + 1;
          const exit = `ended with ${run.exit}`;
          counts[exit] = (counts[exit] ?? 0) + 1;
          const often = lasting ? 'for good' : 'once';
          const replay = `io-errors seed ${seed} concurrency ${concurrency} ${error} at ${at} ${often} (${run.struck})`;
          violations.push(...(await judgeFailed(site, run, replay)));
          const carried = await carryOn(site, replay);
          counts['runs to recover'] = (counts['runs to recover'] ?? 0) + carried.runs;
          violations.push(...carried.violations);
        } finally {
          await site.close();
        }
        if (index % 50 === 49) say(`io-errors: ${index + 1}, ${violations.length} violations`);
      });
      return { counts, violations };
    }),
};

/** The run that met the fault: nothing left whose intent is not on disk, and it says clearly how it ended. */
async function judgeFailed(site: Site, run: EndedRun, replay: string): Promise<Violation[]> {
  const silent = run.exit !== 0 && !run.stderr.includes('payrun:') && !run.stdout.includes('Batch november');
  return [
    ...troublesOf(run, clearExits, replay),
    ...(silent ? [{ kind: 'lie', replay, text: `ended with ${run.exit} and said nothing` } as const] : []),
    ...(await blindSends(site, replay)),
    ...(await judgeSite(site, replay, run.exit === 0)),
  ];
}

async function faultsOf(ground: ProofGround, concurrency: number, seed: number): Promise<IoFault[]> {
  const kinds = await operationsOf(ground, concurrency);
  const onDisk = [...kinds].filter((kind) => kind === 'w' || kind === 's');
  return onDisk.flatMap((kind, index): IoFault[] => {
    if (kind === 'w' && (index + seed) % writesPassedOver !== 0) return [];
    // Each of the four ways in turn; another seed gives each point another one.
    const way = Math.floor((index + seed) / writesPassedOver) + index + seed;
    return [{ concurrency, at: index + 1, error: way % 2 === 0 ? 'EIO' : 'ENOSPC', lasting: way % 4 < 2 }];
  });
}

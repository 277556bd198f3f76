import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Campaign } from '../campaign.ts';
import { type SeedFigures, simulateSeeds } from './simulate-seeds.ts';

const wholeSeeds = 5_000;
const lanes = 2;
/** Fewer are simulated sooner than another process is started. */
const leastForLanes = 500;

/** The same pipeline and journal on virtual time, against a service, a network and people that are invented by a seed. */
export const simulator: Campaign = {
  name: 'simulator',
  title:
    'Invented histories on virtual time: lost, late and spoilt exchanges, a machine that dies at any call, pause or commit, edited and copied files, lost journals, failures that were paid after all, clocks that jump; a service that contradicts itself, repeats the names it was told, pays twice by itself or cuts amounts; keys of another account, a new e-mail, other operators, forged attempts',
  atLeast: { seeds: wholeSeeds },
  async run({ seed, share, say }) {
    const count = Math.max(1, Math.round(wholeSeeds * share));
    const first = seed * wholeSeeds + 1;
    let done = 0;
    const onSeeds = (more: number) => {
      done += more;
      say(`${done} of ${count} seeds`);
    };
    const figures =
      count < leastForLanes
        ? [await simulateSeeds(first, first + count, 1, onSeeds)]
        : await Promise.all(
            Array.from({ length: lanes }, (_, lane) => oneLane(first + lane, first + count, onSeeds)),
          );
    return sumOf(figures);
  },
};

async function oneLane(first: number, end: number, onSeeds: (seeds: number) => void): Promise<SeedFigures> {
  const path = fileURLToPath(new URL('./seeds-process.ts', import.meta.url));
  const child = fork(path, [first, end, lanes].map(String), { execArgv: ['--import', 'tsx'] });
  let figures: SeedFigures | undefined;
  child.on('message', (message: { seeds?: number; figures?: SeedFigures }) => {
    if (message.seeds !== undefined) onSeeds(message.seeds);
    figures = message.figures ?? figures;
  });
  await once(child, 'exit');
  if (!figures) throw new Error(`the lane of seed ${first} ended without a word`);
  return figures;
}

function sumOf(figures: readonly SeedFigures[]): SeedFigures {
  const counts: Record<string, number> = {};
  for (const each of figures) {
    for (const [name, count] of Object.entries(each.counts)) counts[name] = (counts[name] ?? 0) + count;
  }
  const days = counts['virtual days'];
  if (days !== undefined) counts['virtual days'] = Math.round(days);
  return { counts, violations: figures.flatMap(({ violations }) => violations) };
}

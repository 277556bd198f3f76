import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type Bar, type Group, groups, type Round } from './groups.ts';
import { type Bench, type Measured, openBench } from './measure.ts';
import { millionBars } from './million.ts';
import { programOf } from './programs.ts';
import { whyMissing } from './queue-servers.ts';
import { type BarResult, barPlot, barTable, figuresOf, type ProgramResult, programTable } from './report.ts';
import { spreadOf } from './statistics.ts';

/**
 * payrun beside what people use instead, side by side in one run. Machines are noisy: only ratios of the same round are
 * compared, the order changes every round, and the middle of all rounds counts.
 */
const flags = await yargs(hideBin(process.argv))
  .usage('npm run bench -- [GROUP…]')
  .option('quick', {
    type: 'boolean',
    default: false,
    describe: 'Fewer rows, one round: a first look in two minutes',
  })
  .option('rounds', { type: 'number', default: 5, describe: 'How often each comparison is made' })
  .option('large', {
    type: 'number',
    describe: 'Also what a file of so many rows takes, in one round; 1000000 takes long',
  })
  .option('list', { type: 'boolean', default: false, describe: 'Name the groups and do nothing' })
  .strictOptions()
  .parseAsync();

/** Far enough apart that the first draws are not alike. */
const firstSeed = 77_777;
const wished = flags._.map(String);
const chosen = groups.filter(({ name }) => wished.length === 0 || wished.some((wish) => name.includes(wish)));
if (flags.list || chosen.length === 0) {
  process.stdout.write(`${groups.map(({ name }) => name).join('\n')}\n`);
  process.exit(flags.list ? 0 : 2);
}
const rounds = flags.quick ? 1 : flags.rounds;
const bench = openBench();
const bars: BarResult[] = [];
const taken: ProgramResult[] = [];
try {
  for (const group of chosen) {
    const { results, measured } = await compare(
      bench,
      sized(group),
      Math.min(rounds, group.rounds ?? rounds),
    );
    bars.push(...results);
    taken.push(...measured);
    process.stdout.write(`${results.length > 0 ? barTable(results) : programTable(measured)}\n`);
  }
  if (flags.large !== undefined)
    bars.push(...(await millionBars(bench, flags.large, Math.min(10_000, flags.large / 10))));
} finally {
  bench.close();
}
process.stdout.write(`\n${barTable(bars)}\n${programTable(taken)}`);
if (!flags.quick && wished.length === 0) {
  const folder = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = { cores: cpus().length, node: process.version, platform: process.platform };
  const figures = taken.map(figuresOf);
  writeFileSync(
    `${folder}results.json`,
    `${JSON.stringify({ machine, rounds, bars, figures }, undefined, 2)}\n`,
  );
  writeFileSync(`${folder}bars.svg`, barPlot(bars));
}
process.exitCode = bars.every(({ isMet }) => isMet) ? 0 : 1;

function sized(group: Group): Group {
  return flags.quick && group.quickRows
    ? { ...group, scene: { ...group.scene, rows: group.quickRows } }
    : group;
}

async function compare(
  { measure }: Bench,
  { name, scene, variants, bars: wanted }: Group,
  times: number,
): Promise<{ results: BarResult[]; measured: ProgramResult[] }> {
  const present = Object.entries(variants).filter(([variant, { program }]) => {
    const { queue } = programOf(program);
    const why = queue && whyMissing(queue);
    if (why) process.stdout.write(`skipped: ${variant} (${why})\n`);
    return !why;
  });
  const all: Round[] = [];
  for (let round = 0; round < times; round += 1) {
    const took = new Map<string, Measured>();
    for (const [variant, { program, scene: otherwise }] of rotated(present, round)) {
      const under = { ...scene, ...otherwise };
      const service = { ...under.service, seed: firstSeed * (round + 1) };
      took.set(variant, await measure(program, { ...under, service }));
    }
    all.push(took);
  }
  const { rows } = scene;
  const isTold = ({ figure }: Bar) => all.every((round) => !Number.isNaN(figure(round, scene)));
  const results = wanted.filter(isTold).map(({ what, atLeast, atMost, figure, limit }): BarResult => {
    const spread = spreadOf(all.map((round) => figure(round, scene)));
    const isMet = atLeast === undefined ? spread.median <= (atMost ?? Number.NaN) : spread.median >= atLeast;
    const bar = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    const most = limit && spreadOf(all.map((round) => limit(round, scene))).median;
    const told = most === undefined || Number.isNaN(most) ? {} : { limit: most };
    return { group: name, what, rows, rounds: times, wanted: bar, isMet, spread, ...told };
  });
  const measured = present.map(([variant]) => ({
    group: name,
    program: variant,
    rows,
    measured: all.flatMap((round) => round.get(variant) ?? []),
  }));
  return { results, measured };
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const from = by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

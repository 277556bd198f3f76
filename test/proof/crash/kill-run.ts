import type { ChildProcess } from 'node:child_process';
import { seededChance } from '../../support/chance.ts';
import type { Campaign } from '../campaign.ts';
import type { Violation } from '../oracle.ts';
import { blindSends, carryOn, troublesOf } from './carry-on.ts';
import { onProofGround } from './proof-ground.ts';
import { openSite, type Site } from './site.ts';

const wholeRows = 20_000;
const fewestRows = 150;
const mostRuns = 400;
const flags = [
  '--timeout',
  '5s',
  '--quiet-period',
  '10s',
  '--resends',
  '10',
  '--settle-for',
  '60s',
  '--json-lines',
];
/** The others may be killed before they moved anything at all: on a slow machine none of those would ever get on. */
const shareThatMoves = 0.7;
const longestLifeMs = 4_000;

/** One large batch, killed every few seconds until it is paid. */
export const killRun: Campaign = {
  name: 'kill-run',
  title: 'A batch of 20,000 rows with kill -9 every few seconds until it is done',
  atLeast: { rows: wholeRows, kills: 20 },
  run: ({ seed, share, say }) =>
    onProofGround(async ({ folder, shim, services }) => {
      const rows = Math.max(fewestRows, Math.round(wholeRows * share));
      const site = await openSite({
        parent: folder,
        name: 'large',
        services,
        shim,
        rows,
        concurrency: 32,
        dedupe: 'off',
        flags,
        longestMs: 20 * 60_000,
      });
      await site.service.faults('latency=3ms');
      const replay = `kill-run seed ${seed} rows ${rows}`;
      const { kills, violations } = await killUntilDone(site, seed, replay, say);
      const carried = await carryOn(site, replay);
      return {
        counts: { rows, kills, 'doubles at a service with no dedupe': doublesIn(carried.violations) },
        violations: [...violations, ...carried.violations],
      };
    }),
};

async function killUntilDone(
  site: Site,
  seed: number,
  replay: string,
  say: (line: string) => void,
): Promise<{ kills: number; violations: Violation[] }> {
  const chance = seededChance(seed);
  const violations: Violation[] = [];
  let kills = 0;
  for (let runs = 1; runs <= mostRuns; runs += 1) {
    const since = chance() < shareThatMoves ? '"moved"' : '';
    const afterMs = chance() * longestLifeMs;
    const run = await site.run(undefined, (child) => killLater(child, since, afterMs));
    violations.push(...(run.exit === null ? [] : troublesOf(run, [0, 4, 5], replay)));
    violations.push(...(await blindSends(site, replay)));
    if (run.exit === 0 || violations.length > 0) return { kills, violations };
    if (run.exit === null) kills += 1;
    say(`kill-run: ${kills} kills, ${new Set(await site.intents()).size} of ${site.rows.length} rows sent`);
  }
  violations.push({ kind: 'stuck', replay, text: `${mostRuns} runs, and none came to its end` });
  return { kills, violations };
}

/** So long after it first said that word; none: after it said anything. */
function killLater(child: ChildProcess, word: string, afterMs: number): void {
  const listen = (text: string) => {
    if (!text.includes(word)) return;
    child.stderr?.off('data', listen);
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    child.once('close', () => clearTimeout(timer));
  };
  child.stderr?.on('data', listen);
}

function doublesIn(violations: readonly Violation[]): number {
  return violations.filter(({ kind }) => kind === 'double').length;
}

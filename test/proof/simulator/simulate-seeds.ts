import type { Violation } from '../oracle.ts';
import { simulate } from './simulate.ts';

/** What a run of seeds adds up to: plain values, so that it can be told from one process to another. */
export interface SeedFigures {
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

const sayEvery = 100;
const mostViolations = 50;

export async function simulateSeeds(
  first: number,
  end: number,
  step: number,
  onSeeds: (seeds: number) => void,
): Promise<SeedFigures> {
  const counts: Record<string, number> = {};
  const violations: Violation[] = [];
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  for (let seed = first; seed < end; seed += step) {
    const report = await simulate(seed);
    add('seeds', 1);
    for (const [name, count] of Object.entries(report.counts)) add(inWords(name), count);
    for (const [kind, count] of Object.entries(report.faults)) add(`fault ${kind}`, count);
    add('virtual days', report.virtualDays);
    if (violations.length < mostViolations) violations.push(...report.violations);
    if ((counts['seeds'] ?? 0) % sayEvery === 0) onSeeds(sayEvery);
  }
  return { counts, violations };
}

/** As people read it in the figures: `mixedKeys` is `mixed keys` there. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

import type { Campaign } from './campaign.ts';
import type { KeptFigures } from './figures-kept.ts';
import type { Violation } from './oracle.ts';

export interface Proven {
  readonly campaign: Campaign;
  /** Undefined where the whole of it was not run yet, or broke something. */
  readonly kept: KeptFigures | undefined;
}

const begin = '<!-- figures -->';
const end = '<!-- /figures -->';

/**
 * The page with new figures between its marks; the words around them stay. So does what stands there of campaigns whose
 * figures are not at hand: another machine may have run them.
 */
export function guaranteesText(page: string, proven: readonly Proven[]): string {
  const [before, figures, after] = page.split(new RegExp(`(${begin}[\\s\\S]*${end})`));
  if (before === undefined || figures === undefined || after === undefined)
    throw new Error(`the page lacks ${begin} … ${end}`);
  return `${before}${begin}\n\n${figuresText(proven, figures)}\n\n${end}${after}`;
}

function figuresText(proven: readonly Proven[], present: string): string {
  const violations = proven.flatMap(({ kept }) => kept?.figures.violations ?? []);
  const count = (kind: Violation['kind']) => violations.filter((each) => each.kind === kind).length;
  return [
    '| campaign | what is broken | how often | doubles, lost, lies | source |',
    '| --- | --- | --- | --- | --- |',
    ...proven.map((each) => lineOf(each, present)),
    '',
    `Doubles ${count('double')}, lost ${count('lost')}, lies ${count('lie')}. The source is a digest of src/ as it was then; Node ${process.version} on ${process.platform}.`,
  ].join('\n');
}

function lineOf({ campaign, kept }: Proven, present: string): string {
  const name = `\`${campaign.name}\``;
  if (!kept) {
    const line = present.split('\n').find((each) => each.startsWith(`| ${name} |`));
    return line ?? `| ${name} | ${campaign.title} | not run as a whole yet | | |`;
  }
  const counts = Object.entries(kept.figures.counts).map(
    ([what, count]) => `${count.toLocaleString('en')} ${what}`,
  );
  return `| ${name} | ${campaign.title} | ${counts.join(', ')} | ${kept.figures.violations.length} | ${kept.source} |`;
}

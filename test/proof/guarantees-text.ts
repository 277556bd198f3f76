import type { Campaign, CampaignFigures } from './campaign.ts';
import type { Violation } from './oracle.ts';

export interface Proven {
  readonly campaign: Campaign;
  readonly figures: CampaignFigures;
  readonly seconds: number;
}

/** What the figures were made with. */
export interface SoakFacts {
  readonly seed: number;
  readonly source: string;
}

const begin = '<!-- figures -->';
const end = '<!-- /figures -->';

/** The page with new figures between its marks; the words around them stay. */
export function guaranteesText(page: string, proven: readonly Proven[], of: SoakFacts): string {
  const [before, , after] = page.split(new RegExp(`(${begin}[\\s\\S]*${end})`));
  if (before === undefined || after === undefined) throw new Error(`the page lacks ${begin} … ${end}`);
  return `${before}${begin}\n\n${figuresText(proven, of)}\n\n${end}${after}`;
}

function figuresText(proven: readonly Proven[], of: SoakFacts): string {
  const lines = proven.map(({ campaign, figures, seconds }) => {
    const counts = Object.entries(figures.counts).map(
      ([what, count]) => `${count.toLocaleString('en')} ${what}`,
    );
    const found = (['double', 'lost', 'lie'] as const).map((kind) => countOf(figures.violations, kind));
    const others = figures.violations.length - found.reduce((sum, count) => sum + count, 0);
    return `| ${[`\`${campaign.name}\``, campaign.title, counts.join(', '), ...found, others, `${seconds} s`].join(' | ')} |`;
  });
  const all = proven.flatMap(({ figures }) => figures.violations);
  return [
    '| campaign | what is broken | how often | doubles | lost | lies | other | took |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `Doubles ${countOf(all, 'double')}, lost ${countOf(all, 'lost')}, lies ${countOf(all, 'lie')}. Seed ${of.seed}; source ${of.source}; Node ${process.version} on ${process.platform}.`,
  ].join('\n');
}

function countOf(violations: readonly Violation[], kind: Violation['kind']): number {
  return violations.filter((violation) => violation.kind === kind).length;
}
